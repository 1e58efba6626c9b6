import Foundation
import Queue
import Supabase
import Testing

@Suite struct FailureCodeTests {
    @Test(
        arguments: [
            ("a status", "http.503", .http(503)), ("storage's own", "storage.NoSuchKey", .storage(.noSuchKey)),
            ("storage's, unheard of", "storage.New", .storage(StorageCode(rawValue: "New"))),
            ("no answer", "network.timedOut", .network(.timedOut)), ("a file", "file.EACCES", .file("EACCES")),
            ("a file, by number", "file.99", .file("99")), ("a sign-in", "auth.refused", .auth(.refused)),
            ("a proof", "verify.hash", .verify(.hash)), ("a limit", "limit.proxy", .limit(.proxy)),
            ("another module's", "rescue.gone", .other("rescue.gone")),
            ("a later version's", "verify.moon", .other("verify.moon")),
            ("no status", "http.busy", .other("http.busy")),
            ("a status that would change", "http.0503", .other("http.0503")), ("no stop", "http", .other("http")),
            ("nothing", "", .other("")), ("two stops", "file.a.b", .file("a.b")),
        ] as [(String, String, FailureCode)])
    func eachIsReadAsItIsWritten(_ row: (why: String, text: String, code: FailureCode)) throws {
        #expect(FailureCode(row.text) == row.code && row.code.text == row.text, "\(row.why)")
        let json = try JSONEncoder().encode([row.code])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(row.text)\"]")
        #expect(try JSONDecoder().decode([FailureCode].self, from: json) == [row.code])
    }

    @Test func whatEarlierVersionsKeptIsCleansed() throws {
        let json = Data(#"["storage.No\u001b[31m"]"#.utf8)
        let code = try #require(try JSONDecoder().decode([FailureCode].self, from: json).first)
        #expect(!code.text.contains("\u{1B}"))
    }

    @Test(
        arguments: [
            ("a code that changes what to do", .http(540), "offline/http.540"),
            ("one that does not", .http(503), "offline"),
            ("none", nil, "offline"),
        ] as [(String, FailureCode?, String)])
    func aCauseNamesItsCodeWhereThatMatters(_ row: (why: String, code: FailureCode?, text: String)) {
        #expect(BlockedCause(.offline, code: row.code).text == row.text, "\(row.why)")
    }
}
