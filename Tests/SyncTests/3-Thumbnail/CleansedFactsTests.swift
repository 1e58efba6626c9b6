import MediaModel
import TestSupport
import Testing

@testable import Sync

/// Words of files and decoders, before they are kept and shown.
@Suite struct CleansedFactsTests {
    private static func facts(_ change: (inout MediaFacts) -> Void) -> MediaFacts {
        var facts = MediaFacts(kind: .video, type: .mp4)
        change(&facts)
        return facts.cleansed
    }

    /// None begins a line, moves a cursor or turns the direction of what follows, wherever it comes from.
    @Test(arguments: ["a\nb", "a\u{1B}[2Jb", "a\u{202E}b", "a\u{0}b", "a\rb"])
    func noTextHasControlCharacters(text: String) throws {
        let facts = Self.facts {
            ($0.codec, $0.camera, $0.contentIdentifier) = (text, text, text)
            $0.chapters = [Chapter(start: 1, title: text), Chapter(start: 2, title: nil)]
            $0.notes = [text]
        }
        let titles = try #require(facts.chapters).map(\.title)
        let texts = [facts.codec, facts.camera, facts.contentIdentifier, titles[0], facts.notes[0]].compactMap(\.self)
        #expect(texts.count == 5 && titles.count == 2 && titles[1] == nil)
        for text in texts {
            #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 0x202E }, "\(text)")
            #expect(text.hasPrefix("a"))
        }
    }

    /// At the limits everything stays; beyond them the first stay.
    @Test(arguments: [0, 1, 200, 201, 5_000])
    func ofChaptersTheFirstStay(count: Int) {
        let facts = Self.facts { $0.chapters = (0..<count).map { Chapter(start: Double($0), title: "\($0)") } }
        #expect(facts.chapters?.map(\.start) == (0..<min(200, count)).map(Double.init))
    }

    @Test(arguments: [0, 20, 21, 1_000])
    func ofNotesTheFirstStay(count: Int) {
        let facts = Self.facts { $0.notes = (0..<count).map { "note \($0)" } }
        #expect(facts.notes == (0..<min(20, count)).map { "note \($0)" })
    }

    /// A name as long as a name may be is kept whole, and a longer one is cut.
    @Test(arguments: [99, 100, 101, 100_000])
    func aLongNameIsCut(length: Int) throws {
        let name = String(repeating: "x", count: length)
        let facts = Self.facts {
            $0.camera = name
            $0.chapters = [Chapter(start: 0, title: name)]
        }
        for text in [try #require(facts.camera), try #require(facts.chapters?[0].title)] {
            #expect((text == name) == (length <= 100))
            #expect(text.count <= 101 && text.hasPrefix(name.prefix(99)))
        }
    }

    /// What is no text is as it was, and what was not stated is not made up.
    @Test func numbersStayAsTheyAre() {
        let facts = Self.facts { ($0.width, $0.height, $0.duration, $0.camera) = (4, 3, 1.5, "X100") }
        #expect(facts.width == 4 && facts.height == 3 && facts.duration == 1.5 && facts.camera == "X100")
        #expect(facts.codec == nil && facts.chapters == nil && facts.contentIdentifier == nil && facts.notes == [])
    }
}
