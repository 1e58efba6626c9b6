import TestSupport
import Testing

@testable import StorageServer

/// What a form says does not depend on the pieces in which it arrives, be it honest or not.
@Suite struct FormSplitTests {
    /// What a form comes to: its parts with their bytes, and whether it ended; `nil` where it is refused.
    private struct Outcome: Equatable {
        var parts: [FormReader.Part] = []
        var contents: [[UInt8]] = []
        var ended = 0
        var isComplete = false
    }

    private static func outcome(_ pieces: some Sequence<ArraySlice<UInt8>>) -> Outcome? {
        var (reader, outcome) = (FormReader(boundary: "XbX"), Outcome())
        for piece in pieces {
            guard let events = try? reader.read(Array(piece)) else { return nil }
            for event in events {
                switch event {
                case .part(let part):
                    outcome.parts.append(part)
                    outcome.contents.append([])
                case .bytes(let bytes): outcome.contents[outcome.contents.count - 1] += bytes
                case .partEnded: outcome.ended += 1
                }
            }
        }
        outcome.isComplete = reader.isComplete
        return outcome
    }

    private static func pieces(of bytes: [UInt8], _ size: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
    }

    private static func form(header: String, _ content: String = "c") -> String {
        "--XbX\r\n\(header)\r\n\r\n\(content)\r\n--XbX--\r\n"
    }

    /// The first line and the line of padding together are as long as asked for.
    private static func header(of count: Int) -> String {
        let line = "Content-Disposition: form-data; name=\"a\"\r\nX: "
        return line + String(repeating: "x", count: count - line.utf8.count)
    }

    // The limit counts the line end before the header, which is kept, and the two behind it.
    private static let longest = (16 << 10) - 6

    @Test(arguments: [(longest, true), (longest + 1, false), (2 * longest, false)])
    func aHeaderIsAsLongAsIsAllowedHoweverItArrives(count: Int, isRead: Bool) {
        let bytes = Array(Self.form(header: Self.header(of: count)).utf8)
        for size in [97, 4096, bytes.count] {
            let outcome = Self.outcome(Self.pieces(of: bytes, size))
            #expect((outcome != nil) == isRead, "in pieces of \(size)")
            #expect(outcome.map { $0.contents == [Array("c".utf8)] && $0.isComplete } ?? true, "in pieces of \(size)")
        }
    }

    /// Forms put together at random from what forms are made of.
    @Test func noCutChangesWhatAFormSays() {
        var random = SeededGenerator(seed: 7578)
        let words = [
            "--XbX", "\r\n", "--", "\r\n--XbX", "\r\n\r\n", "x", "-", "\r", "\n", "Content-Type: a/b", "--XbX--",
            "Content-Disposition: form-data; name=\"n\"", "--Xb", "\r\n--XbX--", "\0", ": ", "XbX",
        ]
        var outcomes = (read: 0, refused: 0, complete: 0)
        for _ in 0..<400 {
            let begins = Bool.random(using: &random)
            let text = (begins ? "--XbX\r\n" : "") + (0..<12).map { _ in words.randomElement(using: &random)! }.joined()
            let bytes = Array(text.utf8)
            let whole = Self.outcome([bytes[...]])
            for size in [1, 2, 3, 5, 8] {
                #expect(Self.outcome(Self.pieces(of: bytes, size)) == whole, "\(text.debugDescription) by \(size)")
            }
            outcomes.refused += whole == nil ? 1 : 0
            outcomes.read += whole?.parts.isEmpty == false ? 1 : 0
            outcomes.complete += whole?.isComplete == true ? 1 : 0
        }
        #expect(outcomes.refused > 20 && outcomes.read > 20 && outcomes.complete > 20, "\(outcomes)")
    }

    /// Bytes that resemble a delimiter, as a file may have them anywhere.
    @Test func aContentComesThroughWhateverItIs() {
        var random = SeededGenerator(seed: 2046)
        let words = ["\r\n--Xb", "\r", "\n", "\r\n", "--XbX", "\r\n-", "\r\n--", "X", "\r\r\n--XbY", "\0"]
        for _ in 0..<300 {
            let content = (0..<Int.random(in: 0...9, using: &random)).map { _ in words.randomElement(using: &random)! }
                .joined()
            // What holds the delimiter itself would end there.
            guard !("\r\n" + content + "\r\n").contains("\r\n--XbX") else { continue }
            let bytes = Array(Self.form(header: "A: b", content).utf8)
            for size in [1, 4, bytes.count] {
                let outcome = Self.outcome(Self.pieces(of: bytes, size))
                #expect(outcome?.contents == [Array(content.utf8)], "\(content.debugDescription) by \(size)")
                #expect(outcome?.isComplete == true)
            }
        }
    }
}
