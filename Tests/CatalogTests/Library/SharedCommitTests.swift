import Database
import Fixtures
import Platform
import Queue
import Records
import TestSupport
import Testing

@testable import Catalog

/// What several callers write at the same time becomes durable together, or fails for all of them.
@Suite struct SharedCommitTests {
    private static let items = ["a.jpg", "b.jpg", "c.jpg"].map { Shelf.item($0) }

    /// A call that returns once what it has written is durable.
    struct Caller: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let call: @Sendable (Library) async throws -> Void
    }

    private static let callers = [
        Caller(testDescription: "an attempt") { try await $0.remember(items[0], destination: Shelf.destination) },
        Caller(testDescription: "a replacement") {
            let changed = Shelf.item(items[0].filePath, content: "changed")
            try await $0.noteReplacement(by: changed, destination: Shelf.destination)
        },
        Caller(testDescription: "a move of an item") {
            try await $0.noteMove(
                of: items[0], from: items[1].objectKey, destination: Shelf.destination, at: Shelf.now)
        },
        Caller(testDescription: "a move of what a receipt is about") {
            try await $0.noteMove(of: Shelf.receipt(items[0]), to: items[1].objectKey, at: Shelf.now)
        },
        Caller(testDescription: "a deletion") {
            try await $0.noteDeletion(of: [items[0].objectKey], destination: Shelf.destination, at: Shelf.now)
        },
        Caller(testDescription: "the end of a deletion") {
            try await $0.forgetDeletion(of: [items[0].objectKey], destination: Shelf.destination)
        },
    ]

    @Test(arguments: callers) func theCallerGetsTheFailureOfTheCommit(_ caller: Caller) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.items[0])
        try await shelf.library.failCommits()
        let failure = await #expect(throws: DatabaseError.self) { try await caller.call(shelf.library) }
        #expect(failure?.message == "FOREIGN KEY constraint failed")
        try await shelf.library.allowCommits()
        try await caller.call(shelf.library)
    }

    @Test func callersAtTheSameTimeShareOneCommit() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let shelf = try await Shelf(at: path)
            try await shelf.library.commit()
            let other = try Library(path: path, isReadOnly: true)
            let commits = try await shelf.library.begin(Self.items, isFailing: false)
            #expect(Set(commits).count == 1)
            for commit in commits { try await commit.value }
            #expect(try await other.attempted(Self.items) == Self.items.map(\.objectKey))
            // The next one is not told of a commit that took place before its write.
            let next = Shelf.item("d.jpg")
            try await shelf.library.remember(next, destination: Shelf.destination)
            #expect(try await other.attempted([next]) == [next.objectKey])
        }
    }

    @Test func whatWritesNothingWaitsForNoOther() async throws {
        try await FileTree().withDirectory { folder in
            let shelf = try await Shelf(at: folder.appending("library.sqlite"))
            try await shelf.library.noteAttempt(Self.items[0], destination: Shelf.destination)
            let commit = try await shelf.library.begin { _ in }
            #expect(commit == nil)
        }
    }

    /// The disk fails another caller before the commit.
    @Test func whatIsTakenBackIsDurableForNone() async throws {
        try await FileTree().withDirectory { folder in
            let shelf = try await Shelf(at: folder.appending("library.sqlite"))
            try await shelf.library.prepareFaults()
            let commits = try await shelf.library.begin(Self.items, isFailing: true)
            for commit in commits {
                await #expect(throws: DatabaseError.self) { try await commit.value }
            }
            #expect(try await shelf.library.attempted(Self.items) == [])
            try await shelf.library.remember(Self.items[0], destination: Shelf.destination)
            #expect(try await shelf.library.attempted(Self.items) == [Self.items[0].objectKey])
        }
    }
}

extension Library {
    /// Has every commit fail, as by a reference to a row that is not there: what was written stays in its transaction.
    fileprivate func failCommits() throws {
        try commit()
        try database.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TEMP TABLE met (id INTEGER PRIMARY KEY);
            CREATE TEMP TABLE wanting (id INTEGER REFERENCES met (id) DEFERRABLE INITIALLY DEFERRED);
            """)
        try change("INSERT INTO temp.wanting VALUES (1)")
    }

    fileprivate func allowCommits() throws { try change("INSERT INTO temp.met VALUES (1)") }

    /// Notes attempts at `items`, as callers do of which each waits for the disk; then, where it fails, another write does.
    fileprivate func begin(_ items: [Item], isFailing: Bool) throws -> [Task<Void, any Error>] {
        let commits = try items.compactMap { item in
            try begin { try $0.noteAttempt(item, destination: Shelf.destination) }
        }
        if isFailing {
            try failWrite(1)
            #expect(throws: DatabaseError.self) { try noteAttempt(items[0], destination: Shelf.destination) }
        }
        return commits
    }

    /// Of the keys of `items`, those with an attempt.
    fileprivate func attempted(_ items: [Item]) throws -> [ObjectKey] {
        try items.map(\.objectKey).filter { try !attempts(at: $0, destination: Shelf.destination).isEmpty }
    }
}
