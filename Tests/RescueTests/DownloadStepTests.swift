import Fixtures
import Foundation
import Platform
import Providers
import Testing
import Transfer

@testable import Queue
@testable import Rescue

/// What answers to downloads mean.
@Suite struct DownloadStepTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let headers: HTTPHeaders
        let bytes: Int64
        let step: DownloadStep
        var file = Self.half

        static let half = Jobs.file(Jobs.link()) {
            $0.stage = .downloading
            $0.received = 10
            $0.total = 30
            $0.validator = "\"a\""
        }.files[0]

        init(
            _ words: String, _ status: Int, _ headers: HTTPHeaders = [:], bytes: Int64 = 0, _ step: DownloadStep,
            _ change: (inout JobFile) -> Void = { _ in }
        ) {
            (testDescription, self.status, self.headers, self.bytes, self.step) = (words, status, headers, bytes, step)
            change(&file)
        }
    }

    static func range(_ text: String, tag: String? = "\"a\"") -> HTTPHeaders {
        var headers: HTTPHeaders = ["Content-Range": "bytes " + text]
        headers["etag"] = tag
        return headers
    }

    static let other = DownloadStep.changed("Other bytes came than were asked for")

    @Test(arguments: [
        Row("some of it", 206, range("10-19/30"), bytes: 10, .advanced(20, total: 30, validator: "\"a\"")),
        Row("the rest", 206, range("10-29/30"), bytes: 20, .complete(30, validator: "\"a\"")),
        Row(
            "an unknown total", 206, range("10-19/*"), bytes: 10, .advanced(20, total: nil, validator: "\"a\""),
            { $0.total = nil }),
        Row(
            "less than asked for of such a file", 206, range("10-18/*"), bytes: 9,
            .complete(19, validator: "\"a\""), { $0.total = nil }),
        Row(
            "a weak tag proves nothing", 206, range("10-19/30", tag: "W/\"a\""), bytes: 10,
            .advanced(20, total: 30, validator: nil)),
        Row("bytes from elsewhere", 206, range("0-9/30"), bytes: 10, other),
        Row("bytes from an unknown place", 206, [:], bytes: 10, other),
        Row(
            "another size", 206, range("10-19/40"), bytes: 10,
            .changed("The file's size changed from 30 to 40 bytes while it was fetched")),
        Row(
            "another tag", 206, range("10-19/30", tag: "\"b\""), bytes: 10,
            .changed("The file changed while it was fetched")),
        Row(
            "no bytes at all", 206, range("10-9/30"), bytes: 0,
            .retry(DownloadStep.failure("rescue.empty", "An answer came without bytes", isRetryable: true))),
        Row("all of it instead", 200, ["ETag": "\"b\""], bytes: 25, .complete(25, validator: "\"b\"")),
        Row("nothing beyond the end", 416, range("*/10", tag: nil), .complete(10, validator: "\"a\"")),
        Row(
            "shorter than before", 416, range("*/9", tag: nil), .changed("The file is shorter than it was said to be")),
        Row("an empty file", 416, range("*/0", tag: nil), .complete(0, validator: nil), { $0.received = 0 }),
    ])
    func answersWithBytes(_ row: Row) {
        let response = HTTPResponse(status: row.status, headers: row.headers, received: row.bytes)
        #expect(DownloadStep(response, for: row.file, chunk: 10) == row.step)
    }

    @Test(
        arguments: [(401, "dead"), (403, "dead"), (404, "dead"), (410, "dead"), (400, "refused"), (451, "refused")]
            + [408, 425, 429, 500, 502, 503, 504, 599].map { ($0, "retry") } + [(204, "refused"), (304, "refused")])
    func answersWithout(_ row: (status: Int, meaning: String)) {
        let step = DownloadStep(
            HTTPResponse(status: row.status, headers: ["retry-after": "7"]), for: Jobs.link().files[0],
            chunk: 10)
        switch step {
        case .dead(let failure): #expect(row.meaning == "dead" && failure.code == .http(row.status))
        case .refused(let failure): #expect(row.meaning == "refused" && !failure.retryable)
        case .retry(let failure, let asked):
            #expect(row.meaning == "retry" && failure.retryable && asked == .seconds(7))
        default: Issue.record("\(step)")
        }
    }

    @Test(arguments: [
        (TransferError.Kind.unreachable, "missed", FailureCode.rescue(.unreachable)), (.lost, "retry", "rescue.lost"),
        (.timedOut, "retry", "rescue.lost"), (.secure, "retry", "rescue.lost"),
        (.untrusted, "retry", "rescue.lost"),
        (.tooLarge, "refused", "rescue.tooLarge"), (.forbiddenPeer("10.0.0.1"), "retry", "rescue.refused"),
        (.unsendable, "refused", "rescue.refused"),
        (.local(SystemError(call: "write", code: 28)), "missed", "file.ENOSPC"),
    ])
    func noAnswers(_ row: (kind: TransferError.Kind, meaning: String, code: FailureCode)) {
        let step = DownloadStep(TransferError(row.kind, "words", mayHaveArrived: false), limit: 10 << 20)
        let (meaning, failure): (String, Item.Failure?) =
            switch step {
            case .missed(let failure): ("missed", failure)
            case .retry(let failure, nil): ("retry", failure)
            case .refused(let failure): ("refused", failure)
            default: ("another", nil)
            }
        #expect(meaning == row.meaning && failure?.code == row.code)
    }
}
