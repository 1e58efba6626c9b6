import Testing

@testable import Benchmarks

@Suite struct MeasurementTests {
    private func beside(_ ours: Double, _ theirs: Double, _ goal: Goal) -> Measurement {
        Measurement("it", Figure(ours, .seconds), beside: .find, Figure(theirs, .seconds), goal: goal)
    }

    @Test(
        arguments: [
            (11, 10, Goal.atMost(1.1), Measurement.Verdict.reached),
            (11.1, 10, .atMost(1.1), .missed),
            (15, 10, .atLeast(1.5), .reached),
            (14.9, 10, .atLeast(1.5), .missed),
            // A peer with a time of zero proves nothing.
            (1, 0, .atMost(1.1), .missed),
        ])
    func besideAPeerTheRatioDecides(ours: Double, theirs: Double, goal: Goal, verdict: Measurement.Verdict) {
        #expect(beside(ours, theirs, goal).verdict == verdict)
    }

    /// A peer that opened no file at all is outdone by one file; where neither opened any, nothing was compared.
    @Test(
        arguments: [
            (5, Goal.atLeast(1), Measurement.Verdict.reached), (1, .atLeast(1), .reached),
            (0, .atLeast(1), .unmeasured),
            (0, .atMost(1), .missed),
        ])
    func besideAPeerThatDidNothing(ours: Double, goal: Goal, verdict: Measurement.Verdict) {
        let measurement = Measurement("it", Figure(ours, .files), beside: .find, Figure(0, .files), goal: goal)
        #expect(measurement.verdict == verdict)
        #expect(measurement.ratio == nil)
    }

    @Test func theRatioIsOursByTheirs() {
        #expect(beside(3, 2, .atMost(1)).ratio == 1.5)
        #expect(beside(3, 0, .atMost(1)).ratio == nil)
    }

    @Test(arguments: [(10.0, Measurement.Verdict.reached), (10.01, .missed), (.infinity, .missed), (.nan, .missed)])
    func withoutAPeerTheNumberDecides(seconds: Double, verdict: Measurement.Verdict) {
        let measurement = Measurement("it", Figure(seconds, .seconds), goal: .atMost(10))
        #expect(measurement.verdict == verdict)
        #expect(measurement.ratio == nil)
    }

    @Test func aMissingPeerSaysWhereItComesFrom() {
        let measurement = Measurement(
            "it", Figure(1, .filesPerSecond), beside: .vipsthumbnail, nil, goal: .atLeast(1.5))
        #expect(measurement.verdict == .unmeasured)
        #expect(
            measurement.outcome
                == .alone(
                    ours: Figure(1, .filesPerSecond), missing: "vipsthumbnail not installed: apt install libvips-tools"
                ))
    }

    @Test(
        arguments: [
            ([], BenchmarkExit.success),
            ([Measurement.Outcome.unmeasured("no worker")], .success),
            ([.measured(ours: Figure(1, .seconds), peer: nil, goal: .atMost(2))], .success),
            ([.measured(ours: Figure(3, .seconds), peer: nil, goal: .atMost(2)), .unmeasured("no worker")], .missed),
            ([.failed("ended"), .measured(ours: Figure(3, .seconds), peer: nil, goal: .atMost(2))], .failure),
        ])
    func theWorstVerdictIsTheExitCode(outcomes: [Measurement.Outcome], code: BenchmarkExit) {
        #expect(BenchmarkExit(outcomes.map { Measurement(what: "it", outcome: $0) }) == code)
    }

    @Test(
        arguments: [
            ([], Double.nan), ([3], 3), ([1, 9], 5), ([9, 1, 2], 2), ([4, 1, 100, 2], 3),
        ] as [([Double], Double)])
    func theMedianIsTheMiddle(values: [Double], median: Double) {
        let found = Rounds.median(values)
        #expect(found == median || (found.isNaN && median.isNaN))
    }

    @Test func roundsAreTakenInTurn() async throws {
        var turns = ""
        let times = try await Rounds(count: 3).medians(
            ours: {
                turns += "o"
                return Double(turns.count)
            },
            theirs: {
                turns += "t"
                return Double(turns.count)
            })
        #expect(turns == "ototot")
        #expect(times.ours == 3)
        #expect(times.theirs == 4)
    }

    @Test func withoutAPeerOnlyOursIsTimed() async throws {
        let times = try await Rounds(count: 2).medians(ours: { 2 }, theirs: nil)
        #expect(times.ours == 2)
        #expect(times.theirs == nil)
    }
}
