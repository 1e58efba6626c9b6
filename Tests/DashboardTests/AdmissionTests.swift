import Serving
import Testing

@testable import Dashboard

@Suite struct AdmissionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var method = "GET"
        var headers: [(String, String)]
        let status: Int?

        init(_ fact: String, _ headers: [(String, String)], method: String = "GET", status: Int? = nil) {
            testDescription = fact
            (self.method, self.headers, self.status) = (method, headers, status)
        }
    }

    static let ours = [("host", "localhost:4000")]
    static let own = ours + [("origin", "http://localhost:4000")]

    /// What a browser sends for a link on another page of this computer.
    static func visit(to place: String) -> [(String, String)] {
        [("sec-fetch-site", "same-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", place)]
    }

    @Test(arguments: [
        Row("our own page asks", [("host", "127.0.0.1:4000")]),
        Row("localhost is ours, too", [("host", "localhost:4000"), ("sec-fetch-site", "same-origin")]),
        Row("a foreign name that resolves to loopback", [("host", "evil.example:4000")], status: 403),
        Row("another port's name", [("host", "127.0.0.1:4001")], status: 403),
        Row("no name", [("accept", "*/*")], status: 403),
        Row("a script of another site", ours + [("origin", "http://evil.example")], status: 403),
        Row("another server of this computer", ours + [("origin", "http://localhost:1")], status: 403),
        Row("an image in another site", ours + [("sec-fetch-site", "cross-site")], status: 403),
        Row("the set-up leads the window here", ours + Self.visit(to: "document")),
        Row("another page shows ours inside", ours + Self.visit(to: "iframe"), status: 403),
        Row("our page changes something", own + [("content-type", "application/json; charset=utf-8")], method: "POST"),
        Row("a form", own + [("content-type", "text/plain")], method: "POST", status: 400),
        Row("a change from nowhere", ours + [("content-type", "application/json")], method: "POST", status: 403),
        Row("an odd verb", own, method: "DELETE", status: 404),
    ])
    func aRequestIsAdmittedByItsHeader(_ row: Row) throws {
        let gate = Gate.opened()
        var headers = Headers()
        for (name, value) in row.headers { headers.append(name, value) }
        headers.append("cookie", try gate.cookie())
        #expect(Admission(Request(method: row.method, target: "/", headers: headers), gate: gate).status == row.status)
    }

    @Test func aBrowserWithoutTheCookieIsRefused() {
        let request = Request(method: "GET", target: "/", headers: ["host": "127.0.0.1:4000"])
        #expect(Admission(request, gate: .opened()).status == 401)
    }
}

extension Admission {
    fileprivate var status: Int? {
        if case .refused(let refusal) = self { refusal.status } else { nil }
    }
}
