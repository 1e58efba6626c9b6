import ObjectStore
import Platform
import TestSupport
import Testing

@testable import StorageServer

/// Another process that opens and closes the database must see that it is in use; otherwise it removes the WAL.
@Suite struct IndexLockTests {
    /// What SQLite locks as long as a connection in WAL mode is open: a read lock on its shared bytes.
    private func expectInUse(_ site: Site) async throws {
        try await RecordLocks.wait(forReadLockOn: site.folder.appending("index.sqlite"))
    }

    @Test func theIndexIsLockedFromTheStartOn() async throws {
        let site = try Site()
        try await expectInUse(site)
        try await site.makeBucket("b")
        try await site.upload("b/a")
        _ = try await site.get("/object/b/a")
        try await expectInUse(site)
    }

    /// A start registers users and searches blobs over a connection that closes before the server serves.
    @Test func aStartThatMendsLeavesItLocked() async throws {
        let site = try Site(signIns: SignInRules(users: [StorageUser(email: "a@b.c", password: "p", id: "u")]))
        try await site.makeBucket("b")
        try await site.upload("b/a")
        let again = try site.reopened()
        try await expectInUse(site)
        #expect(try await again.index.read { try $0.bucket("b") } != nil)
        try await expectInUse(site)
    }

    @Test func noOtherUserMayReadTheDatabase() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
            #expect(try FileFacts(of: site.folder.appending(name)).mode == 0o600, "\(name)")
        }
    }
}
