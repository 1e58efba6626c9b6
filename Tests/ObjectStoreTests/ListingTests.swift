import Database
import TestSupport
import Testing

@testable import ObjectStore

/// Every page of a list, compared with a list that is made of all keys in memory.
@Suite struct ListingTests {
    /// Keys that sort, group or end in ways that tell a mistake.
    struct Keys: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keys: [String]

        init(_ sentence: String, _ keys: String...) { (testDescription, self.keys) = (sentence, keys) }
    }

    static let tables = [
        Keys("nothing at all"),
        Keys("one key", "a"),
        Keys("a key that is also a folder", "a", "a/b", "a/c"),
        Keys("a key that ends with a slash, with others below it", "trail/", "trail/x", "trail/y", "trails"),
        Keys("the marker of an empty folder", "album/.emptyFolderPlaceholder", "album/1", "album2/1"),
        Keys("keys that only differ in case", "A/x", "a/X", "a/x", "B", "b"),
        Keys("signs below and above the slash in ASCII", "a b", "a!b", "a.b", "a/b", "a0b", "a-b", "a"),
        Keys("two slashes in a row", "a//b", "a/b", "a///c", "/a", "//a"),
        Keys("a slash alone", "/", "//", "a"),
        Keys("folders within folders", "a/b/c/d", "a/b/c", "a/b", "a/bb/c", "ab/c"),
        Keys("names that begin with others", "1", "10", "100", "2", "20"),
        Keys("folders that sort among keys", "a", "b/1", "b/2", "c", "d/1", "e"),
    ]

    private static let columns = ["name", "created_at", "updated_at"]
    static let orders = columns.flatMap { column in
        ["asc", "desc"].map { ListingOrder(ListingCursor(last: "", order: $0, column: column)) }
    }

    /// An index in memory with an object for each key; the later its key, the earlier it was made.
    static func index(_ keys: [String]) throws -> Connection {
        let index = try IndexSchema.open(":memory:")
        try index.put(IndexedBucket(named: "b"))
        try index.put(IndexedBucket(named: "other"))
        for (place, key) in keys.enumerated() {
            var object = IndexedObject(made: key, version: "v\(place)")
            (object.createdAt, object.updatedAt) = (1000 - Int64(place), 500 + Int64(place % 3))
            try index.put(object)
            // A bucket sees its own objects only.
            object.bucket = "other"
            (object.key, object.version) = (key + "x", "w\(place)")
            try index.put(object)
        }
        return index
    }

    /// The cursor that a client gets after `entry`.
    private static func cursor(_ entry: ListingEntry, _ order: ListingOrder) throws -> ListingCursor {
        var cursor = ListingCursor(
            last: entry.name, order: order.isDescending ? "desc" : "asc", column: order.column.rawValue)
        if order.column != .name, case .object(let object) = entry {
            cursor.time = ServerTime(milliseconds: order.time(of: object)).iso8601
        }
        return try ListingCursor(encoded: cursor.encoded)
    }

    /// The entries of all pages of `limit`, or of as many as there may be at most.
    private static func paged(
        _ index: Connection, _ order: ListingOrder, below prefix: String, hasDelimiter: Bool, limit: Int
    ) throws -> [ListingEntry] {
        var all: [ListingEntry] = []
        var after: ListingCursor?
        for _ in 0..<40 {
            let page = try Listing(
                ListingQuery(
                    bucket: "b", prefix: prefix, limit: limit, hasDelimiter: hasDelimiter, order: order, after: after),
                from: index)
            #expect(page.entries.count == limit || !page.hasNext)
            all += page.entries
            guard page.hasNext, let last = page.entries.last else { return all }
            after = try cursor(last, order)
        }
        return all
    }

    /// The same list, made in memory by the rules of the contract.
    private static func expected(_ keys: [String], below prefix: String, hasDelimiter: Bool) -> Set<String> {
        Set(
            keys.filter { $0.utf8.starts(with: prefix.utf8) }.map { key in
                let rest = key.dropFirst(prefix.count)
                guard hasDelimiter, let slash = rest.firstIndex(of: "/") else { return key }
                return prefix + rest[...slash]
            })
    }

    @Test(arguments: tables, orders)
    func pagesOfAnySizeTogetherAreTheWholeList(_ table: Keys, _ order: ListingOrder) throws {
        let index = try Self.index(table.keys)
        for prefix in ["", "a", "a/", "trail/", "/", "none/"] {
            for hasDelimiter in [false, true] {
                let names = Self.expected(table.keys, below: prefix, hasDelimiter: hasDelimiter)
                let whole = try Self.paged(index, order, below: prefix, hasDelimiter: hasDelimiter, limit: 1000)
                #expect(Set(whole.map(\.name)) == names)
                #expect(whole.count == names.count)
                for limit in 1...3 {
                    let paged = try Self.paged(index, order, below: prefix, hasDelimiter: hasDelimiter, limit: limit)
                    #expect(
                        paged.map(\.name) == whole.map(\.name),
                        "\(limit) at once below “\(prefix)”, \(hasDelimiter ? "one level" : "all")")
                }
            }
        }
    }

    @Test(arguments: tables)
    func namesComeInTheOrderOfTheirBytes(_ table: Keys) throws {
        let index = try Self.index(table.keys)
        for hasDelimiter in [false, true] {
            let up = try Self.paged(index, Self.orders[0], below: "", hasDelimiter: hasDelimiter, limit: 1000)
            let down = try Self.paged(index, Self.orders[1], below: "", hasDelimiter: hasDelimiter, limit: 1000)
            let bytes = up.map { Array($0.name.utf8) }
            #expect(bytes == bytes.sorted { $0.lexicographicallyPrecedes($1) })
            #expect(down.map(\.name) == up.reversed().map(\.name))
        }
    }

    @Test(
        arguments: [
            Fact("everything at the top", "", ["a", "album", "B", "Z.jpg"]),
            Fact("a folder with its slash", "album/", ["1.jpg", "10.jpg", "deep", "Two.jpg"]),
            Fact("another case of it", "ALBUM/", ["1.jpg", "10.jpg", "deep", "Two.jpg"]),
            Fact("a level below", "album/deep/", ["x"]),
            Fact("an object is no folder", "a/", []),
            Fact("the beginning of a folder's name is none", "alb/", []),
            Fact("a folder that there is not", "none/", []),
        ] as [Fact<String, [String]>])
    func aLevelHoldsItsOwnNames(_ fact: Fact<String, [String]>) throws {
        let keys = ["a", "B/x", "Z.jpg", "album/1.jpg", "album/10.jpg", "album/Two.jpg", "album/deep/x", "album/"]
        let index = try Self.index(keys)
        let names = try level(fact.input, in: index).map { name in
            // An object has its whole key, a folder only its name.
            name.lowercased().hasPrefix(fact.input.lowercased()) ? String(name.dropFirst(fact.input.count)) : name
        }
        #expect(names == fact.output)
        #expect(try level(fact.input, in: index, isDescending: true) == level(fact.input, in: index).reversed())
    }

    private func level(
        _ prefix: String, in index: Connection, search: String = "", isDescending: Bool = false,
        visibleTo caller: Caller = Caller(role: .service, subject: nil)
    ) throws -> [String] {
        let query = FolderListing.Query(
            bucket: "b", prefix: prefix, search: search, column: .name, isDescending: isDescending)
        return try FolderListing(query, visibleTo: caller, from: index).entries.map(\.name)
    }

    @Test(
        arguments: [
            Fact("what begins so", "im", ["IMG_1.jpg", "img_2.jpg"]), Fact("in any case", "IMG_2", ["img_2.jpg"]),
            Fact("a sign of patterns is a sign", "%", []), Fact("so is an underscore", "im_", []),
            Fact("folders, too", "s", ["sub"]), Fact("nothing begins so", "x", []),
            Fact("a search into a folder finds the folder", "sub/in", ["sub"]),
        ] as [Fact<String, [String]>])
    func aSearchIsForTheBeginningOfNames(_ fact: Fact<String, [String]>) throws {
        let index = try Self.index(["IMG_1.jpg", "img_2.jpg", "other.jpg", "sub/inside.jpg"])
        #expect(try level("", in: index, search: fact.input) == fact.output)
    }

    @Test(
        arguments: [
            Fact("the service sees all", Caller(role: .service, subject: nil), ["me", "you"]),
            Fact("a user sees the own folder", Caller(role: .user, subject: "me"), ["me"]),
            Fact("a user without an id sees nothing", Caller(role: .user, subject: ""), []),
            Fact("another user sees nothing", Caller(role: .user, subject: "m"), []),
            Fact("a stranger sees nothing", .anyone, []),
        ] as [Fact<Caller, [String]>])
    func aLevelShowsWhatItsCallerOwns(_ fact: Fact<Caller, [String]>) throws {
        let index = try Self.index(["me/1", "me/2", "you/1"])
        #expect(try level("", in: index, visibleTo: fact.input) == fact.output)
    }
}
