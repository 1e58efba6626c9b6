import TestSupport
import Testing
import Transfer

@testable import Supabase

@Suite struct DownloadTests {
    private func download(
        _ response: HTTPResponse, range: ByteRange? = nil, ifRange: String? = nil
    ) async throws -> (object: DownloadedObject, headers: HTTPHeaders) {
        let transport = ScriptedTransport([.response(response)])
        let client = StorageClient(
            endpoint: StorageEndpoint(base: "http://h"), credentials: StorageCredentials(key: "k"), transport: transport
        )
        let object = try await client.download(
            bucket: "b", key: "k", to: .memory(limit: 100), range: range, ifRange: ifRange)
        return (object, try #require(transport.requests.first).headers)
    }

    @Test func allOfItBeginsAtZero() async throws {
        let whole = HTTPResponse(
            status: 200, headers: ["content-length": "3", "etag": "e", "content-type": "a/b"], body: [1, 2, 3])
        let (object, headers) = try await download(whole, ifRange: "e")
        #expect(
            object == DownloadedObject(body: [1, 2, 3], received: 3, offset: 0, size: 3, eTag: "e", contentType: "a/b"))
        #expect(headers["range"] == nil && headers["if-range"] == nil)
    }

    @Test func aRangeSaysWhereItBegins() async throws {
        let part = HTTPResponse(status: 206, headers: ["content-range": "bytes 5-7/9"], body: [1, 2, 3])
        let (object, headers) = try await download(part, range: .from(5), ifRange: "\"e\"")
        #expect(object.offset == 5 && object.size == 9 && object.received == 3)
        #expect(headers["range"] == "bytes=5-" && headers["if-range"] == "\"e\"")
    }

    @Test func aServerThatSendsEverythingIsNoticed() async throws {
        let whole = HTTPResponse(status: 200, body: [1, 2, 3])
        let (object, _) = try await download(whole, range: .from(2))
        #expect(object.offset == 0 && object.size == 3)
    }

    @Test(
        arguments: [
            ("bytes 4-7/9", ByteRange.from(5)), ("bytes 0-7/9", nil), (nil, .from(5)), ("bytes */9", .from(5)),
            ("5-7/9", .from(5)),
        ] as [(String?, ByteRange?)])
    func aRangeThatWasNotAskedForIsRefused(header: String?, range: ByteRange?) async throws {
        var headers = HTTPHeaders()
        headers["content-range"] = header
        let part = HTTPResponse(status: 206, headers: headers, body: [1])
        await #expect(throws: StorageError.self) { try await download(part, range: range) }
    }

    @Test(arguments: [
        (ByteRange.from(0), "bytes=0-"), (.between(100, count: 100), "bytes=100-199"),
        (.between(7, count: 1), "bytes=7-7"),
    ])
    func rangesAreInclusiveOnTheWire(range: ByteRange, header: String) {
        #expect(range.header == header)
    }
}
