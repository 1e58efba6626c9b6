import Platform
import TestSupport
import Testing
import Transfer

/// The limit of an answer that is written to a file.
@Suite struct FileLimitTests {
    let client = HTTPClient()

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let wire: String
        var at: Int64 = 0
        let isTaken: Bool
        /// Bytes in the file afterwards; of a refused answer at most as many as allowed.
        var size: Int64 = 0
    }

    static func head(_ status: String, _ fields: String...) -> String {
        "HTTP/1.1 \(status)\r\n" + fields.map { $0 + "\r\n" }.joined() + "Connection: close\r\n\r\n"
    }

    static let ten = "0123456789"

    @Test(arguments: [
        Row(
            testDescription: "as large as allowed", wire: head("200 OK", "Content-Length: 10") + ten, isTaken: true,
            size: 10),
        Row(
            testDescription: "announced as one byte more", wire: head("200 OK", "Content-Length: 11") + ten + "x",
            isTaken: false),
        Row(
            testDescription: "announced as 10 GB", wire: head("200 OK", "Content-Length: 10000000000") + ten,
            isTaken: false),
        Row(testDescription: "as large, unannounced", wire: head("200 OK") + ten, isTaken: true, size: 10),
        Row(testDescription: "larger, unannounced", wire: head("200 OK") + ten + "x", isTaken: false),
        Row(
            testDescription: "the rest of the file", wire: head("206 P", "Content-Length: 6") + "456789", at: 4,
            isTaken: true, size: 10),
        Row(
            testDescription: "more than the rest, announced", wire: head("206 P", "Content-Length: 7") + "456789x",
            at: 4, isTaken: false),
        Row(testDescription: "more than the rest", wire: head("206 P") + "456789x", at: 4, isTaken: false),
        Row(
            testDescription: "all of it instead of the rest", wire: head("200 OK", "Content-Length: 10") + ten, at: 4,
            isTaken: true, size: 10),
        Row(
            testDescription: "a refusal of any length", wire: head("404 N", "Content-Length: 20") + ten + ten,
            isTaken: true),
    ])
    func aFileGrowsToItsLimit(_ row: Row) async throws {
        try await FileTree().withDirectory { folder in
            let file = try OpenFile(creating: folder.appending("f"))
            let server = try RawServer { connection in
                guard connection.head() != nil else { return }
                connection.write(row.wire)
            }
            let request = HTTPRequest(.get, server.url, answer: .file(file, at: row.at, limit: 10))
            do {
                let answer = try await client.send(request)
                #expect(row.isTaken && !answer.isTruncated)
            } catch let error as TransferError {
                #expect(!row.isTaken && error.kind == .tooLarge)
            }
            let size = try file.facts().size
            #expect(row.isTaken ? size == row.size : size <= 10)
        }
    }

    @Test func aBodyWithoutAnEndEnds() async throws {
        try await FileTree().withDirectory { folder in
            let file = try OpenFile(creating: folder.appending("f"))
            let server = try RawServer { connection in
                guard connection.head() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\n\r\n")
                let piece = [UInt8](repeating: 120, count: 64 << 10)
                while connection.write(piece) {}
            }
            let error = await #expect(throws: TransferError.self) {
                try await client.send(HTTPRequest(.get, server.url, answer: .file(file, limit: 1 << 20)))
            }
            #expect(error?.kind == .tooLarge)
            #expect(try file.facts().size <= 1 << 20)
        }
    }
}
