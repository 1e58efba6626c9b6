import Foundation
import Platform
import TestSupport
import Testing

@testable import ObjectStore

/// The folder of an embedded server: who has it, and the secret that its tokens are signed with.
@Suite struct DataFolderTests {
    private static let long = String(repeating: "s", count: DataFolder.secretLength)

    /// Who may do what with a file.
    private static func mode(of path: FilePath) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path.display)[.posixPermissions] as? Int
    }

    @Test func aFolderIsMadeAndItsSecretStaysTheSame() async throws {
        try await FileTree().withDirectory { parent in
            let path = parent.appending("deep/storage")
            let first = try DataFolder(path, secret: nil)
            #expect(first.secret.utf8.count == 64)
            #expect(try Self.mode(of: path.appending("secret")) == 0o600)
            first.unlock()
            let again = try DataFolder(path, secret: nil)
            #expect(again.secret == first.secret)
            again.unlock()
            let other = try DataFolder(parent.appending("other"), secret: nil)
            #expect(other.secret != first.secret)
        }
    }

    /// A secret that is given is used, and written nowhere.
    @Test func aSecretThatIsGivenIsNotKept() async throws {
        try await FileTree().withDirectory { path in
            let folder = try DataFolder(path, secret: Self.long)
            #expect(folder.secret == Self.long)
            #expect(try FileFacts.existing(path.appending("secret")) == nil)
        }
    }

    @Test(arguments: [
        (long, long), (long + "\n", long), (long + "\r\n", long), (long + "\nmore", long), (long + "x", long + "x"),
    ])
    func aSecretEndsWithItsLine(_ kept: String, _ secret: String) async throws {
        try await FileTree().withDirectory { path in
            try LocalDisk(directory: path).replace("secret", with: Array(kept.utf8))
            #expect(try DataFolder(path, secret: nil).secret == secret)
        }
    }

    /// An empty file is what a power cut may leave of the first start.
    @Test(arguments: ["", "\n", "\r\n"])
    func anEmptySecretIsMadeAnew(_ kept: String) async throws {
        try await FileTree().withDirectory { path in
            try LocalDisk(directory: path).replace("secret", with: Array(kept.utf8))
            let folder = try DataFolder(path, secret: nil)
            #expect(folder.secret.utf8.count == 64)
            #expect(try LocalDisk(directory: path).read("secret") == Array((folder.secret + "\n").utf8))
        }
    }

    /// One byte less could be guessed; what is wrong is said without the secret.
    @Test(arguments: [true, false])
    func aShortSecretIsRefused(_ isGiven: Bool) async throws {
        try await FileTree().withDirectory { path in
            let short = String(Self.long.dropLast())
            if !isGiven { try LocalDisk(directory: path).replace("secret", with: Array(short.utf8)) }
            let error = #expect(throws: WeakSecret.self) { try DataFolder(path, secret: isGiven ? short : nil) }
            #expect(error?.length == DataFolder.secretLength - 1)
            #expect(error?.description.contains(short) == false)
            #expect(error?.description.contains(isGiven ? "GALLERY_SYNC_JWT_SECRET" : "secret") == true)
            // No server holds it afterwards.
            #expect(try !DataFolder.isInUse(path))
        }
    }

    @Test func aFolderIsUsedByOneProcessAtATime() async throws {
        try await FileTree().withDirectory { path in
            #expect(try !DataFolder.isInUse(path.appending("none")))
            let folder = try DataFolder(path, secret: Self.long)
            #expect(try DataFolder.isInUse(path))
            let error = #expect(throws: StorageFolderInUse.self) { try DataFolder(path, secret: Self.long) }
            #expect(error?.description == "\(path.display): in use by process \(Host.processID)")
            folder.unlock()
            #expect(try !DataFolder.isInUse(path))
            _ = try DataFolder(path, secret: Self.long)
        }
    }

    /// The keys are written once, for this account alone, and anew only when they are others.
    @Test func keysArePublishedForThisAccountAlone() async throws {
        try await FileTree().withDirectory { path in
            let folder = try DataFolder(path, secret: Self.long)
            try folder.publish(service: "s1", anonymous: "a1")
            let before = try FileFacts(of: path.appending("service.key"))
            #expect(try Self.mode(of: path.appending("service.key")) == 0o600)
            try folder.publish(service: "s1", anonymous: "a2")
            #expect(try FileFacts(of: path.appending("service.key")).inode == before.inode)
            let disk = try LocalDisk(directory: path)
            #expect(try disk.read("service.key") == Array("s1\n".utf8))
            #expect(try disk.read("anon.key") == Array("a2\n".utf8))
        }
    }

    /// SQLite can open no path that is not UTF-8: that is said at the start.
    @Test func aFolderWhoseNameIsNotUTF8HasNoIndex() async throws {
        try await FileTree().withDirectory { parent in
            let folder = try DataFolder(parent.appending([0xFF]), secret: Self.long)
            #expect(throws: SystemError.self) { try folder.index }
            let other = try DataFolder(parent.appending("ä"), secret: Self.long)
            #expect(try other.index == parent.appending("ä/index.sqlite").display)
        }
    }
}
