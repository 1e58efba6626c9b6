import Fixtures
import Foundation
import Records
import Supabase
import Testing

@testable import Queue
@testable import Uploading

@Suite struct SizeLimitsTests {
    static let now = Items.now

    private static func learned(
        _ refusals: (Int64, SizeLimits.Way, AnswerClass.Speaker)..., at date: Date = now
    ) -> SizeLimits {
        refusals.reduce(into: SizeLimits()) { $0.learn($1.0, $1.1, by: $1.2, at: date) }
    }

    typealias Refusal = (Int64, SizeLimits.Way, AnswerClass.Speaker)

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let refusals: [Refusal]
        let size: Int64
        let usual: SizeLimits.Way
        /// `nil` where it is too large for any way.
        let way: SizeLimits.Way?

        init(
            _ description: String, _ refusals: [Refusal], _ size: Int64, _ usual: SizeLimits.Way, _ way: SizeLimits.Way?
        ) {
            testDescription = "\(description): \(size) bytes, usually \(usual)"
            (self.refusals, self.size, self.usual, self.way) = (refusals, size, usual, way)
        }
    }

    private static let three: [Refusal] = [(60, .pieces, .storage), (50, .pieces, .proxy), (55, .pieces, .storage)]
    private static let both: [Refusal] = [(20, .whole, .storage), (50, .pieces, .storage)]
    private static let pieces: [Refusal] = [(5, .pieces, .proxy)]
    private static let whole: [Refusal] = [(20, .whole, .proxy)]
    private static let crossed: [Refusal] = [(60, .whole, .storage), (50, .pieces, .storage)]

    @Test(arguments: [
        Row("no limit", [], .max, .whole, .whole), Row("no limit", [], .max, .pieces, .pieces),
        Row("the smallest of three", three, 49, .pieces, .pieces),
        Row("the smallest of three", three, 50, .pieces, nil),
        Row("the smallest of three", three, 5_000, .pieces, nil),
        Row("one for each way", both, 19, .whole, .whole), Row("one for each way", both, 20, .whole, .pieces),
        Row("one for each way", both, 49, .whole, .pieces), Row("one for each way", both, 50, .whole, nil),
        Row("one for each way", both, 49, .pieces, .pieces), Row("one for each way", both, 50, .pieces, nil),
        Row("for pieces only", pieces, 6, .whole, .whole), Row("for pieces only", pieces, 4, .pieces, .pieces),
        Row("for pieces only", pieces, 5, .pieces, nil),
        Row("for one request only", whole, 19, .whole, .whole), Row("for one request only", whole, 20, .whole, .pieces),
        Row("for one request only", whole, .max, .pieces, .pieces),
        Row("a smaller one for pieces", crossed, 55, .whole, .whole),
        Row("a smaller one for pieces", crossed, 60, .whole, nil),
    ])
    func aFileIsSentInTheWayThatNoLimitForbids(row: Row) throws {
        let limits = row.refusals.reduce(into: SizeLimits()) { $0.learn($1.0, $1.1, by: $1.2, at: Self.now) }
        switch limits.verdict(row.size, usual: row.usual) {
        case .send(let way): #expect(way == row.way)
        case .tooLarge(let refused):
            #expect(row.way == nil)
            #expect(refused.bytes == row.refusals.filter { $0.1 == .pieces }.map(\.0).min())
        }
    }

    @Test(arguments: [SizeLimits.Way.whole, .pieces])
    func afterADayItIsDoubtful(way: SizeLimits.Way) {
        let limits = Self.learned((50, way, .storage), at: Self.now - 86_400)
        #expect(!limits.isDoubtful(at: Self.now - 1))
        #expect(limits.isDoubtful(at: Self.now))
        #expect(limits.probeAt == (way == .pieces ? Self.now : nil), "what goes in pieces waits for nothing")
        #expect(!SizeLimits().isDoubtful(at: Self.now))
        // One that was learned by a clock that was set back since may be years old.
        #expect(!limits.isDoubtful(at: Self.now - 86_400 - 60))
        #expect(limits.isDoubtful(at: Self.now - 86_400 - 61))
    }

    @Test func whatPassesEndsTheLimitUnlessItIsSmaller() {
        var limits = Self.learned((50, .pieces, .storage), (20, .whole, .storage))
        #expect(limits.passed(49) == false)
        #expect(limits.passed(50) == true)
        #expect(limits.isEmpty)
        #expect(limits.passed(50) == false)
    }

    @Test func theSentenceNamesWhoseLimitItIs() {
        #expect(SizeLimits.failure(by: .storage, from: 52_000_000).message.hasPrefix("storage takes no files of 52 MB"))
        #expect(SizeLimits.failure(by: .proxy).message.hasPrefix("a proxy before the storage"))
    }

    @Test func itSurvivesBeingWrittenDown() throws {
        let limits = Self.learned((50, .pieces, .proxy), (20, .whole, .storage))
        let read = try QueueCoding.decoder.decode(SizeLimits.self, from: QueueCoding.encoder.encode(limits))
        #expect(read == limits)
    }
}
