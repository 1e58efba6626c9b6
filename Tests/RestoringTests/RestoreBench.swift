import Fixtures
import Foundation
import Platform
import Supabase
import TestSupport
import Transfer

@testable import Configuration
@testable import Restoring

/// A directory to restore to, and everything else that tests of the restorer need.
struct RestoreBench: Sendable {
    let directory: FilePath
    /// The requested backoffs, none of which is waited for.
    let pauses = Shared<[Duration]>([])
    /// Files as the restorer reported them.
    let told = Shared<[RestoredFile]>([])

    /// Calls `body` with a bench whose directory holds `tree`.
    static func with(_ tree: FileTree = [:], _ body: (RestoreBench) async throws -> Void) async throws {
        try await tree.withDirectory { path in try await body(RestoreBench(directory: path)) }
    }

    func setup(_ bucket: any Transport, _ change: (inout Restorer.Setup) -> Void = { _ in }) -> Restorer.Setup {
        let destination = Destination(endpoint: StorageEndpoint(base: "http://storage"), bucket: "media")
        let storage = StorageClient(
            endpoint: destination.endpoint, credentials: StorageCredentials(key: "secret"), transport: bucket)
        var setup = Restorer.Setup(storage: storage, destination: destination, directory: directory)
        setup.clock = { Items.now }
        let (pauses, told) = (pauses, told)
        setup.pause = { pause in pauses.change { $0.append(pause) } }
        setup.settled = { file in told.change { $0.append(file) } }
        change(&setup)
        return setup
    }

    /// Restores from `bucket`, once.
    func restore(
        _ bucket: any Transport, _ change: (inout Restorer.Setup) -> Void = { _ in }
    ) async throws -> RestoreResult {
        try await Restorer(setup(bucket, change)).run()
    }

    /// The content of the directory now.
    var tree: FileTree {
        get throws { try FileTree(at: directory) }
    }

    func modified(_ path: FilePath) throws -> FileTime {
        try FileFacts(of: directory.appending(path)).modifiedAt
    }
}

extension FilePath {
    /// Whether it is a part, in which a restore collects bytes.
    var isPart: Bool {
        name.starts(with: ".restore-".utf8) && fileExtension == Array(".part".utf8)
    }
}
