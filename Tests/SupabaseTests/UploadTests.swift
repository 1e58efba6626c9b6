import Platform
import Supabase
import TestSupport
import Testing
import Transfer

@Suite struct UploadTests {
    @Test func anUploadIsOneRequest() async throws {
        let transport = ScriptedTransport([.json(#"{"Id":"1","Key":"b/k/a b.jpg"}"#)])
        let client = StorageClient(
            endpoint: StorageEndpoint(base: "http://host/storage/v1/"), credentials: StorageCredentials(key: "secret"),
            transport: transport)
        let stored = try await client.upload(.bytes([1]), bucket: "b", key: "k/a b.jpg", contentType: "image/jpeg")
        #expect(stored == StoredObject(id: "1", key: "k/a b.jpg"))
        #expect(transport.requests.map(\.url) == ["http://host/storage/v1/object/b/k/a%20b.jpg"])
        #expect(transport.unusedAnswers == 0)
    }
}
