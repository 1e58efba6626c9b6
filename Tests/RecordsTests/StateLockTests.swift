import Configuration
import Foundation
import Platform
import Records
import TestSupport
import Testing

@Suite struct StateLockTests {
    private func withLocations(_ body: (Locations) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            try await body(try Locations(for: LocationRequest(environment: ["HOME": folder.display], user: 7)))
        }
    }

    @Test func aLockThatIsHeldSaysWhoHoldsIt() async throws {
        try await withLocations { locations in
            #expect(try StateLock.holder(locations) == nil)
            guard case .taken(let lock) = try StateLock.acquire(locations) else {
                Issue.record("not taken")
                return
            }
            guard case .held(let holder) = try StateLock.acquire(locations) else {
                Issue.record("taken twice")
                return
            }
            #expect(holder?.processID == Host.processID)
            #expect(holder?.socket == locations.controlSocket.display)
            #expect(try StateLock.holder(locations) == holder)
            withExtendedLifetime(lock) {}
        }
    }

    /// Where the state lies below a directory whose name is no text, such as one of another encoding.
    @Test(arguments: [[0xFF], [0x42, 0xFC, 0x63, 0x68, 0x65, 0x72], Array("Bücher".utf8), Array("a\nb".utf8)])
    func itsSocketIsFoundWhateverItsPathIs(_ name: [UInt8]) async throws {
        try await FileTree().withDirectory { folder in
            let below = folder.appending(FilePath(bytes: name))
            let locations = try Locations(
                for: LocationRequest(environment: ["HOME": folder.display], stateDirectory: below, user: 7))
            guard case .taken(let lock) = try StateLock.acquire(locations) else {
                Issue.record("not taken")
                return
            }
            // Not one of the temporary directory, as a path of more than 107 bytes would get.
            #expect(locations.controlSocket.parent == below.appending("run"))
            #expect(try StateLock.holder(locations)?.controlSocket == locations.controlSocket)
            withExtendedLifetime(lock) {}
        }
    }

    /// What a holder of an earlier version wrote.
    @Test func aHolderOfAnEarlierVersionIsAskedWhereItSays() async throws {
        try await withLocations { locations in
            try Directory.create(at: locations.state)
            let said = Array(#"{"processID":42,"socket":"/run/user/7/s.sock"}"#.utf8)
            let lock = try #require(try FileLock.acquire(locations.lock, contents: said))
            let holder = try #require(try StateLock.holder(locations))
            #expect(holder.processID == 42)
            #expect(holder.controlSocket == "/run/user/7/s.sock")
            withExtendedLifetime(lock) {}
        }
    }

    /// The holder writes after it has locked, and its disk may be full.
    @Test func aHolderMayNotHaveSaidWhoItIs() async throws {
        try await withLocations { locations in
            try Directory.create(at: locations.state)
            let lock = try #require(try FileLock.acquire(locations.lock, contents: Array("{".utf8)))
            #expect(try StateLock.holder(locations) == nil)
            guard case .held(nil) = try StateLock.acquire(locations) else {
                Issue.record("not held, or by a known one")
                return
            }
            withExtendedLifetime(lock) {}
        }
    }

    @Test func theDirectoryOfTheStateIsForItsUserAlone() async throws {
        try await withLocations { locations in
            guard case .taken = try StateLock.acquire(locations) else {
                Issue.record("not taken")
                return
            }
            #expect((try FileFacts.existing(locations.state)?.mode).map { $0 & 0o777 } == 0o700)
        }
    }

    /// As with a home that is not the user's own, or a slip in `--state-dir`.
    @Test(arguments: [
        Fact("a file in the way", "file", "File exists. Name another place"),
        Fact("a link to nothing", "gone/x", "No such file or directory. Name another place"),
        Fact("where nothing can be made", "/proc/none", "No such file or directory. Name another place"),
        Fact("a name that is too long", String(repeating: "x", count: 256), "File name too long. Name another place"),
    ])
    func aStateThatCannotBeKeptThereAsksForAnotherPlace(_ row: Fact<String, String>) async throws {
        let tree: FileTree = ["file": "x", "gone": .symlink(to: "none")]
        try await tree.withDirectory { folder async throws in
            let place = row.input.hasPrefix("/") ? row.input : folder.appending(FilePath(row.input)).display
            let locations = try Locations(
                for: LocationRequest(environment: ["HOME": folder.display], stateDirectory: FilePath(place), user: 7))
            let refusal = #expect(throws: Refusal.self) { _ = try StateLock.acquire(locations) }
            guard case .needsHuman(let sentence) = refusal?.ending else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(sentence.hasPrefix(place) && sentence.contains("cannot be written: \(row.output) with --state-dir"))
        }
    }
}
