import Formats
import Foundation
import Testing

@Suite struct DecodingClauseTests {
    private struct Document: Decodable {
        struct Part: Decodable { let size: Int }
        let name: String
        let parts: [Part]
    }

    @Test(
        "what is wrong with a document is said by its place, without values",
        arguments: [
            (#"{"parts":[]}"#, #""name" is missing"#), (#"{"name":null,"parts":[]}"#, #""name" has no value"#),
            (#"{"name":7,"parts":[]}"#, #""name" is not a text"#),
            (#"{"name":"a","parts":7}"#, #""parts" is not a list"#),
            (#"{"name":"a","parts":[{"size":1},{"size":"secret"}]}"#, #""parts[1].size" is not a whole number"#),
            (#"{"name":"a","parts":[{}]}"#, #""parts[0].size" is missing"#), ("<html>", "it is not JSON"),
            ("[]", "it is not an object"),
        ])
    func clauses(text: String, clause: String) {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Document.self, from: Data(text.utf8))
        }
        #expect(error?.clause == clause)
    }

    @Test func otherErrorsSpeakForThemselves() {
        #expect(DecodingError.clause(CancellationError()) == "\(CancellationError())")
    }
}
