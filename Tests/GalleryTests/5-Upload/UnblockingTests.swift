import Configuration
import Foundation
import Platform
import Records
import Roots
import TestSupport
import Testing

@testable import Catalog
@testable import Gallery
@testable import Queue
@testable import Uploading

/// Items that wait for something to end, wherever they are.
@Suite struct UnblockingTests {
    /// How far an item has come on its way from the queue to the library.
    enum Step: CaseIterable {
        case inQueue, kept, dropped, settled
    }

    /// What an item waits for, and what ends it.
    struct Wait: CustomTestStringConvertible {
        let testDescription: String
        let blocked: Item.Blocked
        var failure: FailureCode?
        let end: @Sendable (Uploader) async throws -> Void
    }

    static let waits = [
        Wait(testDescription: "the connection", blocked: .offline) { try await $0.unblock(after: .offline) },
        Wait(testDescription: "a cause that is mended", blocked: .tooLarge, failure: .http(413)) {
            if let cause = Cause(code: .http(413), contentType: "image/jpeg") { try await $0.mended(cause) }
        },
        Wait(testDescription: "a cause that is tried", blocked: .tooLarge, failure: .http(413)) {
            try await $0.probeCauses()
        },
    ]

    @Test(arguments: waits, Step.allCases)
    func anItemIsFreedOnEveryStepOfItsWayToTheLibrary(_ wait: Wait, _ last: Step) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.run(.steering) { agent in
                let (root, _) = try await agent.adopt(fixture.gallery)
                let facts = try FileFacts(of: fixture.gallery.appending("a.jpg"))
                let observation = Observation(name: FilePath("a.jpg").name, size: 3, modifiedAt: facts.modifiedAt)
                _ = try await agent.library.merge(
                    observation, at: "a.jpg", root: root.known.id, origin: .backlog, now: Date())
                let item = Item(
                    root: root.name, path: "a.jpg", role: .original, contentType: "image/jpeg", size: 3,
                    sha256: SHA256.hash("one".utf8).hexadecimal, modifiedAt: facts.modifiedAt, bucket: "media",
                    objectKey: ObjectKey(root: root.name, path: "a.jpg"), now: Date())
                _ = try await agent.queue.add(item, origin: .backlog, now: Date())
                try await agent.queue.update(now: Date()) { item in
                    var item = item
                    item.blocked = wait.blocked
                    item.lastError = wait.failure.map { Item.Failure(code: $0, message: "refused", retryable: false) }
                    return item
                }
                let name = fixture.destination.name
                if last != .inQueue {
                    let blocked = await agent.queue.all()
                    #expect(try await agent.library.keep(blocked: blocked, destination: name).count == 1)
                }
                if last == .dropped || last == .settled { _ = try await agent.queue.withdraw { _ in true } }
                if last == .settled { try await agent.library.settle(blockedBut: [], destination: name) }
                try await wait.end(agent.uploader)
                let staying = await agent.queue.all()
                try await agent.library.settle(blockedBut: staying, destination: name)
                let freed = try await agent.library.freed(10)
                #expect(freed.count + staying.count == 1)
                #expect(staying.allSatisfy { $0.blocked == nil })
            }
        }
    }
}
