import Testing

@testable import Transfer

@Suite struct HTTPHeadersTests {
    @Test func namesCompareWithoutCase() {
        let headers: HTTPHeaders = ["Retry-After": "7", "X-A": "1", "x-a": "2"]
        #expect(headers["RETRY-AFTER"] == "7")
        #expect(headers["x-A"] == "1")
        #expect(headers.values(of: "X-a") == ["1", "2"])
        #expect(headers["retry-afte"] == nil)
        // Only letters are folded: `[` and `{` differ by the same bit.
        #expect((["a[": "1"] as HTTPHeaders)["a{"] == nil)
    }

    @Test func settingReplacesEveryFieldOfTheNameInPlace() {
        var headers: HTTPHeaders = ["a": "1", "b": "2", "A": "3", "c": "4"]
        headers["A"] = "9"
        #expect(headers == ["A": "9", "b": "2", "c": "4"])
        headers["b"] = nil
        headers["d"] = "5"
        headers.append("a", "6")
        #expect(headers == ["A": "9", "c": "4", "d": "5", "a": "6"])
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let block: String
        let fields: HTTPHeaders

        init(_ description: String, _ block: String, _ fields: HTTPHeaders) {
            (testDescription, self.block, self.fields) = (description, block, fields)
        }
    }

    @Test(arguments: [
        Row("the status line is no field", "HTTP/1.1 200 OK\r\nA: 1\r\n\r\n", ["A": "1"]),
        Row("blanks around a value go", "A: \t x y \t\r\n", ["A": "x y"]),
        Row("a value may be empty", "A:\r\n", ["A": ""]),
        Row("a value may hold colons", "A: b:c\r\n", ["A": "b:c"]),
        Row("a line without a colon is left out", "A\r\nB: 1\r\n", ["B": "1"]),
        Row("lone line feeds end lines", "A: 1\nB: 2\n", ["A": "1", "B": "2"]),
        Row("the last status counts", "HTTP/1.1 100 C\r\nA: 1\r\n\r\nHTTP/1.1 200 OK\r\nB: 2\r\n\r\n", ["B": "2"]),
        Row("nothing is nothing", "", [:]),
    ])
    func aBlockIsRead(_ row: Row) {
        #expect(HTTPHeaders(block: Array(row.block.utf8)) == row.fields)
    }

    @Test func bytesThatAreNotUTF8AreKeptReadable() {
        #expect(HTTPHeaders(block: [65, 58, 0xFF, 66])["a"] == "\u{FFFD}B")
    }
}
