import Fixtures
import Foundation
import Platform
import Supabase
import TestSupport
import Testing

@testable import Catalog
@testable import Queue
@testable import Uploading

/// Of the files that are known to be too large, one at a time is sent as a probe.
@Suite struct LearnedLimitsTests {
    private static let now = Items.now

    /// Runs `body` with the limits that these refusals at `now` teach.
    private static func with(
        _ refusals: [(Int64, SizeLimits.Way)], _ body: (LearnedLimits, Library) async throws -> Void
    ) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let limits = LearnedLimits(library: library, bucket: "media")
            for (size, way) in refusals { try await limits.learn(size, way, by: .storage, at: now) }
            try await body(limits, library)
        }
    }

    private static func item(_ size: Int64) -> Item { Items.pending(FilePath("\(size).jpg"), size: size) }

    /// How a file is sent that would go in one request without limits; `nil` where it is not sent.
    private static func way(of item: Item, _ limits: LearnedLimits, at date: Date = now) -> SizeLimits.Way? {
        if case .send(let way) = limits.verdict(item, usual: .whole, at: date) { way } else { nil }
    }

    @Test func theFirstThatIsNoLargerTriesAndAllOthersWait() async throws {
        try await Self.with([(50, .whole), (50, .pieces)]) { limits, _ in
            let probe = Self.item(60)
            #expect(Self.way(of: probe, limits) == nil)
            limits.doubt(upTo: 60)
            #expect(Self.way(of: Self.item(61), limits) == nil)
            #expect(Self.way(of: probe, limits) == .whole)
            #expect(Self.way(of: Self.item(55), limits) == nil)
            #expect(Self.way(of: probe, limits) == .whole, "a second try of the same one")
            #expect(Self.way(of: Self.item(49), limits) == .whole, "nothing was ever in its way")
        }
    }

    @Test func aRefusalOfBothWaysEndsTheTry() async throws {
        try await Self.with([(50, .whole), (50, .pieces)]) { limits, _ in
            let probe = Self.item(60)
            limits.doubt(upTo: 60)
            _ = Self.way(of: probe, limits)
            try await limits.learn(60, .whole, by: .storage, at: Self.now)
            #expect(Self.way(of: probe, limits) == .whole, "pieces are still to be tried")
            try await limits.learn(60, .pieces, by: .storage, at: Self.now)
            #expect(Self.way(of: probe, limits) == nil)
        }
    }

    @Test func whatIsTakenEndsTheLimit() async throws {
        try await Self.with([(50, .whole), (50, .pieces)]) { limits, library in
            limits.doubt(upTo: 60)
            let probe = Self.item(60)
            _ = Self.way(of: probe, limits)
            #expect(try await limits.passed(probe))
            #expect(Self.way(of: Self.item(1_000), limits) == .whole)
            let again = LearnedLimits(library: library, bucket: "media")
            try await again.load()
            #expect(Self.way(of: Self.item(1_000), again) == .whole, "written down")
        }
    }

    @Test func aDayAfterARefusalOneTries() async throws {
        try await Self.with([(50, .whole), (50, .pieces)]) { limits, _ in
            let (probe, tomorrow) = (Self.item(60), Self.now + 86_400)
            #expect(Self.way(of: probe, limits, at: tomorrow - 1) == nil)
            #expect(Self.way(of: probe, limits, at: tomorrow) == .whole)
            #expect(Self.way(of: Self.item(61), limits, at: tomorrow) == nil)
            #expect(limits.release(probe) && !limits.release(probe))
            #expect(Self.way(of: Self.item(61), limits, at: tomorrow) == .whole, "the first came to no end")
        }
    }

    @Test func oneRequestIsTriedAgainWherePiecesWereTaken() async throws {
        try await Self.with([(50, .whole)]) { limits, _ throws in
            let (probe, tomorrow) = (Self.item(60), Self.now + 86_400)
            #expect(Self.way(of: probe, limits) == .pieces)
            #expect(Self.way(of: probe, limits, at: tomorrow) == .whole)
            #expect(Self.way(of: Self.item(61), limits, at: tomorrow) == .pieces)
            #expect(try await !limits.passed(probe), "nothing waited for that")
            #expect(Self.way(of: Self.item(61), limits) == .whole)
        }
    }
}
