import Catalog
import Fixtures
import FoundationEssentials
import Queue
import Records
import Testing

@testable import Reporting

/// What `why` says would move a file.
@Suite struct WhyMovesTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let file: WaitingFile
        let words: [String]

        init(
            _ description: String, _ state: Asset.State, items: [Item] = [], code: FailureCode? = nil,
            pictures: Asset.Pictures = .made, autoUpload: Bool = true, isPaused: Bool = false, _ words: String...
        ) {
            testDescription = description
            file = WaitingFile(
                state: state, code: code, pictures: pictures, items: items, autoUpload: autoUpload, isPaused: isPaused)
            self.words = words
        }
    }

    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [
        Row("stored with its pictures", .stored),
        Row("thumbnails owed", .stored, pictures: .wanted, "thumbnails are still owed"),
        Row("a thumbnail lost", .stored, pictures: .lost, "thumbnails are still owed"),
        Row("not read yet", .seen, "\"gallery-sync sync\" reads and sends it"),
        Row("paused", .seen, isPaused: true, "queue resume", "reads and sends it"),
        Row("paused, and nothing of it waits", .stored, isPaused: true),
        Row("too large", .failed, code: .http(413), "Raise the size limit"),
        Row("not readable", .unreadable, code: FailureCode("file.EACCES"), "Let this user read the file"),
        Row("not to be sent by itself", .indexed, autoUpload: false, "reupload FILE"),
    ])
    func whatMovesAFile(_ row: Row) {
        let said = Explanation.moves(row.file, at: Self.now)
        #expect(said.count == row.words.count, "\(said)")
        for (sentence, words) in zip(said, row.words) { #expect(sentence.contains(words)) }
    }
}
