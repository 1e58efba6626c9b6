import Fixtures
import Foundation
import Platform
import Queue
import Records
import TestSupport
import Testing

@testable import Catalog

/// A deletion is expected until it was answered or can no longer arrive.
@Suite struct DeletionTests {
    enum Step: Sendable {
        case asked(Date)
        case answered
        case forgotten
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [Step]
        let expectedSince: Date?

        init(_ fact: String, _ steps: [Step], _ expectedSince: Date?) {
            (testDescription, self.steps, self.expectedSince) = (fact, steps, expectedSince)
        }
    }

    private static let first = Items.now
    private static let second = Items.now + 60

    @Test(arguments: [
        Row("none was asked for", [], nil),
        Row("an answer without a request", [.answered], nil),
        Row("one that was given up", [.asked(first)], first),
        Row("one that was answered", [.asked(first), .answered], nil),
        Row("one that was given up, and another", [.asked(first), .asked(second)], second),
        Row("an answer to the second is none to the first", [.asked(first), .asked(second), .answered], first),
        Row("answers to both", [.asked(first), .asked(second), .answered, .answered], nil),
        Row("what can no longer arrive", [.asked(first), .asked(second), .forgotten], nil),
    ])
    func isExpected(row: Row) async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            let key = ObjectKey(text: "Pictures/a.jpg")
            // One under another key, and one at another destination, are not touched.
            let other = Deletion(destination: "here", key: ObjectKey(text: "Pictures/b.jpg"), notedAt: Self.first)
            try await library.noteDeletion(of: [other.key], destination: "here", at: Self.first)
            try await library.noteDeletion(of: [key], destination: "there", at: Self.first)
            for step in row.steps {
                switch step {
                case .asked(let date): try await library.noteDeletion(of: [key], destination: "here", at: date)
                case .answered: try await library.forgetDeletion(of: [key], destination: "here")
                case .forgotten:
                    for deletion in try await library.deletions(destination: "here") where deletion.key == key {
                        try await library.forget(deletion)
                    }
                    try await library.commit()
                }
            }
            // So a reader finds that begins with this.
            let reader = try #require(try Library.existing(at: path))
            let expected = row.expectedSince.map { [Deletion(destination: "here", key: key, notedAt: $0)] } ?? []
            #expect(try await reader.deletions(destination: "here") == expected + [other])
            #expect(
                try await reader.deletions(destination: "there")
                    == [Deletion(destination: "there", key: key, notedAt: Self.first)])
        }
    }

    @Test(arguments: [(0, true), (Attempt.echo, true), (Attempt.echo + 1, false)])
    func mayArriveForAWhile(_ seconds: Double, mayArrive: Bool) {
        let deletion = Deletion(destination: "here", key: ObjectKey(text: "Pictures/a.jpg"), notedAt: Self.first)
        #expect(deletion.mayArrive(at: Self.first + seconds) == mayArrive)
    }
}
