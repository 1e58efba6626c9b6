import Fixtures
import Foundation
import Platform
import Records
import Roots
import Supabase
import TestSupport
import Testing
import Text
import Transfer

@testable import Catalog
@testable import Configuration
@testable import Queue
@testable import Uploading

/// A sender, a file and a server whose answers a test writes down, without a network.
struct UploadBench {
    let sender: Sender
    let library: Library
    /// The item of the file `a.jpg`, being sent.
    let item: Item
    let folder: FilePath
    let transport: DrainingTransport

    static let destination = Destination(
        endpoint: StorageEndpoint(base: "http://storage.example/storage/v1"), bucket: "media")

    /// Calls `body` with an item of `content`, which goes in pieces where it has more than ten bytes.
    static func with(
        _ answers: [ScriptedTransport.Answer], content: String = "content",
        change: (inout Item) -> Void = { _ in }, _ body: (UploadBench) async throws -> Void
    ) async throws {
        let tree: FileTree = ["Pictures": ["a.jpg": .file(Array(content.utf8)), "b.jpg": "another"]]
        try await tree.withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: folder.appending("Pictures")).root
            let facts = try FileFacts(of: folder.appending("Pictures/a.jpg"))
            var item = Item(
                root: root.name, path: "a.jpg", role: .original, contentType: "image/jpeg", size: facts.size,
                sha256: SHA256.hash(content.utf8).hexadecimal, modifiedAt: facts.modifiedAt, bucket: "media",
                objectKey: ObjectKey(root: root.name, path: "a.jpg"), now: Items.now)
            item = try #require(item.claimed(at: Items.now))
            change(&item)
            let transport = DrainingTransport(answers)
            var settings = Settings.Upload()
            settings.smallFileBytes = 10
            let storage = StorageClient(
                endpoint: destination.endpoint, credentials: StorageCredentials(key: "k"), transport: transport)
            let queue = try UploadQueue(store: try QueueStore(state: folder.appending("queue")), now: Items.now)
            let sender = Sender(
                storage: storage, library: library, queue: queue, destination: destination,
                roots: RootRegistry([Root(known: root)]), cache: ThumbnailCache(folder: folder.appending("cache")),
                settings: settings, clock: { Items.now })
            try await body(
                UploadBench(sender: sender, library: library, item: item, folder: folder, transport: transport))
        }
    }

    /// How one attempt at the item ends, and whether its bytes are in doubt: that is durable by then.
    func end() async throws -> String {
        let sending = try await sender.send(item)
        let later = try Library(path: folder.appending("library.sqlite"))
        let leftovers = try await later.leftovers(destination: Self.destination.name).total
        if leftovers > 0 { #expect(leftovers == item.size) }
        return sending.words + (leftovers > 0 ? ", in doubt" : "")
    }

    /// An uploader that no test has send anything: what it decides is in its queue, its library and its budget.
    static func idle(_ library: Library, _ queue: UploadQueue, _ budget: BudgetReservations) -> Uploader {
        let storage = StorageClient(
            endpoint: destination.endpoint, credentials: StorageCredentials(key: "k"),
            transport: ScriptedTransport([]))
        let sender = Sender(
            storage: storage, library: library, queue: queue, destination: destination,
            roots: RootRegistry(), cache: ThumbnailCache(folder: "/nowhere"), settings: Settings.Upload(),
            clock: { Items.now })
        let wake = WakeEvent()
        return Uploader(
            sender: sender, queue: queue, library: library, activity: Activity(wake: wake), wake: wake,
            limit: SendingLimit(start: 1, minimum: 1, maximum: 1), budget: budget, circuit: Circuit(),
            clock: { Items.now }, checkBucket: {}, accepted: { _ in })
    }

    /// The requests so far, such as `POST object/media/Pictures/a.jpg`.
    var asked: [String] {
        transport.script.requests.map { request in
            let path = request.url.dropFirst(Self.destination.endpoint.base.count + 1)
            return "\(request.method.rawValue.uppercased()) \(path)"
        }
    }
}

/// Answers by a script, after it has read the file that is sent, as the network would.
final class DrainingTransport: Transport {
    let script: ScriptedTransport

    init(_ answers: [ScriptedTransport.Answer]) { script = ScriptedTransport(answers) }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        if case .file(let file, let offset, let length, let observer) = request.body {
            do {
                let bytes = try file.read(at: offset, upTo: Int(length))
                observer?.sent(bytes.span.bytes)
            } catch {
                throw TransferError(.local(error), "cannot be read", mayHaveArrived: false)
            }
        }
        return try await script.send(request)
    }
}

extension Sending {
    /// How the attempt ended, in a few words.
    var words: String {
        switch self {
        case .accepted(let accepted): accepted.isUploaded ? "uploaded" : "found"
        case .ended(let outcome): outcome.words
        }
    }
}

extension UploadOutcome {
    fileprivate var words: String {
        switch self {
        case .retry(let failure, let after):
            "retry \(failure.code.text)" + (after.map { " after \($0.seconds)" } ?? "")
        case .refused(let failure): "refused \(failure.code.text)"
        case .blocked(let reason, let failure): "blocked by \(reason.rawValue), \(failure.code.text)"
        case .unreachable(let failure): "unreachable \(failure.code.text)"
        case .notStored(let failure): "not stored \(failure.code.text)"
        case .moved(let key): "to \(key.text)"
        case .verified: "verified"
        case .sent: "sent"
        case .interrupted: "interrupted"
        case .withdrawn: "withdrawn"
        }
    }
}
