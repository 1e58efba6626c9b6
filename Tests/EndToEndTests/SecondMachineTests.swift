import Foundation
import Platform
import TestSupport
import Testing

/// Another computer needs nothing but a sign-in to restore everything.
@Suite struct SecondMachineTests {
    private static let names: [FilePath] = [
        "plain.jpg", "Zo\u{E9}.jpg", "Zoe\u{301}.jpg", "A.jpg", "a.jpg",
        FilePath(bytes: [0x66, 0xFF, 0xFE] + ".jpg".utf8),
        FilePath(bytes: [UInt8](repeating: 0x6E, count: 251) + ".jpg".utf8),
        FilePath(String(repeating: "\u{20AC}", count: 83) + ".jpeg"), "100% #1 ?&+ [x] {y}!.jpg", "a\nb\u{1}.jpg",
        " leading and trailing .jpg", "!!looks like ours.jpg", "\u{1F4F7}.jpg", "-rf.jpg", "~.jpg",
    ]

    private static let places =
        names + [
            FilePath("sub").appending("deep \u{E9}").appending("a.jpg"), FilePath("Sub").appending("A.jpg"),
        ]

    /// What a restored file must have kept.
    private struct Kept: Hashable {
        let modifiedAt: FileTime
        let sha256: String

        init(_ path: FilePath) throws {
            let file = try OpenFile(reading: path)
            (modifiedAt, sha256) = (try file.facts().modifiedAt, SHA256.hash(try file.readAll()).hexadecimal)
        }
    }

    @Test func loginAndRestoreBringBackNamesTimesAndBytes() async throws {
        try await ProgramFixture.ofUser { fixture, server in
            var kept: [FilePath: Kept] = [:]
            for (number, place) in Self.places.enumerated() {
                let path = fixture.gallery.appending(place)
                try Directory.create(at: path.parent)
                let file = try OpenFile(creating: path)
                try file.append([UInt8](repeating: UInt8(number), count: 1 + number * 1_000))
                try file.setModified(
                    FileTime(nanoseconds: 1_000_000_000_123_456_789 + Int64(number) * 77_777_777_777_777))
                kept[place] = try Kept(path)
            }
            try await fixture.login(at: server)
            let end = try await fixture.run("sync", fixture.gallery.display)
            #expect(end.code == 0, "\(end.notes)")

            let other = fixture.onAnotherMachine()
            try await other.login(at: server)
            let target = fixture.folder.appending("back")
            let back = try await other.run("restore", "--to", target.display)
            #expect(back.code == 0, "\(back.notes)")
            for place in Self.places {
                let path = target.appending("Pictures").appending(place)
                #expect(try Kept(path) == kept[place], "\(place)")
            }
            #expect(try FileTree(at: target).count == Self.places.count)
        }
    }
}

extension FileTree {
    /// Files at any depth.
    fileprivate var count: Int {
        nodes.values.reduce(0) { count, node in
            if case .directory(let tree) = node { count + tree.count } else { count + 1 }
        }
    }
}
