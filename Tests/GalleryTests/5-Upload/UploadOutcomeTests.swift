import Diagnosis
import Fixtures
import Platform
import Records
import Supabase
import Testing
import Transfer

@testable import Catalog
@testable import Gallery
@testable import Queue
@testable import Sync
@testable import Uploading

/// What a request without an answer means for its item, and for the destination.
@Suite struct UploadOutcomeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let kind: TransferError.Kind
        let code: FailureCode?
        let counts: Bool
        let sign: Circuit.Sign

        init(_ what: String, _ kind: TransferError.Kind, _ code: FailureCode?, counts: Bool, _ sign: Circuit.Sign) {
            testDescription = what
            self.kind = kind
            self.code = code
            self.counts = counts
            self.sign = sign
        }
    }

    @Test(arguments: [
        Row("the host is down", .unreachable, "network.unreachable", counts: false, .silent),
        Row("TLS breaks before the host is known", .secure, "network.secure", counts: false, .silent),
        Row(
            "who answers is a stranger", .untrusted, "network.untrusted", counts: false, .closed(.untrusted)),
        Row("the connection breaks", .lost, "network.lost", counts: true, .busy(after: nil)),
        Row("no answer in time", .timedOut, "network.timedOut", counts: true, .busy(after: nil)),
        Row("too much of an answer", .tooLarge, "network.tooLarge", counts: true, .fine),
        Row("nothing that can be sent", .unsendable, "network.unsendable", counts: true, .fine),
        Row("the agent stops", .cancelled, nil, counts: false, .none),
        Row("the file shrank", .sourceShrank, nil, counts: false, .none),
    ])
    func withoutAnAnswer(_ row: Row) throws {
        let outcome = UploadOutcome(.noAnswer(TransferError(row.kind, "why", mayHaveArrived: false)))
        #expect(outcome.failure?.code == row.code)
        #expect(Circuit.Sign(outcome) == row.sign)
        let item = try #require(Items.pending().claimed(at: Items.now))
        let next = item.after(outcome, at: Items.now, ladder: RetryLadder(), random: 0)
        #expect((next.map { $0.retryCount > 0 || $0.status == .failed } ?? false) == row.counts)
    }

    @Test(arguments: [
        (
            StorageError.noAnswer(TransferError(.tooLarge, "why", mayHaveArrived: true)),
            Ending.temporary("The server's answer makes no sense: the bucket's listing is too long for one page")
        ),
        (.noAnswer(TransferError(.lost, "why", mayHaveArrived: true)), .temporary("why")),
        (.unreadable(status: 200, "why"), .temporary("The server's answer makes no sense (HTTP 200): why")),
    ])
    func whatCannotBeLookedAtIsNoMatterOfPermission(_ row: (error: StorageError, ending: Ending)) {
        #expect(Ending(looking: row.error, at: Items.now) == row.ending)
    }

    @Test func aStrangersCertificateSaysWhatWhereAndWhatNext() {
        let message = "The certificate of https://h is not trusted: it is old (curl 60)"
        let error = StorageError.noAnswer(TransferError(.untrusted, message, mayHaveArrived: false))
        let sentence =
            message
            + ". Nothing was sent there. Check this computer's clock, destination.url and the server's certificate."
        #expect(UploadOutcome(error).failure?.message == sentence)
        #expect(Ending(closedBy: error, at: Items.now) == .needsHuman(sentence))
        #expect(Ending(looking: error, at: Items.now) == .needsHuman(sentence))
        #expect(Ending(error) == .needsHuman(sentence))
        #expect(Finding.wrong("TLS", error).sentence == sentence)
    }
}
