import Fixtures
import Foundation
import Testing

@testable import Rescue

/// The download rate, during downloads and after a pause.
@Suite struct DownloadRateTests {
    static let now = Jobs.now
    static let places = [JobPlace(Jobs.link("a").id, 0), JobPlace(Jobs.link("b").id, 0)]

    static func line(_ body: (inout DownloadRate) -> Void) -> Double? {
        var line = DownloadRate()
        body(&line)
        return line.rate
    }

    enum Event: Sendable {
        case begin(Int, TimeInterval)
        case hear(Int64, of: Int, TimeInterval)
        case end(Int)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let events: [Event]
        let rate: Double?

        init(_ fact: String, _ events: [Event], _ rate: Double?) {
            (testDescription, self.events, self.rate) = (fact, events, rate)
        }
    }

    @Test(arguments: [
        Row("before anything was heard there is none", [.begin(0, 0)], nil),
        Row("nor where nothing began", [.hear(100, of: 0, 0)], nil),
        Row("nor where nothing happened", [], nil),
        Row(
            "what several bring is added up",
            [.begin(0, 0), .begin(1, 0), .hear(300, of: 0, 1), .hear(200, of: 1, 2), .hear(500, of: 0, 2)], 350),
        Row(
            "what is told twice counts once, and less than before not at all",
            [.begin(0, 0), .hear(300, of: 0, 1), .hear(300, of: 0, 1), .hear(100, of: 0, 1)], 300),
        Row(
            "while one is under way the rate goes on",
            [.begin(0, 0), .hear(100, of: 0, 1), .begin(1, 9), .hear(100, of: 1, 10)], 20),
        Row(
            "also where the first ends while the second is under way",
            [.begin(0, 0), .begin(1, 0), .hear(100, of: 0, 1), .end(0), .hear(100, of: 1, 10)], 20),
        Row("what ended without having begun changes nothing", [.begin(0, 0), .end(1), .hear(100, of: 0, 1)], 100),
    ])
    func theRateIsThatOfAllUnderWay(_ row: Row) {
        let rate = Self.line { line in
            for event in row.events {
                switch event {
                case .begin(let place, let second): line.begin(Self.places[place], at: Self.now + second)
                case .hear(let bytes, let place, let second):
                    line.hear(bytes, of: Self.places[place], at: Self.now + second)
                case .end(let place): line.end(Self.places[place])
                }
            }
        }
        #expect(rate == row.rate)
    }

    @Test(arguments: [(1.9, 400.0 / 2.9), (2.1, 400.0)])
    func aRestIsNotSlowness(_ row: (seconds: Double, rate: Double)) {
        let rate = Self.line { line in
            line.begin(Self.places[0], at: Self.now - 1)
            line.hear(0, of: Self.places[0], at: Self.now - 1)
            line.hear(1, of: Self.places[0], at: Self.now - 1)
            line.end(Self.places[0])
            line.begin(Self.places[0], at: Self.now - 1 + row.seconds)
            line.hear(400, of: Self.places[0], at: Self.now + row.seconds)
        }
        #expect(rate.map { abs($0 - row.rate) < 1 } == true, "\(rate ?? 0)")
    }
}
