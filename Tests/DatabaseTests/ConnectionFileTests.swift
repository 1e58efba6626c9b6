import Foundation
import Platform
import TestSupport
import Testing

@testable import Database

/// The files and locks of a database while it is open.
@Suite struct ConnectionFileTests {
    private let path = NSTemporaryDirectory() + "gallery-sync-\(UUID().uuidString).sqlite"

    private func removeFiles() {
        for companion in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + companion) }
    }

    private func mode(_ companion: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path + companion)[.posixPermissions] as? Int
    }

    /// The agent's library and the embedded server's index are opened several times in one process.
    @Test func noOtherConnectionTakesTheLocksAway() async throws {
        defer { removeFiles() }
        let first = try Connection(path: path)
        try first.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (n)")
        try await RecordLocks.wait(forReadLockOn: FilePath(path))
        do {
            let second = try Connection(path: path)
            try second.execute("INSERT INTO t VALUES (1)")
            let reader = try Connection(path: path, isReadOnly: true)
            #expect(try reader.first("SELECT n FROM t") { $0.integer(0) } == 1)
        }
        try await RecordLocks.wait(forReadLockOn: FilePath(path))
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        try first.execute("INSERT INTO t VALUES (2)")
    }

    @Test func onlyTheOwnerReadsWhatIsMade() throws {
        defer { removeFiles() }
        let database = try Connection(path: path)
        try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (n)")
        for companion in ["", "-wal", "-shm"] { #expect(try mode(companion) == 0o600, "\(companion)") }
    }

    /// As after a power cut while the database was made: every reader would be refused until the next writer.
    @Test func aWriteThatWasCutOffIsTakenBackBeforeAnythingIsRead() throws {
        let copy = path + "-copy"
        defer {
            removeFiles()
            for companion in ["", "-journal"] { try? FileManager.default.removeItem(atPath: copy + companion) }
        }
        let writer = try Connection(path: path)
        try writer.execute("CREATE TABLE t (n); INSERT INTO t VALUES (7); PRAGMA cache_size = 1; BEGIN")
        for _ in 0..<500 { try writer.execute("INSERT INTO t VALUES (zeroblob(500))") }
        for companion in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: path + companion, toPath: copy + companion)
        }
        try writer.execute("ROLLBACK")
        let reader = try Connection(path: copy, isReadOnly: true)
        #expect(try reader.rows("SELECT n FROM t") { $0.integer(0) } == [7])
    }

    /// A kill leaves a log whose commits are not in the file yet, and a copy of both lies where nothing can be written.
    @Test(arguments: [true, false])
    func whatOnlyTheLogHasIsReadWithoutWriting(hasLog: Bool) throws {
        let copy = path + "-copy"
        defer {
            removeFiles()
            for companion in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + companion) }
        }
        do {
            let writer = try Connection(path: path)
            try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (n); INSERT INTO t VALUES (7)")
            if !hasLog { try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
            for companion in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + companion, toPath: copy + companion)
            }
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: copy + "-wal"))
        #expect(before.isEmpty != hasLog)
        do {
            let reader = Connection(try Connection.openUnchanging(copy))
            #expect(try reader.first("SELECT n FROM t") { $0.integer(0) } == 7)
        }
        #expect(!FileManager.default.fileExists(atPath: copy + "-shm"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy + "-wal")) == before)
    }

    /// Earlier versions created it with the permissions of the umask.
    @Test func anOpenOneIsClosedToOthers() throws {
        defer { removeFiles() }
        try Data().write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        _ = try Connection(path: path)
        #expect(try mode("") == 0o600)
    }
}
