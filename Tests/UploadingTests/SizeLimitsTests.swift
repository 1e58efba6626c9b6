import Fixtures
import Foundation
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

    private static func isTooLarge(_ verdict: SizeLimits.Verdict) -> Bool {
        if case .tooLarge = verdict { true } else { false }
    }

    @Test func theSmallestRefusalCounts() {
        let limits = Self.learned((60, .pieces, .storage), (50, .pieces, .storage), (55, .pieces, .storage))
        #expect(limits.verdict(49, usual: .pieces) == .send(.pieces))
        #expect(Self.isTooLarge(limits.verdict(50, usual: .pieces)))
        #expect(Self.isTooLarge(limits.verdict(5_000, usual: .pieces)))
    }

    @Test func whatIsTooLargeForOneRequestGoesInPieces() {
        let limits = Self.learned((20, .whole, .storage), (50, .pieces, .storage))
        #expect(limits.verdict(19, usual: .whole) == .send(.whole))
        #expect(limits.verdict(20, usual: .whole) == .send(.pieces))
        #expect(Self.isTooLarge(limits.verdict(50, usual: .whole)))
    }

    @Test func aLimitOfPiecesSaysNothingOfOneRequest() {
        #expect(Self.learned((5, .pieces, .proxy)).verdict(6, usual: .whole) == .send(.whole))
    }

    @Test(arguments: [SizeLimits.Way.whole, .pieces])
    func afterADayItIsDoubtful(way: SizeLimits.Way) {
        let limits = Self.learned((50, way, .storage), at: Self.now - 86_400)
        #expect(!limits.isDoubtful(at: Self.now - 1))
        #expect(limits.isDoubtful(at: Self.now))
        #expect(limits.probeAt == (way == .pieces ? Self.now : nil), "what goes in pieces waits for nothing")
        #expect(!SizeLimits().isDoubtful(at: Self.now))
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
