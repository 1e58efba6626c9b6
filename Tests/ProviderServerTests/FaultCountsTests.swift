import Testing

@testable import ProviderServer

@Suite struct FaultCountsTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let troubles: [Trouble]
        let effects: [Trouble.Effect?]
    }

    @Test(arguments: [
        Row(testDescription: "none", troubles: [], effects: [nil, nil]),
        Row(
            testDescription: "the first two", troubles: [Trouble(.status(503), times: 2)],
            effects: [.status(503), .status(503), nil]),
        Row(
            testDescription: "the second alone", troubles: [Trouble(.dropped, sparing: 1, times: 1)],
            effects: [nil, .dropped, nil]),
        Row(
            testDescription: "the next takes over",
            troubles: [Trouble(.dropped, times: 1), Trouble(.lostAnswer, times: 1)],
            effects: [.dropped, .lostAnswer, nil]),
        Row(testDescription: "another method", troubles: [Trouble(.dropped, method: "POST")], effects: [nil]),
        Row(
            testDescription: "its path", troubles: [Trouble(.endless, path: "/files/*")], effects: [.endless, .endless]),
        Row(testDescription: "another path", troubles: [Trouble(.endless, path: "/fal/*")], effects: [nil]),
    ])
    func aTroubleHitsItsSpan(row: Row) {
        var counts = FaultCounts(row.troubles)
        for effect in row.effects { #expect(counts.next("GET", "/files/v.mp4").effect == effect) }
    }

    @Test func whatSlowsDownGoesWithTheRest() {
        var counts = FaultCounts([Trouble(.slow(bytesPerSecond: 5)), Trouble(.cut(after: 3))])
        let hit = counts.next("GET", "/")
        #expect(hit.paces.count == 1)
        #expect(hit.effect == .cut(after: 3))
    }
}
