import Configuration
import Dashboard
import Platform
import Records
import Restoring
import Supabase
import TestSupport
import Testing

@testable import Control

/// The restores that the page asked for, as it is told of them.
@Suite struct PageRestoresTests {
    /// A restore that is not run here.
    static func restorer(into directory: FilePath = "/none") -> Restorer {
        let endpoint = StorageEndpoint(base: "http://storage")
        let storage = StorageClient(
            endpoint: endpoint, credentials: StorageCredentials(key: "k"), transport: ScriptedTransport([]))
        let destination = Destination(endpoint: endpoint, bucket: "media", prefix: "")
        return Restorer(Restorer.Setup(storage: storage, destination: destination, directory: directory))
    }

    /// However many are asked for: who has asked wants to see that it is not forgotten.
    @Test(arguments: [0, 1, 8, 9, 30])
    func oneThatHasNotEndedIsAlwaysToldOf(count: Int) {
        let restores = PageRestores()
        for number in 0..<count { restores.begin(Self.restorer(), title: "\(number)", total: number) }
        #expect(restores.works.map(\.id) == Array(1...(count + 1)).dropLast())
        #expect(restores.works.map(\.total) == Array(0..<count))
        #expect(restores.works.allSatisfy { $0.sentence == nil && !$0.isFailure && $0.done == 0 })
    }

    /// A folder that takes nothing takes nothing later either: its own words say what to do.
    @Test func aFolderThatIsNoneIsSaidWithWhatToDo() async throws {
        let closed = await #expect(throws: ClosedFolder.self) { try await Self.restorer(into: "/proc/none").run() }
        let error = try #require(closed)
        #expect(
            PageRestores.sentences(of: error)
                == "The restore has ended: Nothing can be written to /proc/none (No such file or directory): let this user "
                + "write there, mount its disk for writing, or name another directory.")
    }

    @Test func anyOtherEndIsGoneOnWith() {
        let error = SystemError(call: "write", code: 5, path: "/a")
        #expect(
            PageRestores.sentences(of: error)
                == "The restore has ended: /a: Input/output error. Ask for it again, and it goes on from there.")
    }

    @Test func whyARestoreEndedEarlyIsSaid() {
        var result = RestoreResult()
        result.stopped = .notPermitted("The key is refused.")
        #expect(PageRestores.sentences(of: result) == "Restored 0 files, 0 B. The key is refused.")
    }
}
