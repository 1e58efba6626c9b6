import Supabase
import Testing
import Transfer

@Suite struct StorageRefusalTests {
    @Test func theFourKeysAreRead() {
        let body = #"{"code":"NoSuchKey","message":"Object not found","statusCode":"404","error":"not_found"}"#
        let refusal = StorageRefusal(HTTPResponse(status: 400, headers: ["Retry-After": "3"], body: Array(body.utf8)))
        #expect(refusal.httpStatus == 400)
        #expect(refusal.statusCode == 404)
        #expect(refusal.code == .noSuchKey)
        #expect(refusal.label == "not_found")
        #expect(refusal.message == "Object not found")
        #expect(refusal.retryAfter == .seconds(3))
        #expect(refusal.body == body)
        #expect("\(refusal)" == "Object not found (NoSuchKey)")
    }

    @Test(arguments: [
        (502, "<html>Bad gateway</html>", "HTTP 502"), (500, "", "HTTP 500"),
        (413, "Maximum size exceeded\n", "Maximum size exceeded"),
        (500, #"{"error":"only this"}"#, "only this"), (500, #"{"broken"#, "HTTP 500"), (400, "\n\n  \n", "  "),
    ])
    func thereIsAlwaysSomethingToSay(status: Int, body: String, message: String) {
        #expect(StorageRefusal(HTTPResponse(status: status, body: Array(body.utf8))).message == message)
    }

    @Test func ofAPageOnlyTheBeginningIsKept() {
        let page = "<html>" + String(repeating: "é", count: 5000)
        #expect(StorageRefusal(HTTPResponse(status: 500, body: Array(page.utf8))).body.count == 2000)
    }

    @Test func bytesThatAreNotTextAreSurvived() {
        let refusal = StorageRefusal(HTTPResponse(status: 500, body: [0xFF, 0xFE, 0]))
        #expect(refusal.isRetryable)
        #expect(refusal.code == nil)
    }
}

/// Every error that a real service was seen to give.
@Suite struct RecordedRefusalTests {
    @Test(arguments: Reference.distinct { $0.answer.status >= 400 })
    func isReadInFull(_ recorded: Reference.Case) throws {
        let refusal = StorageRefusal(recorded.answer)
        let text = String(decoding: recorded.answer.body, as: UTF8.self)
        #expect(refusal.httpStatus == recorded.answer.status)
        guard text.hasPrefix("{") else {
            #expect(refusal.code == nil && refusal.statusCode == recorded.answer.status)
            return
        }
        #expect(text.contains(#""code":"\#(refusal.code?.rawValue ?? "")""#) == (refusal.code != nil))
        #expect(text.contains(#""code""#) == (refusal.code != nil))
        #expect(
            text.contains(#""statusCode":"\#(refusal.statusCode)""#)
                || text.contains(#""statusCode":\#(refusal.statusCode)"#))
        #expect(!refusal.message.isEmpty && !refusal.label.isEmpty)
    }
}
