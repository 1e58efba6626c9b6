import Fixtures
import Glibc
import Platform
import Queue
import Records
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Catalog
@testable import Restoring

@Suite struct RestoreVerdictTests {
    /// A verdict as one word, for tables.
    enum Word: String {
        case retry, fails, refused, stops
    }

    static func word(_ verdict: RestoreVerdict) -> Word {
        switch verdict {
        case .retry: .retry
        case .fails: .fails
        case .refused: .refused
        case .stops: .stops
        }
    }

    @Test(
        arguments: [
            ("the disk is full", ENOSPC, .stops), ("the quota is used up", EDQUOT, .stops),
            ("the disk is broken", EIO, .stops), ("the disk is read-only", EROFS, .stops),
            ("the file is too large for the file system", EFBIG, .fails), ("not permitted", EACCES, .fails),
            ("a name too long", ENAMETOOLONG, .fails), ("a name the file system cannot have", EILSEQ, .fails),
            ("a symlink", ELOOP, .refused), ("a file where a directory should be", ENOTDIR, .refused),
            ("something in the way", EEXIST, .refused), ("too many open files", EMFILE, .retry),
        ] as [(String, Int32, Word)])
    func aFailedCall(_ row: (why: String, code: Int32, word: Word)) {
        let error = SystemError(call: "write", code: row.code, path: "a")
        #expect(Self.word(RestoreVerdict(error)) == row.word, "\(row.why)")
        let lost = TransferError(.local(error), "…", mayHaveArrived: true)
        #expect(Self.word(RestoreVerdict(StorageError.noAnswer(lost))) == row.word, "\(row.why), while downloading")
    }

    /// VFAT and others refuse a colon or a question mark only when the file gets its name.
    @Test(arguments: [
        ("renameat2", "The file system that it is to lie on takes no such name"),
        ("linkat", "The file system that it is to lie on takes no such name"),
        ("mkdirat", "The file system that it is to lie on takes no such name"), ("fsync", "Invalid argument"),
    ])
    func whatAnInvalidArgumentMeans(_ call: String, _ message: String) {
        let verdict = RestoreVerdict(SystemError(call: call, code: EINVAL, path: "a:b"))
        guard case .fails(let failure) = verdict else { return #expect(Bool(false), "\(verdict)") }
        #expect(failure.message.hasSuffix(message) && !failure.retryable)
    }

    @Test(
        arguments: [
            ("the host is down", .unreachable, .retry), ("the connection broke", .lost, .retry),
            ("too slow", .timedOut, .retry), ("cancelled", .cancelled, .stops),
            ("no handshake", .secure, .retry), ("no trust", .untrusted, .stops),
        ] as [(String, TransferError.Kind, Word)])
    func noAnswer(_ row: (why: String, kind: TransferError.Kind, word: Word)) {
        let error = StorageError.noAnswer(TransferError(row.kind, "…", mayHaveArrived: false))
        #expect(Self.word(RestoreVerdict(error)) == row.word, "\(row.why)")
    }

    static func refusal(_ status: Int, _ code: String, inBody: Int) -> StorageError {
        let body = #"{"statusCode":"\#(inBody)","error":"x","message":"in words","code":"\#(code)"}"#
        return .refused(StorageRefusal(HTTPResponse(status: status, body: Array(body.utf8))))
    }

    @Test(
        arguments: [
            ("busy", 503, "SlowDown", 503, .retry), ("a broken server", 500, "InternalError", 500, .retry),
            ("bytes are lost", 500, "ObjectDamaged", 500, .fails),
            ("gone", 400, "NoSuchKey", 404, .fails), ("no bucket", 400, "NoSuchBucket", 404, .stops),
            ("no token", 401, "AccessDenied", 401, .stops),
            ("not permitted", 403, "AccessDenied", 403, .fails),
        ] as [(String, Int, String, Int, Word)])
    func anAnswer(_ row: (why: String, status: Int, code: String, inBody: Int, word: Word)) {
        let error = Self.refusal(row.status, row.code, inBody: row.inBody)
        #expect(Self.word(RestoreVerdict(error)) == row.word, "\(row.why)")
    }

    @Test func aServersOwnWordOnWhenIsKept() {
        let response = HTTPResponse(status: 503, headers: ["retry-after": "7"])
        guard case .retry(_, let asked) = RestoreVerdict(StorageError.refused(StorageRefusal(response))) else {
            return #expect(Bool(false), "not to be tried again")
        }
        #expect(asked == .seconds(7))
    }

    @Test func whatIsDamagedIsNotTriedForEver() {
        #expect(Self.word(RestoreVerdict(RestoreSetback("size", "…"))) == .retry)
        #expect(Self.word(RestoreVerdict(RestoreSetback("damaged", "…", retryable: false))) == .fails)
        #expect(Self.word(RestoreVerdict(RestoreRefusal("…"))) == .refused)
        #expect(Self.word(RestoreVerdict(CancellationError())) == .stops)
    }
}

@Suite struct RestoreResultTests {
    static func failed(_ isTemporary: Bool) -> RestoredFile {
        RestoredFile(key: "k", outcome: .failed(isTemporary ? Items.busy : Items.tooLarge))
    }

    static let refused = RestoredFile(key: "k", outcome: .refused("a different file is there"))

    @Test(
        arguments: [
            ("nothing to do", [], [], nil, .done), ("a refusal", [refused], [], nil, .someFailed(1)),
            ("a failure that lasts", [failed(false)], [], nil, .someFailed(1)),
            ("failures that pass", [failed(true), failed(true)], [], nil, .temporary("2 files did not come: busy")),
            ("a failure that passes", [failed(true)], [], nil, .temporary("1 file did not come: busy")),
            ("one of each", [failed(true), refused], [], nil, .someFailed(2)),
            ("a path that names nothing", [], ["2062"], nil, .someFailed(1)),
            ("stopped", [refused], [], .notPermitted("signed out"), .notPermitted("signed out")),
        ] as [(String, [RestoredFile], [FilePath], Ending?, Ending)])
    func endings(_ row: (why: String, files: [RestoredFile], unmatched: [FilePath], stopped: Ending?, ending: Ending)) {
        var result = RestoreResult()
        for file in row.files { result.add(file) }
        result.unmatched = row.unmatched
        result.stopped = row.stopped
        #expect(result.ending == row.ending, "\(row.why)")
    }

    struct Counts: Sendable {
        var isDryRun = false
        var restored = 0
        var bytes: Int64 = 0
        var alreadyThere = 0
        var unproven = 0
        var untimed = 0
        var refused = 0
        var failed = 0
    }

    /// What is told at the end, with each number in the singular and in the plural.
    @Test(arguments: [
        Fact("nothing", Counts(), "Restored 0 files, 0 B."),
        Fact("one", Counts(restored: 1, bytes: 1), "Restored 1 file, 1 B."),
        Fact("many", Counts(restored: 1_234, bytes: 1_500), "Restored 1,234 files, 1.5 kB."),
        Fact("only looked for", Counts(isDryRun: true, restored: 2, bytes: 9), "Would restore 2 files, 9 B."),
        Fact("one was there", Counts(alreadyThere: 1), "Restored 0 files, 0 B; 1 was there already."),
        Fact("some were there", Counts(alreadyThere: 1_000), "Restored 0 files, 0 B; 1,000 were there already."),
        Fact(
            "one without proof", Counts(restored: 1, bytes: 2, unproven: 1),
            "Restored 1 file, 2 B; 1 carries no SHA-256 of ours."),
        Fact(
            "many without proof", Counts(restored: 2_000, bytes: 2, unproven: 2_000),
            "Restored 2,000 files, 2 B; 2,000 carry no SHA-256 of ours."),
        Fact(
            "one with a strange time", Counts(restored: 1, bytes: 2, untimed: 1),
            "Restored 1 file, 2 B; the time of 1 file is not between 1677 and 2262 and could not be kept."),
        Fact(
            "trouble of both kinds", Counts(refused: 1, failed: 1), "Restored 0 files, 0 B; 2 not written."),
        Fact(
            "all of it", Counts(restored: 1, bytes: 1, alreadyThere: 1, unproven: 1, refused: 1),
            "Restored 1 file, 1 B; 1 was there already; 1 carries no SHA-256 of ours; 1 not written."),
    ])
    func theSentenceNamesWhatThereIs(_ row: Fact<Counts, String>) {
        var result = RestoreResult()
        (result.isDryRun, result.restored, result.restoredBytes) =
            (row.input.isDryRun, row.input.restored, row.input.bytes)
        (result.alreadyThere, result.unproven, result.untimed) =
            (row.input.alreadyThere, row.input.unproven, row.input.untimed)
        result.refused = Array(repeating: Self.refused, count: row.input.refused)
        result.failed = Array(repeating: Self.failed(true), count: row.input.failed)
        #expect(result.sentence == row.output)
    }

    @Test func filesAreCountedByWhatBecameOfThem() {
        var result = RestoreResult()
        result.add(RestoredFile(key: "b", size: 5, outcome: .planned))
        result.add(RestoredFile(key: "a", size: 7, isProven: false, outcome: .planned))
        result.add(RestoredFile(key: "c", size: 9, outcome: .alreadyThere))
        #expect(result.restored == 2)
        #expect(result.restoredBytes == 12)
        #expect(result.unproven == 1)
        #expect(result.alreadyThere == 1)
        #expect(result.sorted.planned.map(\.key) == ["a", "b"])
        for time in [.latest, .earliest, FileTime(nanoseconds: .max - 1), FileTime(nanoseconds: .min + 1)] {
            result.add(RestoredFile(key: "d", modifiedAt: time, outcome: .restored))
        }
        #expect(result.untimed == 2)
    }
}
