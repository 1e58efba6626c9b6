import Cleansing
import FoundationEssentials
import Platform
import Supabase
import Transfer

extension FuzzTarget {
    static let storage = [
        FuzzTarget("storage-answer", texts: answered) { text in
            let client = StorageClient(
                endpoint: StorageEndpoint(base: "http://127.0.0.1"),
                credentials: StorageCredentials(bearer: "k"), transport: SameAnswer(text))
            return Awaited.value { await used(client) } ?? nil
        }
    ]

    private static let answered = [
        "400\nContent-Type: application/json\n\n{\"statusCode\":\"404\",\"error\":\"not_found\",\"message\":\"Object not found\"}",
        "200\n\n{\"hasNext\":true,\"nextCursor\":\"c\",\"folders\":[{\"name\":\"a/\"}],\"objects\":[{\"name\":\"a.jpg\","
            + "\"id\":\"1\",\"updated_at\":\"2026-11-20T18:36:45.278Z\",\"metadata\":{\"eTag\":\"\\\"x\\\"\",\"size\":3}}]}",
        "200\n\n{\"id\":\"1\",\"version\":\"v\",\"name\":\"a\",\"size\":3,\"etag\":\"\\\"x\\\"\",\"metadata\":{\"sha256\":\"0\"},"
            + "\"created_at\":\"2026-11-20T18:36:45.278Z\",\"content_type\":\"image/png\",\"cache_control\":\"no-cache\"}",
        "201\nLocation: http://x/upload/resumable/bWVkaWE\nUpload-Offset: 6291456\nTus-Complete: 1\n\n",
        "206\nContent-Range: bytes 0-9/100\nETag: \"x\"\nContent-Length: 10\n\n0123456789",
        "429\nRetry-After: 99999999999999999999\nDate: Fri, 20 Nov 2026 18:36:45 GMT\n\n<html>",
        "503\nRetry-After: Fri, 20 Nov 2026 18:36:45 GMT\nDate: Fri, 20 Nov 2026 18:36:40 GMT\n\n",
        "200\n\n[{\"name\":\"media\",\"id\":\"media\",\"public\":false,\"file_size_limit\":1,\"allowed_mime_types\":[\"a/b\"]}]",
        "200\n\n" + String(repeating: "[", count: 510) + String(repeating: "]", count: 510),
    ]

    /// What a client makes of the answer to each of its calls.
    private static func used(_ client: StorageClient) async -> String? {
        var said: [String] = []
        func hear(_ call: () async throws -> Void) async {
            do { try await call() } catch { said.append("\(error)") }
        }
        await hear { _ = try await client.info(bucket: "b", key: "k") }
        await hear { _ = try await client.list(bucket: "b") }
        await hear { _ = try await client.buckets() }
        await hear { _ = try await client.sign(bucket: "b", key: "k", expiresIn: .seconds(60)) }
        await hear { _ = try await client.deleteAll(bucket: "b", keys: ["k"]) }
        await hear {
            let target = ResumableTarget(bucket: "b", key: "k", length: 9, contentType: "a/b")
            let upload = try await client.createUpload(target, now: Date(timeIntervalSince1970: 0))
            _ = try await client.progress(of: upload)
        }
        await hear {
            let part = try await client.download(
                bucket: "b", key: "k", to: .memory(limit: 1 << 20), range: .from(0), ifRange: "\"x\"")
            if part.offset < 0 { said.append("\u{7}") }
        }
        let loose = said.first {
            $0.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" }
        }
        return loose.map { "said to people: \($0.debugDescription)" }
    }
}
