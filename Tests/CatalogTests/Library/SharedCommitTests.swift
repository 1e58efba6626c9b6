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
