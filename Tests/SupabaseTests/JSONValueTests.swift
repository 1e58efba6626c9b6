import Foundation
import Supabase
import Testing

@Suite struct JSONValueTests {
    @Test(
        arguments: [
            ("null", nil), ("true", true), ("0", 0), ("-9007199254740993", -9_007_199_254_740_993), ("1.5", 1.5),
            (#""ü\n""#, "ü\n"), ("[]", []), ("{}", [:]), (#"{"a":[1,"2",{"b":null}]}"#, ["a": [1, "2", ["b": nil]]]),
        ] as [(String, JSONValue)])
    func anyJSONIsReadAndWritten(text: String, value: JSONValue) throws {
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == value)
        let written = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        #expect(written == text)
    }

    @Test func onlyTextIsText() {
        #expect(JSONValue.string("a").string == "a")
        #expect(JSONValue.integer(1).string == nil)
    }
}
