import Foundation
import Platform
import Queue
import Reporting
import TestSupport
import Testing

/// Each reason for which a destination refuses: one sentence with its next step, one exit code, and a queue that
/// waits until the cause is gone.
@Suite struct ClosedDoorTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Fault rules in JSON5.
        var rules = ""
        /// The key; by default one that grants access to everything.
        var key: Key = .service
        let code: Int32
        /// The whole message, with `URL` in place of the server's address.
        let sentence: String
        /// The advice in the report, where items are in the queue already.
        var next: String?
    }

    enum Key: Sendable {
        case service, anon, none
        case other(String)
    }

    private static let expired =
        #"{"statusCode":"403","error":"Unauthorized","message":"\\"exp\\" claim timestamp check failed"}"#
    private static let denied =
        #"{"statusCode":"403","error":"Unauthorized","message":"new row violates row-level security policy","#
        + #""code":"AccessDenied"}"#

    private static let destinationRows = [
        Row(
            testDescription: "402", rules: "{path: '/object/*', status: 402, body: '{}'}", code: 7,
            sentence: "The organisation is over its plan's quota: reading, sending and deleting are all refused until "
                + "that is settled in the dashboard.",
            next: "Settle the plan in the dashboard: until then reading and deleting are refused, too."),
        Row(
            testDescription: "540",
            rules: "{path: '/object/*', status: 540, body: '<p>'}, {path: '/upload/*', status: 540, body: '<p>'}",
            code: 78, sentence: "The project is paused: wake it in the dashboard.",
            next: "Wake the project in the dashboard; it is looked at once an hour."),
        Row(
            testDescription: "413 by storage, when an upload in pieces begins",
            rules: "{method: 'POST', path: '/upload/resumable', status: 413}", code: 3,
            sentence: "1 file waits: storage takes no files of 7 MB and more: its bucket or project has a limit. "
                + "Raise that limit, then run \"gallery-sync sync\"",
            next: "Raise the size limit of the bucket or project, then run \"gallery-sync sync\"; it is tried "
                + "once a day."),
        Row(
            testDescription: "413 by a proxy",
            rules: "{method: 'PATCH', path: '*', status: 413, body: '<html>413 Request Entity Too Large</html>'}",
            code: 3,
            sentence: "1 file waits: a proxy before the storage lets no uploads of 6.3 MB and more pass. Raise that "
                + "limit, then run \"gallery-sync sync\"",
            next: "Raise the size limit of the proxy before the storage, then run \"gallery-sync sync\"; it "
                + "is tried once a day."),
    ]

    private static let permissionRows = [
        Row(
            testDescription: "a missing policy",
            rules: "{method: 'POST', path: '/object/media/*', status: 400, body: '\(denied)'}", code: 6,
            sentence: "The service_role key may not write here: a policy of the bucket is missing. \"gallery-sync "
                + "doctor\" prints its SQL. The server says: new row violates row-level security policy",
            next:
                "Give the key or the signed-in user the right to write to this bucket (\"gallery-sync doctor\" prints "
                + "the SQL), then run \"gallery-sync sync\"; it is tried once an hour."),
        Row(
            testDescription: "a key that is refused later",
            rules: "{path: '/object/*', status: 400, body: '\(expired)'}", code: 6,
            sentence:
                "The key from GALLERY_SYNC_KEY is refused. Put the right one there, or run \"gallery-sync login\". "
                + "The server says: \"exp\" claim timestamp check failed",
            next: "Run \"gallery-sync login\", or set a new GALLERY_SYNC_KEY."),
        Row(
            testDescription: "a clock an hour ahead",
            rules: "{path: '/object/*', status: 400, clock: -3600, body: '\(expired)'}", code: 6,
            sentence: "This computer's clock is 60 minutes ahead of the server's. Set it right (\"timedatectl set-ntp "
                + "true\"). The server says: \"exp\" claim timestamp check failed"),
        Row(
            testDescription: "a clock an hour behind",
            rules: "{path: '*', status: 400, clock: 3600, body: '\(expired)'}",
            code: 6,
            sentence: "This computer's clock is 60 minutes behind the server's. Set it right (\"timedatectl set-ntp "
                + "true\"). The server says: \"exp\" claim timestamp check failed"),
        Row(
            testDescription: "an anon key instead of a user", key: .anon, code: 6,
            sentence: "Not signed in at URL: the anon key from GALLERY_SYNC_KEY opens nothing by itself. Run "
                + "\"gallery-sync login\"."),
        Row(
            testDescription: "a secret key without a gateway", key: .other("sb_secret_abc"), code: 6,
            sentence:
                "This server has no gateway that knows a secret key: use the project's service_role or anon token "
                + "(it begins with eyJ). The server says: Invalid Compact JWS (AccessDenied)"),
        Row(
            testDescription: "no key at all", key: .none, code: 6,
            sentence: "Not signed in at URL, and there is no key. Run \"gallery-sync login\", set GALLERY_SYNC_KEY, or "
                + "name a file with destination.keyFile."),
    ]

    @Test(arguments: destinationRows + permissionRows)
    func isSaidOnceAndTheQueueWaitsUntilItIsGone(_ row: Row) async throws {
        let tree: FileTree = ["a.jpg": "one", "film.mp4": .file([UInt8](repeating: 5, count: 7_000_000))]
        try await ProgramFixture.served(tree, rules: row.rules) { fixture, server in
            var troubled = fixture
            troubled.environment["GALLERY_SYNC_KEY"] = key(row, server)
            let end = try await troubled.run("sync", fixture.gallery.display)
            #expect(end.code == row.code)
            let said = end.notes.split(separator: "\n").map(String.init).filter { $0.hasPrefix("gallery-sync: ") }
            #expect(said == ["gallery-sync: " + row.sentence.replacing("URL", with: server.url)])
            let report = try await fixture.status()
            #expect(report.assets.failed == 0)
            if let next = row.next { #expect(report.blocked.map(\.next) == [next]) }
            let items = try QueueStore(state: fixture.state.appending("state/default")).load().entries
            #expect(items.allSatisfy { $0.retryCount == 0 }, "no attempt is consumed")

            try await server.cut()
            try await server.bringBack()
            let then = try await fixture.run("sync", fixture.gallery.display)
            #expect(then.code == 0, "\(then.notes)")
            #expect(try await fixture.restored() == tree)
        }
    }

    private func key(_ row: Row, _ server: StorageProcess) -> String? {
        switch row.key {
        case .service: server.serviceKey
        case .anon: server.anonKey
        case .none: nil
        case .other(let text): text
        }
    }
}

// MARK: - Users

/// The same for a signed-in user.
@Suite struct EndedSignInTests {
    private static let expired =
        #"{"statusCode":"403","error":"Unauthorized","message":"\\"exp\\" claim timestamp check failed"}"#

    @Test func aTokenThatEndsInTheMiddleOfALargeUploadIsRenewedAndTheUploadGoesOn() async throws {
        let tree: FileTree = ["film.mp4": .file([UInt8](repeating: 5, count: 30_000_000))]
        let rule = "{method: 'PATCH', path: '*', status: 400, skip: 1, times: 1, body: '\(Self.expired)'}"
        try await ProgramFixture.ofUser(tree, rules: rule) { fixture, server in
            try await fixture.login(at: server)
            let end = try await fixture.run("sync", fixture.gallery.display)
            #expect(end.code == 0, "\(end.notes)")
            let lines = try server.requests.lines
            let pieces = lines.filter { $0.method == "PATCH" }.map(\.status)
            #expect(pieces.first == 204, "it was under way")
            #expect(pieces.count { $0 == 400 } == 1)
            #expect(lines.count { $0.path.hasPrefix("/auth/v1/token") && $0.status == 200 } == 1)
            #expect(lines.count { $0.method == "POST" && $0.path.hasSuffix("/upload/resumable") } == 1)
            #expect(try await fixture.restored() == tree)
        }
    }

    @Test func aLoginReachesTheWatchThatWaitsForIt() async throws {
        let tree: FileTree = ["a.jpg": "one", "b.jpg": "two"]
        let rules = """
            {path: '/auth/v1/token', status: 400, times: 1, body: '{"code":"session_not_found","message":"gone"}'},
            {path: '/object/*', status: 400, times: 1, body: '\(Self.expired)'}
            """
        try await ProgramFixture.ofUser(tree, rules: rules) { fixture, server in
            try await fixture.login(at: server)
            let watch = try fixture.start("watch", fixture.gallery.display)
            try await eventually("it waits for a sign-in") {
                try await fixture.status().agent.reason?.contains("The sign-in has ended.") == true
            }
            try await fixture.login(at: server)
            try await eventually("it goes on") { try await fixture.status().assets == Report.Assets(stored: 2) }
            watch.signal(.terminate)
            #expect(try await watch.end().code == 143)
        }
    }

    @Test func aRevokedSessionIsSaidAndALoginGoesOn() async throws {
        let tree: FileTree = ["a.jpg": "one", "b.jpg": "two"]
        let rules = """
            {path: '/auth/v1/token', status: 400, body: '{"code":"refresh_token_not_found",\
            "message":"Invalid Refresh Token: Refresh Token Not Found"}'},
            {path: '/object/*', status: 400, body: '\(Self.expired)'}
            """
        try await ProgramFixture.ofUser(tree, rules: rules) { fixture, server in
            try await fixture.login(at: server)
            let end = try await fixture.run("sync", fixture.gallery.display)
            #expect(end.code == 6)
            #expect(
                end.notes.contains(
                    "gallery-sync: The sign-in has ended. Run \"gallery-sync login\" to sign in "
                        + "again; what waits goes on then."), "\(end.notes)")
            #expect(try await fixture.status().assets == Report.Assets(waiting: 2))

            try await server.cut()
            try await server.bringBack()
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 6, "until a user signs in")
            try await fixture.login(at: server)
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            #expect(try await fixture.restored() == tree)
        }
    }
}
