import Foundation
import Platform
import Serving
import StorageServer
import TestSupport
import Testing
import Transfer

@testable import Supabase

/// Uploads in pieces over a real connection to the embedded server.
@Suite struct ResumableServerTests {
    private static func target(_ length: Int, key: String = "a b/c+d;e", replacing: Bool = false)
        -> ResumableTarget
    {
        ResumableTarget(
            bucket: "b", key: key, length: Int64(length), contentType: "image/jpeg", cacheControl: 60,
            metadata: ["path": "日本"], replacing: replacing)
    }

    private func stored(_ client: StorageClient, _ key: String) async throws -> [UInt8] {
        try await client.download(bucket: "b", key: key, to: .memory(limit: 1 << 20)).body
    }

    @Test func aFileInPiecesIsOneObject() async throws {
        try await EmbeddedServer.run { place in
            let (bytes, file) = try place.file(20_000)
            let target = Self.target(20_000)
            let upload = try await place.client.createUpload(target, now: Date())
            _ = try await place.finish(upload, file, of: 20_000)
            #expect(try await stored(place.client, target.key) == bytes)
            let info = try await place.client.info(bucket: "b", key: target.key)
            #expect(info.contentType == "image/jpeg" && info.cacheControl == "max-age=60")
            #expect(info.metadata == ["path": "日本"] && info.size == 20_000)
        }
    }

    /// Interrupted requests and lost answers, in turn.
    @Test func anUploadGoesOnAfterAnyBreak() async throws {
        let faults = EmbeddedServer.Faults([
            nil, .drop(afterReading: 100), .cutAnswer(after: 0), nil, .drop(afterReading: 0), .cutAnswer(after: 0),
        ])
        try await EmbeddedServer.run(faults: faults) { place in
            let (bytes, file) = try place.file(30_000)
            let target = Self.target(30_000)
            let upload = try await place.client.createUpload(target, now: Date())
            _ = try await place.finish(upload, file, of: 30_000)
            #expect(faults.value.isEmpty)
            #expect(try await stored(place.client, target.key) == bytes)
        }
    }

    /// The last answer was lost: only `info` or an empty piece shows that the object exists.
    @Test func aPieceOfNothingProvesTheEnd() async throws {
        try await EmbeddedServer.run { place in
            let (bytes, file) = try place.file(5000)
            let upload = try await place.client.createUpload(Self.target(5000, key: "k"), now: Date())
            let whole = try await place.finish(upload, file, of: 5000)
            #expect(try await place.client.progress(of: whole).offset == 5000)
            let end = try await place.client.finish(whole, replacing: true)
            #expect(end == ResumableProgress(offset: 5000, isComplete: true))
            await #expect(throws: ResumableError.duplicate) { try await place.client.finish(whole, replacing: false) }
            #expect(try await stored(place.client, "k") == bytes)
        }
    }

    @Test func theTwoConflictsAreToldApart() async throws {
        try await EmbeddedServer.run { place in
            let (bytes, file) = try place.file(5000)
            let target = Self.target(5000, key: "k")
            var upload = try await place.client.createUpload(target, now: Date())
            upload.offset = 7
            await #expect(throws: ResumableError.offsetConflict) {
                try await place.client.send(upload, from: file, length: 100, replacing: false)
            }
            upload.offset = try await place.client.progress(of: upload).offset
            #expect(upload.offset == 0)
            _ = try await place.client.upload(.bytes([1]), bucket: "b", key: "k", contentType: "a/b")
            await #expect(throws: ResumableError.duplicate) {
                try await place.client.send(upload, from: file, length: 5000, replacing: false)
            }
            await #expect(throws: ResumableError.duplicate) {
                try await place.client.createUpload(target, now: Date())
            }
            _ = try await place.finish(upload, file, of: 5000, replacing: true)
            #expect(try await stored(place.client, "k") == bytes)
        }
    }

    @Test func whatWasTerminatedIsExpired() async throws {
        try await EmbeddedServer.run { place in
            let (_, file) = try place.file(10)
            let upload = try await place.client.createUpload(Self.target(10), now: Date())
            try await place.client.terminate(upload, replacing: false)
            await #expect(throws: ResumableError.expired) { try await place.client.progress(of: upload) }
            await #expect(throws: ResumableError.expired) {
                try await place.client.send(upload, from: file, length: 10, replacing: false)
            }
            await #expect(throws: ResumableError.expired) {
                try await place.client.terminate(upload, replacing: false)
            }
        }
    }

    @Test(
        arguments: [
            ("b", 100_001, .tooLarge(by: .storage)), ("nowhere", 1, .notThere(.bucket)), ("b", 100_000, nil),
        ] as [(String, Int, AnswerClass?)])
    func aCreationIsRefusedBeforeAnyByte(bucket: String, length: Int, meaning: AnswerClass?) async throws {
        try await EmbeddedServer.run { place in
            var target = Self.target(length)
            target.bucket = bucket
            do throws(ResumableError) {
                _ = try await place.client.createUpload(target, now: Date())
                #expect(meaning == nil)
            } catch {
                guard case .storage(let error) = error else { throw error }
                #expect(error.answerClass == meaning)
            }
        }
    }

    /// Every other token is refused: each piece is sent again with the one that replaces it.
    @Test func tokensMayEndBetweenPieces() async throws {
        try await EmbeddedServer.run { place in
            let (bytes, file) = try place.file(20_000)
            let renewals = Shared(0)
            let good = place.server.serviceKey
            let client = place.client { refused in
                if refused != nil { renewals.change { $0 += 1 } }
                return StorageCredentials(bearer: refused == nil ? String(good.dropLast(3)) + "abc" : good)
            }
            let upload = try await client.createUpload(Self.target(20_000, key: "k"), now: Date())
            _ = try await place.finish(upload, file, of: 20_000, by: client)
            #expect(try await stored(place.client, "k") == bytes)
            #expect(renewals.value == 5)
        }
    }

    @Test func aUserStoresBelowTheOwnFolderOnly() async throws {
        try await EmbeddedServer.run { place in
            let session = try await place.auth.signIn(email: "ada@x", password: "p")
            let client = place.client { _ in StorageCredentials(bearer: session.accessToken) }
            let (bytes, file) = try place.file(100)
            let own = Self.target(100, key: session.user.id + "/k")
            _ = try await place.finish(try await client.createUpload(own, now: Date()), file, of: 100, by: client)
            #expect(try await stored(client, own.key) == bytes)
            let error = await #expect(throws: ResumableError.self) {
                try await client.createUpload(Self.target(100, key: "k"), now: Date())
            }
            guard case .storage(let error) = error else { throw try #require(error) }
            #expect(error.answerClass == .denied(by: .storage))
        }
    }
}
