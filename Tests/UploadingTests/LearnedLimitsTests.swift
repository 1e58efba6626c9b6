import Fixtures
import Foundation
import Platform
import Supabase
import TestSupport
import Testing

@testable import Catalog
@testable import Queue
@testable import Uploading

/// Of the files that are known to be too large, one at a time is sent as a probe.
@Suite struct LearnedLimitsTests {
    private static let now = Items.now

    /// Runs `body` with the limits that these refusals at `now` teach.
    private static func with(
        _ refusals: [(Int64, SizeLimits.Way)], _ body: (LearnedLimits, Library) async throws -> Void
    ) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let book = LearnedLimits(library: library, bucket: "media")
            for (size, way) in refusals { try await book.learn(size, way, by: .storage, at: now) }
            try await body(book, library)
        }
    }

    private static func item(_ size: Int64) -> Item { Items.pending(FilePath("\(size).jpg"), size: size) }

    /// How a file is sent that would go in one request without limits; `nil` where it is not sent.
    private static func way(of item: Item, _ book: LearnedLimits, at date: Date = now) -> SizeLimits.Way? {
        if case .send(let way) = book.verdict(item, usual: .whole, at: date) { way } else { nil }
    }

    @Test func theFirstThatIsNoLargerTriesAndAllOthersWait() async throws {
        try await Self.with([(50, .whole), (50, .pieces)]) { book, _ in
            let probe = Self.item(60)
            #expect(Self.way(of: probe, book) == nil)
            book.doubt(upTo: 60)
            #expect(Self.way(of: Self.item(61), book) == nil)
            #expect(Self.way(of: probe, book) == .whole)
            #expect(Self.way(of: Self.item(55), book) == nil)
            #expect(Self.way(of: probe, book) == .whole, "a second try of the same one")
            #expect(Self.way(of: Self.item(49), book) == .whole, "nothing was ever in its way")
        }
    }

    @Test func aRefusalOfBothWaysEndsTheTry() async throws {
        try await Self.with([(50, .whole), (50, .pieces)]) { book, _ in
            let probe = Self.item(60)
            book.doubt(upTo: 60)
            _ = Self.way(of: probe, book)
            try await book.learn(60, .whole, by: .storage, at: Self.now)
            #expect(Self.way(of: probe, book) == .whole, "pieces are still to be tried")
            try await book.learn(60, .pieces, by: .storage, at: Self.now)
            #expect(Self.way(of: probe, book) == nil)
        }
    }

    @Test func whatIsTakenEndsTheLimit() async throws {
        try await Self.with([(50, .whole), (50, .pieces)]) { book, library in
            book.doubt(upTo: 60)
            let probe = Self.item(60)
            _ = Self.way(of: probe, book)
            #expect(try await book.passed(probe))
            #expect(Self.way(of: Self.item(1_000), book) == .whole)
            let again = LearnedLimits(library: library, bucket: "media")
            try await again.load()
            #expect(Self.way(of: Self.item(1_000), again) == .whole, "written down")
        }
    }

    @Test func aDayAfterARefusalOneTries() async throws {
        try await Self.with([(50, .whole), (50, .pieces)]) { book, _ in
            let (probe, tomorrow) = (Self.item(60), Self.now + 86_400)
            #expect(Self.way(of: probe, book, at: tomorrow - 1) == nil)
            #expect(Self.way(of: probe, book, at: tomorrow) == .whole)
            #expect(Self.way(of: Self.item(61), book, at: tomorrow) == nil)
            #expect(book.release(probe) && !book.release(probe))
            #expect(Self.way(of: Self.item(61), book, at: tomorrow) == .whole, "the first came to no end")
        }
    }

    @Test func oneRequestIsTriedAgainWherePiecesWereTaken() async throws {
        try await Self.with([(50, .whole)]) { book, _ throws in
            let (probe, tomorrow) = (Self.item(60), Self.now + 86_400)
            #expect(Self.way(of: probe, book) == .pieces)
            #expect(Self.way(of: probe, book, at: tomorrow) == .whole)
            #expect(Self.way(of: Self.item(61), book, at: tomorrow) == .pieces)
            #expect(try await !book.passed(probe), "nothing waited for that")
            #expect(Self.way(of: Self.item(61), book) == .whole)
        }
    }
}
