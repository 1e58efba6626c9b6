import Foundation
import Platform
import TestSupport
import Transfer

extension ProgramFixture {
    private static let email = "ada@example.org"

    /// A fixture whose bucket exists, but without a key for it: its user has to sign in.
    static func ofUser(
        _ tree: FileTree = [:], rules: String = "", _ body: (ProgramFixture, StorageProcess) async throws -> Void
    ) async throws {
        try await served(tree, rules: rules) { fixture, server in
            try await signUp(at: server)
            var owner = fixture.onAnotherMachine()
            owner.environment["GALLERY_SYNC_KEY"] = server.serviceKey
            let empty = fixture.folder.appending("empty")
            try Directory.create(at: empty)
            let made = try await owner.run("sync", empty.display)
            guard made.code == 0 else { throw Unexpected(end: made) }
            TemporaryDirectory.remove(owner.state)
            var user = fixture
            user.environment["GALLERY_SYNC_KEY"] = server.anonKey
            try await body(user, server)
        }
    }

    /// Creates the user, as an app of the project would; `login` creates none.
    ///
    /// The code is redeemed: the next one is not sent within a minute otherwise.
    private static func signUp(at server: StorageProcess) async throws {
        let client = HTTPClient()
        defer { client.close() }
        func post(_ place: String, _ body: [String: String]) async throws {
            let answer = try await client.send(
                HTTPRequest(
                    .post, "\(server.url)/auth/v1/\(place)", headers: ["content-type": "application/json"],
                    body: .bytes(Array(try JSONEncoder().encode(body)))))
            guard answer.status == 200 else { throw NotThere(what: "a user: HTTP \(answer.status) from \(place)") }
        }
        try await post("otp", ["email": email])
        let outbox = try OpenFile(reading: server.data.appending("outbox.jsonl")).readAll()
        guard let line = outbox.split(separator: UInt8(ascii: "\n")).last,
            let code = try JSONDecoder().decode([String: String].self, from: Data(line))["code"]
        else { throw NotThere(what: "an e-mail") }
        try await post("verify", ["type": "email", "email": email, "token": code])
    }

    /// Signs in with the code that the server sends by e-mail.
    func login(at server: StorageProcess) async throws {
        let end = try await shell(
            """
            outbox='\(server.data.display)/outbox.jsonl'
            before=$(wc -l < "$outbox")
            (for turn in $(seq 600); do
                [ "$(wc -l < "$outbox")" -gt "$before" ] && break
                sleep 0.05
            done
            tail -n 1 "$outbox" | sed 's/.*"code":"\\([0-9]*\\)".*/\\1/') |
                "$AGENT" login --email \(Self.email) --code $COMMON
            """
        ).end()
        guard end.code == 0 else { throw Unexpected(end: end) }
    }
}
