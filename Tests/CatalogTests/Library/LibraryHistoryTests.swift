import Database
import Fixtures
import Foundation
import MediaModel
import Platform
import Queue
import Records
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog

/// Whatever happens to files, objects and receipts, in whatever order, what the library says of them agrees.
@Suite struct LibraryHistoryTests {
    @Test(arguments: 0..<48)
    func whatTheLibrarySaysAgrees(seed: UInt64) async throws {
        try await FileTree().withDirectory { folder in
            var history = try await History(seed: seed, in: folder)
            for _ in 0..<120 {
                try await history.act()
                let complaints = try await history.library.complaints()
                #expect(complaints == [], "\(history.acts.suffix(12).joined(separator: ", "))")
                if !complaints.isEmpty { return }
            }
            try await history.library.commit()
            // Another process that reads says the same.
            let reader = try #require(try Library.existing(at: folder.appending("library.sqlite")))
            #expect(try await reader.counts() == history.library.counts())
            for destination in History.destinations {
                let (here, there) = try await (
                    history.library.occupancy(destination: destination), reader.occupancy(destination: destination)
                )
                #expect(here.stored == there.stored)
                #expect(here.leftovers == there.leftovers)
            }
        }
    }
}

/// Acts that a seed chooses, on few files, contents and keys, so that they meet.
private struct History {
    var library: Library
    private(set) var acts: [String] = []
    private var random: SeededGenerator
    private var now = Items.now
    private let path: FilePath
    private var roots: [KnownRoot] = []
    private var items: [Item] = []

    static let destinations = ["here", "there"]
    private static let paths: [FilePath] = [
        "IMG_1.HEIC", "IMG_1.MOV", "IMG_1.xmp", "a.jpg", "2024/a.jpg", "2024/sound.mp3", "2024/IMG_1.HEIC",
    ]
    private static let contents: [(sha256: String, size: Int64)] = (0..<4).map {
        (SHA256.hash([UInt8($0)]).hexadecimal, Int64($0) * 1_000 + 7)
    }

    init(seed: UInt64, in folder: FilePath) async throws {
        random = SeededGenerator(seed: seed)
        path = folder.appending("library.sqlite")
        library = try Library(path: path)
        try await library.prepareFaults()
        roots = [try await library.root(at: "/home/Pictures").root, try await library.root(at: "/media/Card").root]
        try await library.setFact(Library.destinationFact, to: Self.destinations[0])
    }

    // MARK: Choices

    private mutating func one<Element>(of all: [Element]) -> Element {
        all[Int.random(in: all.indices, using: &random)]
    }
    private mutating func isSo() -> Bool { Bool.random(using: &random) }

    private mutating func asset() async throws -> Asset? {
        try await library.asset(root: one(of: roots).name, path: one(of: Self.paths))
    }

    private mutating func item(of asset: Asset) -> Item {
        let content = one(of: Self.contents)
        let role: Item.Role = isSo() ? .original : .thumbnail(512)
        let sha256 = role == .original ? asset.sha256 ?? content.sha256 : content.sha256
        var item = Item(
            root: asset.root, path: asset.path, role: role, contentType: "image/jpeg", size: asset.size,
            sha256: sha256, modifiedAt: asset.modifiedAt, bucket: "media",
            objectKey: ObjectKey(
                text: "\(role == .original ? "" : ".thumbnails/512/")\(asset.root)/\(asset.path.display)"),
            now: now)
        if isSo() { item.lastAttemptAt = now - Double.random(in: 0...1200, using: &random) }
        if isSo() {
            item.blocked = one(of: [.budget, .offline, .tooLarge])
            item.lastError = one(of: [Items.busy, Items.tooLarge])
        }
        return item
    }

    private func receipt(_ item: Item, at destination: String) -> Receipt {
        Receipt(
            destination: destination, key: item.objectKey, role: item.role, item: item.id, sha256: item.sha256,
            size: item.size, objectID: "o", version: nil, eTag: nil, updatedAt: nil, verifiedAt: now,
            proof: item.size > 2_000 ? .size : .md5)
    }

    private mutating func receipt() async throws -> Receipt? {
        let all = try await library.receipts(destination: one(of: Self.destinations), after: "", count: 100)
        return all.isEmpty ? nil : one(of: all)
    }

    private mutating func attempt() async throws -> Attempt? {
        let all = try await library.attempts(destination: one(of: Self.destinations), after: "", count: 100)
        return all.isEmpty ? nil : one(of: all)
    }

    private mutating func move() async throws -> Move? {
        let all = try await library.expectedMoves(destination: one(of: Self.destinations))
        return all.isEmpty ? nil : one(of: all)
    }

    // MARK: Acts

    mutating func act() async throws {
        now += Double.random(in: 0...400, using: &random)
        let act = one(of: Self.all)
        // Now and then one of the next writes fails, and SQLite takes back all that was not committed.
        let fault = Int.random(in: 0..<6, using: &random) == 0 ? Int.random(in: 1...6, using: &random) : nil
        acts.append(act.name + (fault.map { " (write \($0) fails)" } ?? ""))
        try await library.failWrite(fault ?? -1)
        do {
            try await act.act(&self)
        } catch let error as DatabaseError {
            guard fault != nil else { throw error }
        }
        try await library.failWrite(-1)
    }

    private typealias Act = (name: String, act: @Sendable (inout History) async throws -> Void)

    private static let all: [Act] = ofFiles + ofFiles + ofReceipts + ofAttempts + ofItems + ofStates

    private static let ofFiles: [Act] = [
        (
            "a file is found",
            { history in
                let (path, content) = (history.one(of: paths), history.one(of: contents))
                let seen = Observation(
                    name: path.name, size: content.size,
                    modifiedAt: FileTime(nanoseconds: 1_700_000_000_000_000_000 + content.size * 86_400_000_000_000))
                _ = try await history.library.merge(
                    seen, at: path, root: history.one(of: history.roots).id,
                    origin: history.one(of: [.backlog, .arrival]),
                    now: history.now)
            }
        ),
        (
            "a file is gone",
            { history in
                _ = try await history.library.merge(
                    nil, at: history.one(of: paths), root: history.one(of: history.roots).id, origin: .backlog,
                    now: history.now)
            }
        ),
        (
            "files are read",
            { history in
                for asset in try await history.library.take(Int.random(in: 1...4, using: &history.random)) {
                    try await history.read(asset)
                }
            }
        ),
        (
            "what a file states is known",
            { history in
                guard let asset = try await history.asset(), let sha256 = asset.sha256 else { return }
                try await history.library.setFacts(history.facts(of: asset), of: sha256, in: asset)
            }
        ),
        (
            "pictures are made, or not",
            { history in
                guard let asset = try await history.asset() else { return }
                try await history.library.setPictures(
                    of: asset.place, to: history.one(of: [.unwanted, .wanted, .made, .failed]))
            }
        ),
    ]

    private mutating func facts(of asset: Asset) -> MediaFacts {
        let type = Self.type(of: asset.path)
        var facts = MediaFacts(kind: type.kind, type: type)
        facts.camera = one(of: [nil, "Canon", "Fuji"])
        facts.contentIdentifier = asset.path.display.contains("IMG_1") ? one(of: ["pair", nil, "other"]) : nil
        facts.takenAt = one(of: [nil, Date(timeIntervalSince1970: 1_600_000_000), Items.now])
        facts.takenAtSource = facts.takenAt == nil ? nil : one(of: [.exif, .file])
        facts.duration = one(of: [nil, 3])
        return facts
    }

    private static func type(of path: FilePath) -> MediaType {
        switch String(decoding: path.fileExtension, as: UTF8.self).lowercased() {
        case "heic": .heic
        case "mov": MediaType(rawValue: "video/quicktime")
        case "xmp": MediaType(rawValue: "application/rdf+xml")
        case "mp3": MediaType(rawValue: "audio/mpeg")
        default: .jpeg
        }
    }

    private mutating func read(_ asset: Asset) async throws {
        let content = Self.contents.first { $0.size == asset.size } ?? Self.contents[0]
        // A content is what its file is: a photo's bytes are no movie's.
        let sha256 = SHA256.hash(Array(content.sha256.utf8) + asset.path.fileExtension).hexadecimal
        let readings: [Reading] = [
            .identified(
                sha256: sha256, type: Self.type(of: asset.path).rawValue, next: .queued, note: one(of: [nil, "odd"])),
            .identified(sha256: sha256, type: Self.type(of: asset.path).rawValue, next: .queued, note: nil),
            .identified(sha256: sha256, type: Self.type(of: asset.path).rawValue, next: .indexed, note: nil),
            .identified(sha256: sha256, type: Self.type(of: asset.path).rawValue, next: .held, note: nil),
            .unreadable(Items.busy), .ignored(reason: Asset.noMedia), .changed,
        ]
        try await library.settle(asset, as: one(of: readings))
    }

    private static let ofReceipts: [Act] = [
        (
            "an object is stored",
            { history in
                guard let asset = try await history.asset() else { return }
                let item = history.item(of: asset)
                let receipt = history.receipt(item, at: history.one(of: destinations))
                let former = history.isSo() ? try await history.receipt() : nil
                let moved = former.flatMap { $0.sha256 == receipt.sha256 && $0.key != receipt.key ? $0 : nil }
                try await history.library.record([(receipt, item)], moved: moved.map { [item.id: $0] } ?? [:])
            }
        ),
        (
            "a receipt is forgotten",
            { history in
                guard let receipt = try await history.receipt() else { return }
                try await history.library.forget(receipt)
            }
        ),
        (
            "an object is pruned",
            { history in
                guard let receipt = try await history.receipt() else { return }
                try await history.library.forgetPruned([receipt])
            }
        ),
        (
            "an object turns out to be another",
            { history in
                guard let receipt = try await history.receipt() else { return }
                try await history.library.disprove(receipt, failure: history.isSo() ? Items.busy : nil)
            }
        ),
        (
            "an object is looked at again",
            { history in
                guard let receipt = try await history.receipt() else { return }
                try await history.library.confirm(receipt, at: history.now)
                try await history.library.prove(receipt, by: .readBack)
            }
        ),
        (
            "an object is known under a former name",
            { history in
                guard let receipt = try await history.receipt() else { return }
                try await history.library.outdate(receipt)
                _ = try await history.library.outdatedObjects(
                    isOriginal: history.isSo(), destination: receipt.destination)
                if history.isSo() { try await history.library.unmark(receipt) }
            }
        ),
    ]

    private static let ofAttempts: [Act] = [
        (
            "an attempt is noted",
            { history in
                guard let asset = try await history.asset() else { return }
                try await history.library.noteAttempt(
                    history.item(of: asset), destination: history.one(of: destinations))
            }
        ),
        (
            "an object is to be moved",
            { history in
                guard let asset = try await history.asset(), let receipt = try await history.receipt() else { return }
                let item = history.item(of: asset)
                try await history.library.noteMove(
                    of: item, from: receipt.key, destination: receipt.destination, at: history.now)
                if history.isSo() {
                    try await history.library.noteAnswer(
                        toMoveFrom: receipt.key, to: item.objectKey, destination: receipt.destination)
                }
            }
        ),
        (
            "an attempt is settled",
            { history in
                guard let attempt = try await history.attempt() else { return }
                switch Int.random(in: 0..<3, using: &history.random) {
                case 0:
                    try await history.library.settle(attempt, isThere: Int64.random(in: 0...99, using: &history.random))
                case 1: try await history.library.settle(deleted: attempt)
                default: try await history.library.forget(attempt)
                }
            }
        ),
        (
            "other bytes of ours are found",
            { history in
                let sha256 = history.one(of: contents).sha256
                if let move = try await history.move() {
                    try await history.library.noteLeftover(of: move, sha256: sha256, size: 77)
                    try await history.library.settle(move, at: history.now)
                }
                if let receipt = try await history.receipt() {
                    try await history.library.noteLeftover(of: receipt, sha256: sha256, size: 78)
                }
            }
        ),
        (
            "an object is to be deleted",
            { history in
                guard let receipt = try await history.receipt() else { return }
                try await history.library.noteDeletion(
                    of: [receipt.key], destination: receipt.destination, at: history.now)
                if history.isSo() {
                    try await history.library.forgetDeletion(of: [receipt.key], destination: receipt.destination)
                }
            }
        ),
        (
            "room is counted",
            { history in
                for destination in destinations { _ = try await history.library.occupancy(destination: destination) }
            }
        ),
        (
            "a move took place",
            { history in
                guard let receipt = try await history.receipt(), let move = try await history.move(),
                    move.destination == receipt.destination, move.key != receipt.key, move.role == receipt.role
                else { return }
                let held = HeldObject(id: "h", size: receipt.size, eTag: nil, version: nil, updatedAt: nil)
                try await history.library.settle(moved: move, from: receipt, held: held, at: history.now)
            }
        ),
    ]

    private static let ofItems: [Act] = [
        (
            "blocked items are kept",
            { history in
                guard let asset = try await history.asset() else { return }
                let item = history.item(of: asset)
                let kept = try await history.library.keep(blocked: [item], destination: destinations[0])
                try await history.library.settle(
                    blockedBut: history.isSo() || kept.isEmpty ? [] : [item], destination: destinations[0])
            }
        ),
        (
            "what waits goes on",
            { history in
                try await history.library.unblock(history.one(of: [.budget, .offline, .tooLarge]))
                try await history.library.unblock(fitting: 2_000)
                let freed = try await history.library.freed(2)
                _ = try await history.library.forget(freed: freed)
            }
        ),
        (
            "an item has ended",
            { history in
                guard let asset = try await history.asset() else { return }
                var item = history.item(of: asset)
                item.lastError = Items.busy
                try await history.library.settle(failed: item)
            }
        ),
        (
            "an item waits again",
            { history in
                guard let asset = try await history.asset() else { return }
                let item = history.item(of: asset)
                try await history.isSo() ? history.library.waitAgain(item) : history.library.sendBack(item)
            }
        ),
        (
            "a picture is lost",
            { history in
                guard let asset = try await history.asset() else { return }
                try await history.library.losePictures(of: [history.item(of: asset)])
            }
        ),
    ]

    private static let ofStates: [Act] = [
        (
            "a file is excluded, or asked for",
            { history in
                guard let asset = try await history.asset() else { return }
                try await history.isSo()
                    ? history.library.exclude([asset])
                    : history.library.request([asset], orderedAt: history.isSo() ? history.now : nil)
            }
        ),
        ("the brake decides", { history in _ = try await history.library.decideBrake(at: history.now) }),
        (
            "changes are held, or approved",
            { history in
                guard let asset = try await history.asset() else { return }
                let file = RootedPath(root: asset.root, path: asset.path)
                try await history.isSo()
                    ? history.library.hold([file], reason: "many") : history.library.approve([asset])
            }
        ),
        ("all is written down", { history in try await history.library.commit() }),
        ("the disk fails", { history in try await history.library.takeBack() }),
        (
            "the agent starts again",
            { history in
                try await history.library.close()
                history.library = try Library(path: history.path)
                try await history.library.prepareFaults()
            }
        ),
        (
            "the destination is another",
            { history in
                guard Int.random(in: 0..<8, using: &history.random) == 0 else { return }
                _ = try await history.library.forgetDestination()
                try await history.library.setFact(Library.destinationFact, to: history.one(of: destinations))
            }
        ),
    ]
}
