import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import Records
import TestSupport
import Testing

@testable import Reporting

/// A limit that a request beside a watch brings along.
@Suite struct RequestedRateTests {
    @Test func itHoldsWhileTheRequestRunsWhateverTheSettingsSay() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            let rates = Shared<[Int?]>([])
            fixture.settings.roots = [.init(path: fixture.gallery)]
            fixture.equip = { $0.hooks.setRate = { rate in rates.change { $0.append(rate) } } }
            try await fixture.watching { agent in
                _ = try await agent.report("it is stored") { $0.assets.stored == 1 }
                #expect(rates.value == [])
                try await agent.limiting(to: 5_000) {
                    try await eventually("the limit holds") { rates.value == [5_000] }
                    #expect(try await agent.report(.summary).limits?.rate == 5_000)
                }
                try await eventually("it is lifted") { rates.value == [5_000, nil] }
            }
        }
    }

    /// A pass of its own has the limit of its call from the start, which may vary by the hour.
    @Test func aPassOfItsOwnKeepsItsTimetable() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            let rates = Shared<[Int?]>([])
            fixture.equip = { $0.hooks.setRate = { rate in rates.change { $0.append(rate) } } }
            let gallery = fixture.gallery
            let ending = try await fixture.run { agent in
                try await agent.limiting(to: 5_000) { try await agent.sync([gallery]) }
            }
            #expect(ending == .done)
            #expect(rates.value == [])
        }
    }
}
