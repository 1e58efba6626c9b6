import Fixtures
import Queue
import Supabase
import TestSupport
import Testing

@testable import Uploading

/// What adapts to the line and to the server stays within its bounds, whatever comes.
@Suite struct SendingBoundsTests {
    private static func failure(_ code: FailureCode) -> Item.Failure {
        Item.Failure(code: code, message: "", retryable: true)
    }

    private static let outcomes: [UploadOutcome] = [
        .retry(failure(.http(503)), after: nil), .retry(failure(.http(429)), after: nil),
        .retry(failure(.network(.lost)), after: nil), .refused(failure(.http(400))), .interrupted, .withdrawn,
        .unreachable(failure(.network(.unreachable))), .blocked(.budget, failure(.http(402))),
    ]

    /// Bounds may be set in any way: none is below one, and a maximum below the minimum is the minimum.
    @Test(
        arguments: [
            Fact("as they are", (4, 2, 8), 2...8), Fact("a start below", (1, 2, 8), 2...8),
            Fact("above", (9, 2, 8), 2...8),
            Fact("no minimum", (4, 0, 8), 1...8), Fact("a negative one", (-4, -2, -1), 1...1),
            Fact("turned round", (4, 8, 2), 8...8), Fact("the greatest", (Int.max, 1, Int.max), 1...Int.max),
        ] as [Fact<(start: Int, minimum: Int, maximum: Int), ClosedRange<Int>>])
    func requestsAtOnceStayWithinTheirBounds(
        _ fact: Fact<(start: Int, minimum: Int, maximum: Int), ClosedRange<Int>>
    ) {
        let (start, minimum, maximum) = fact.input
        for seed: UInt64 in 1...5 {
            var random = SeededGenerator(seed: seed)
            var limit = SendingLimit(start: start, minimum: minimum, maximum: maximum)
            #expect(fact.output.contains(limit.current))
            for _ in 0..<800 {
                let before = limit.current
                guard let outcome = Self.outcomes.randomElement(using: &random) else { return }
                limit.note(outcome)
                #expect(fact.output.contains(limit.current))
                #expect(limit.current <= before, "no failure raises it")
            }
            #expect(limit.current == fact.output.lowerBound, "load enough has come")
        }
    }

    /// Always a multiple of the piece that every store takes, and never more than what was not refused.
    @Test(arguments: UInt64(1)...8)
    func aPieceIsAMultipleOfTheSmallest(seed: UInt64) {
        var (random, size, most) = (SeededGenerator(seed: seed), ChunkSize(), ChunkSize.largest)
        for step in 0..<200 {
            let before = size.bytes
            if Int.random(in: 0..<20, using: &random) == 0 {
                let couldShrink = size.refused()
                #expect(couldShrink == (before > ResumableUpload.chunkSize), "\(step)")
                if couldShrink { most = ResumableUpload.chunkSize }
            } else {
                let seconds = Double.random(in: 0...10, using: &random)
                size.took(.seconds(seconds))
                if seconds < 2 { #expect(size.bytes == min(most, before * 2), "\(step)") }
                if seconds > 8 { #expect(size.bytes == max(ResumableUpload.chunkSize, before / 2), "\(step)") }
            }
            #expect(size.bytes % ResumableUpload.chunkSize == 0 && size.bytes >= ResumableUpload.chunkSize)
            #expect(size.bytes <= most, "\(step): what was refused is not tried again")
        }
    }
}
