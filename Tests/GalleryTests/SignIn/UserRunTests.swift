import Access
import Configuration
import Foundation
import Gallery
import Platform
import Records
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing

@testable import Catalog
@testable import Queue
@testable import Restoring
@testable import Sync

/// Whole passes as a signed-in user.
@Suite struct UserRunTests {
    private static let refusal = Fault.answer(
        Response(
            status: 400, headers: ["content-type": "application/json"],
            body: .bytes(
                Array(
                    #"{"statusCode":"403","error":"Unauthorized","message":"\"exp\" claim timestamp check failed"}"#
                        .utf8)
            )))

    @Test func everythingLiesBelowTheUsersIdAndComesBackFromThere() async throws {
        let tree: FileTree = ["a.jpg": "one", "sub": ["b.jpg": "two"]]
        try await Tenancy.with(tree) { tenancy in
            #expect(try await tenancy.sync() == .done)
            let id = Tenancy.userID
            #expect(try await tenancy.keys == ["\(id)/Pictures/a.jpg", "\(id)/Pictures/sub/b.jpg"])
            #expect(try await tenancy.sync() == .done)

            let session = try tenancy.session()
            let destination = tenancy.destination(of: session)
            let storage = StorageClient(
                endpoint: destination.endpoint, transport: tenancy.client, credentials: session.source)
            let target = tenancy.folder.appending("back")
            let result = try await Restorer(
                Restorer.Setup(storage: storage, destination: destination, directory: target)
            ).run()
            #expect(result.ending == .done)
            let back: FileTree = ["Pictures": .directory(tree)]
            #expect(try FileTree(at: target).files == back.files)
        }
    }

    @Test(arguments: [
        (Response(status: 201), nil),
        (
            RowServer.refusal(404, "PGRST205", "Could not find the table"),
            "Rows for table \"files\" wait: the project has no such table. Run config/supabase/metadata.sql in the "
                + "project's SQL editor."
        ),
    ])
    func rowsFollowThePassWhereATableIsNamed(answer: Response, trouble: String?) async throws {
        try await Tenancy.with(["a.jpg": "one", "b.jpg": "two"]) { tenancy in
            let asked = Shared<[String]>([])
            tenancy.faults.change {
                $0 = { request in
                    guard request.path.hasPrefix("/rest/v1/") else { return nil }
                    asked.change { $0.append("\(request.method) \(request.target)") }
                    return .answer(answer)
                }
            }
            #expect(try await tenancy.sync { $0.destination.metadataTable = "files" } == .done)
            #expect(!asked.value.isEmpty)
            #expect(Set(asked.value) == ["POST /rest/v1/files?on_conflict=bucket%2Cobject_key"])
            let library = try Library(path: tenancy.locations.library)
            #expect(try await library.fact(MetadataLoop.troubleFact) == trouble)
            try await library.close()
            asked.change { $0 = [] }
            #expect(try await tenancy.sync() == .done)
            #expect(asked.value.isEmpty, "without a table nothing is asked for")
        }
    }

    @Test func aUserWithNothingStoredRestoresNothing() async throws {
        try await Tenancy.with([:]) { tenancy in
            let session = try tenancy.session()
            let destination = tenancy.destination(of: session)
            let storage = StorageClient(
                endpoint: destination.endpoint, transport: tenancy.client, credentials: session.source)
            let setup = Restorer.Setup(
                storage: storage, destination: destination, directory: tenancy.folder.appending("back"))
            #expect(try await Restorer(setup).run().ending == .done)
        }
    }

    @Test func aTokenThatEndsBetweenTwoPiecesIsRenewed() async throws {
        let film = [UInt8](repeating: 3, count: 14_000_000)
        try await Tenancy.with(["film.mp4": .file(film)]) { tenancy in
            let first = try await tenancy.session().credentials().bearer
            let pieces = Shared(0)
            tenancy.faults.change {
                $0 = { request in
                    guard request.method == "PATCH" else { return nil }
                    let isLate = pieces.change {
                        $0 += 1; return $0 > 1
                    }
                    return isLate && request.headers["authorization"] == "Bearer \(first)" ? Self.refusal : nil
                }
            }
            let ending = try await tenancy.sync()
            #expect(ending == .done)
            #expect(try await tenancy.keys == ["\(Tenancy.userID)/Pictures/film.mp4"])
            #expect(try await tenancy.session().credentials().bearer != first)
        }
    }

    @Test func aRevokedSessionStopsAllAndALoginGoesOn() async throws {
        try await Tenancy.with(["a.jpg": "one", "b.jpg": "two"]) { tenancy in
            let first = try await tenancy.session().credentials().bearer
            try await tenancy.auth.logout(accessToken: first)
            tenancy.faults.change {
                $0 = { request in
                    let isOld = request.headers["authorization"] == "Bearer \(first)"
                    return isOld && request.path.contains("/object/") ? Self.refusal : nil
                }
            }
            let ending = try await tenancy.sync()
            guard case .notPermitted(let sentence) = ending else { throw Unexpected(ending: ending) }
            #expect(sentence.contains("gallery-sync login"))
            #expect(try await tenancy.keys.isEmpty)
            let store = try QueueStore(state: tenancy.locations.state)
            let items = try store.load().entries
            #expect(items.count == 2 && items.allSatisfy { $0.status == .pending && $0.retryCount == 0 })
            #expect(items.contains { $0.blocked == .signIn })

            guard case .notPermitted = try await tenancy.sync() else { throw Unexpected(ending: ending) }
            try await tenancy.login()
            #expect(try await tenancy.sync() == .done)
            #expect(try await tenancy.keys.count == 2)
        }
    }

    private struct Unexpected: Error {
        let ending: Ending
    }
}
