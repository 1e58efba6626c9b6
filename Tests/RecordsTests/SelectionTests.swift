import Foundation
import Platform
import Queue
import Records
import Testing

@Suite struct SelectionTests {
    /// What the user left out comes back only where a path names it.
    @Test(arguments: [
        (Selection.Which.failed, false, [Asset.State.failed, .unreadable]),
        (.missing, true, [.seen, .queued, .stored, .failed]),
        (.changed, true, [.held]),
        (.all, false, [.seen, .identifying, .queued, .stored, .failed, .unreadable, .indexed]),
        (.all, true, [.seen, .identifying, .queued, .stored, .failed, .unreadable, .indexed, .excluded]),
        (.failed, true, [.failed, .unreadable]),
    ])
    func whichStatesASelectionTakes(_ which: Selection.Which, namesPath: Bool, _ states: [Asset.State]) {
        var selection = Selection()
        selection.which = which
        if namesPath { selection.paths = ["/home/Pictures/a.jpg"] }
        #expect(Set(selection.states) == Set(states))
    }

    /// A path need not be UTF-8; commands send it to the agent as it is.
    @Test(arguments: [Array("/home/Bilder/ä.jpg".utf8), [0x2F, 0xFF, 0xFE], []])
    func aPathIsReadBackByteForByte(_ bytes: [UInt8]) throws {
        var selection = Selection()
        selection.paths = [FilePath(bytes: bytes)]
        selection.code = .http(503)
        selection.since = Date(timeIntervalSince1970: 1_800_000_000)
        selection.isForced = true
        let sent = try JSONEncoder().encode(selection)
        #expect(try JSONDecoder().decode(Selection.self, from: sent) == selection)
    }

    @Test func aPathThatIsNoBase64IsRefused() throws {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(RootedPath.self, from: Data(#"{"root": "Pictures", "path": "a.jpg"}"#.utf8))
        }
    }

    @Test(arguments: [("", nil), ("No network.", "No network.")])
    func aRunThatEndedSaysHow(_ said: String, _ message: String?) throws {
        let began = Date(timeIntervalSince1970: 1_800_000_000)
        let run = LastRun(.watch, began: began).ended(.temporary, said, at: began + 60)
        #expect(run.message == message)
        #expect(try JSONDecoder().decode(LastRun.self, from: JSONEncoder().encode(run)) == run)
        #expect(run.ending == .temporary && run.ended == began + 60 && run.command == .watch)
    }
}
