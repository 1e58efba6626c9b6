import Fixtures
import Foundation
import Testing

@testable import Rescue

/// Which files arrive in time at a given rate, and which make others late.
@Suite struct RescueForecastTests {
    static let now = Jobs.now

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let loads: [(seconds: Double, bytes: Int64)]
        let late: Set<Int>
        let yielding: Set<Int>

        init(
            _ words: String, _ loads: [(Double, Int64)], late: Set<Int> = [], yielding: Set<Int> = []
        ) {
            (testDescription, self.late, self.yielding) = (words, late, yielding)
            self.loads = loads.map { (seconds: $0.0, bytes: $0.1) }
        }
    }

    /// The rate is 100 bytes per second.
    @Test(arguments: [
        Row("nothing is late", []),
        Row("to the second", [(10, 1_000)]),
        Row("a byte too much", [(10, 1_001)], late: [0]),
        Row("what is late harms none that has time", [(10, 1_001), (30, 1_000)], late: [0]),
        Row("nor one that has just enough", [(10, 2_000), (30, 1_000)], late: [0]),
        Row("but one that has less", [(10, 2_001), (30, 1_000)], late: [0], yielding: [0]),
        Row("behind others it harms only those behind it", [(5, 500), (10, 2_000), (30, 500)], late: [1]),
        Row("and these", [(5, 500), (10, 2_000), (24, 500)], late: [1], yielding: [1]),
        Row("of two that share too little the longer is late", [(12, 1_200), (13, 600)], late: [0], yielding: [0]),
        Row("of equals the later", [(10, 1_000), (15, 1_000)], late: [1]),
        Row(
            "one long one rather than many short ones", [(10, 300), (11, 900), (12, 300), (13, 300), (14, 300)],
            late: [1], yielding: [1]),
        Row("what has no known size takes no time", [(10, 1_000), (10, 0)]),
        Row("what is past is late", [(-1, 0), (0, 1), (1, 100)], late: [0, 1], yielding: [1]),
        Row("all of them", [(1, 1_000), (2, 1_000), (3, 1_000)], late: [0, 1, 2]),
    ])
    func whatComesTooLate(_ row: Row) {
        let forecast = RescueForecast(
            row.loads.map { .init(deadline: Self.now + $0.seconds, bytes: $0.bytes) }, rate: 100, at: Self.now)
        #expect(forecast.late == row.late)
        #expect(forecast.yielding == row.yielding)
    }

    /// No other choice gives up fewer files: each of 200 sets is tried with every subset.
    @Test func noChoiceGivesUpFewer() {
        var state: UInt64 = 7
        func next(_ limit: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % limit
        }
        for _ in 0..<200 {
            let loads = (0..<7).map { _ in
                RescueForecast.Load(deadline: Self.now + Double(next(40)), bytes: Int64(next(12) + 1) * 100)
            }.sorted { $0.deadline < $1.deadline }
            let least = (0..<128).filter { subset in
                var bytes = 0.0
                return loads.enumerated().allSatisfy { place, load in
                    guard subset >> place & 1 == 0 else { return true }
                    bytes += Double(load.bytes)
                    return Self.now + bytes / 100 <= load.deadline
                }
            }.map(\.nonzeroBitCount).min()
            #expect(RescueForecast(loads, rate: 100, at: Self.now).late.count == least)
        }
    }
}
