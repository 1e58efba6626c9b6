import Database
import Fixtures
import Foundation
import Platform
import Queue
import Records
import Roots
import Testing
import Text

@testable import Catalog

/// A library with one root, `Pictures`, and short words for what the stages write down.
struct Shelf: Sendable {
    let library: Library
    let root: KnownRoot

    static let now = Items.now
    static let destination = "https://h#media"

    /// In memory, or in the file at `path`, which may hold one already.
    init(at path: FilePath = FilePath(Connection.inMemory)) async throws {
        library = try Library(path: path)
        try await library.hurry()
        root = try await library.root(at: "/home/Pictures").root
        try await library.setFact(Library.destinationFact, to: Self.destination)
    }

    /// The item of a file with that path, or of one of its pictures; of another content where one is named.
    static func item(
        _ path: FilePath, content: String? = nil, size: Int64 = 7, role: Item.Role = .original, made: Date = now
    ) -> Item {
        let key = ObjectKey(root: "Pictures", path: path)
        return Item(
            root: "Pictures", path: path, role: role, contentType: "image/jpeg", size: size,
            sha256: hash(content ?? (role == .original ? path.display : "picture of \(path)")),
            modifiedAt: FileTime(now), bucket: "media",
            objectKey: role.thumbnailSize.map { ObjectKey(thumbnail: $0, of: key) } ?? key, now: made)
    }

    static func hash(_ text: String) -> String { SHA256.hash(text.utf8).hexadecimal }

    /// What is earned with `item`.
    static func receipt(
        _ item: Item, at destination: String = destination, verified: Date = now, proof: Receipt.Proof = .md5
    ) -> Receipt {
        Receipt(
            destination: destination, key: item.objectKey, role: item.role, item: item.id, sha256: item.sha256,
            size: item.size, objectID: "o", version: "v", eTag: nil, updatedAt: nil, verifiedAt: verified,
            proof: proof)
    }

    static func observation(_ name: FilePath, size: Int64 = 7, after seconds: Double = 0, isSettled: Bool = true)
        -> Observation
    {
        Observation(name: name.name, size: size, modifiedAt: FileTime(now + seconds), isSettled: isSettled)
    }

    /// Has a walk see the file at `path`.
    func see(_ path: FilePath, size: Int64 = 7, after seconds: Double = 0, at date: Date = now) async throws {
        _ = try await library.merge(
            Self.observation(path, size: size, after: seconds), at: path, root: root.id, origin: .backlog, now: date)
    }

    /// Has a look miss the file at `path`.
    func miss(_ path: FilePath) async throws {
        _ = try await library.merge(nil, at: path, root: root.id, origin: .backlog, now: Self.now)
    }

    /// Has the file of `item` seen, read and stored, or its picture.
    func store(_ item: Item, _ receipt: Receipt? = nil) async throws {
        if item.role == .original { try await library.see(item, below: root) }
        try await library.record([(receipt ?? Self.receipt(item), item)])
    }

    func asset(_ path: FilePath) async throws -> Asset {
        try #require(try await library.asset(root: root.name, path: path))
    }

    func state(_ path: FilePath) async throws -> Asset.State? {
        try await library.asset(root: root.name, path: path)?.state
    }

    /// The moves that may have taken place or still may.
    var moves: [Move] {
        get async throws { try await library.expectedMoves(destination: Self.destination) }
    }

    func attempts(_ item: Item) async throws -> [Attempt] {
        try await library.attempts(at: item.objectKey, destination: Self.destination)
    }

    /// Marks the object of `item` for the sake of its own file, or of the one that is there under `other`.
    func mark(_ item: Item, _ mark: ObjectMark, for other: FilePath? = nil) async throws {
        let name = other ?? item.filePath
        try await library.change(
            """
            INSERT OR REPLACE INTO marks (destination, key, sha256, mark, directory, name)
            SELECT destination, key, sha256, \(mark.rawValue), directory, ? FROM receipts WHERE key = ?
            """, .blob(name.name), .text(item.objectKey.text))
    }
}

extension Library {
    /// Has `assets` read again, and sent again where there is an order to, given at that time.
    func request(_ assets: [Asset], orderedAt order: Date?) throws {
        if let order { try request(assets, forcedAt: order) } else { try request(assets) }
    }

    /// Changes rows behind the back of the code under test.
    func change(_ sql: String, _ values: Value...) throws { try write(sql, binding: values) }

    /// The marks of all objects, in the order of their keys.
    func marks() throws -> [ObjectMark?] {
        try database.rows("SELECT mark FROM marks ORDER BY key") { ObjectMark(rawValue: $0.integer(0)) }
    }

    /// Does not wait for the disk, since no power is cut here.
    fileprivate func hurry() throws { try database.execute("PRAGMA synchronous = OFF") }

    /// The first column of the first row; `nil` for NULL, and where there is no row.
    func number(_ sql: String) throws -> Int64? {
        try database.first(sql) { $0.integerOrNil(0) } ?? nil
    }

    func texts(_ sql: String) throws -> [String] { try database.rows(sql) { $0.text(0) } }

    /// Puts the file at `path` into `state`, whatever led to that.
    func mark(_ path: FilePath, as state: Asset.State, brake: Asset.BrakeMark? = nil) throws {
        try write(
            "UPDATE assets SET state = ?, brake = ? WHERE name = ?", .integer(state.rawValue),
            Value(brake?.rawValue), .blob(path.name))
    }

    func brake(of path: FilePath) throws -> String? {
        try database.first("SELECT brake FROM assets WHERE name = ?", .blob(path.name)) { $0.textOrNil(0) } ?? nil
    }

    func pictures(of path: FilePath) throws -> Asset.Pictures? {
        try database.first("SELECT thumbnails FROM assets WHERE name = ?", .blob(path.name)) { $0.integer(0) }
            .flatMap(Asset.Pictures.init)
    }

    /// Every row of every table that the library keeps, but for its identity and what only counts changes.
    func rows() throws -> [String] {
        let tables = try texts(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        return try tables.filter { $0 != "timeline_changes" }.flatMap { table in
            // A row of an item that is kept here gets a new number whenever it is written.
            let columns = try texts("SELECT name FROM pragma_table_info('\(table)')").filter {
                table != "blocked" || $0 != "id"
            }
            let row = columns.map { "quote(\"\($0)\")" }.joined(separator: " || '|' || ")
            // A sum of none is as good as no sum.
            let isSome = columns.contains("count") ? "WHERE count != 0" : ""
            return try texts("SELECT \(row) FROM \"\(table)\" \(isSome) ORDER BY 1").map { "\(table): \($0)" }
        }.filter { !$0.hasPrefix("facts: 'computer'") }
    }
}
