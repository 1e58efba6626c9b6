import Foundation
import Platform
import StorageServer
import TestSupport
import Testing

@testable import Supabase

/// Signing in over a real connection to the embedded server.
@Suite struct AuthServerTests {
    @Test func aPasswordOpensARenewableSession() async throws {
        try await EmbeddedServer.run { place in
            let first = try await place.auth.signIn(email: "ada@x", password: "p")
            #expect(first.user == AuthUser(id: EmbeddedServer.user.id ?? "", email: "ada@x"))
            #expect(KeyKind(first.accessToken) == .user(id: first.user.id))
            #expect(try await place.auth.user(accessToken: first.accessToken) == first.user)
            let second = try await place.auth.refresh(first.refreshToken)
            #expect(second.refreshToken != first.refreshToken && second.user == first.user)
            // The answer may have been lost: the parent of the active token is accepted.
            #expect(try await place.auth.refresh(first.refreshToken).refreshToken == second.refreshToken)
        }
    }

    @Test func aWrongPasswordIsNoSession() async throws {
        try await EmbeddedServer.run { place in
            let error = await #expect(throws: AuthError.self) {
                try await place.auth.signIn(email: "ada@x", password: "q")
            }
            #expect(error?.refusal?.code == .invalidCredentials)
        }
    }

    @Test func aSessionThatWasEndedIsOver() async throws {
        try await EmbeddedServer.run { place in
            let session = try await place.auth.signIn(email: "ada@x", password: "p")
            try await place.auth.logout(accessToken: session.accessToken)
            let error = await #expect(throws: AuthError.self) { try await place.auth.refresh(session.refreshToken) }
            #expect(error?.refusal?.endsSession == true)
        }
    }

    @Test(arguments: [false, true])
    func theMailHoldsACodeAndALink(usesLink: Bool) async throws {
        try await EmbeddedServer.run { place in
            try await place.auth.requestCode(email: "ada@x")
            let outbox = try OpenFile(reading: place.folder.appending("data").appending("outbox.jsonl")).readAll()
            let mail = try JSONDecoder().decode([String: String].self, from: Data(outbox))
            let (code, hash) = (try #require(mail["code"]), try #require(mail["tokenHash"]))
            let link = try #require(SignInLink("https://x/confirm?token_hash=\(hash)&type=email"))
            let session =
                try await usesLink ? place.auth.verify(link) : place.auth.verify(email: "ada@x", code: code)
            #expect(session.user.email == "ada@x")
            let again = await #expect(throws: AuthError.self) { try await place.auth.verify(link) }
            #expect(again?.refusal?.code == .otpExpired)
        }
    }

    @Test func noUserIsSignedUpByTheWay() async throws {
        try await EmbeddedServer.run { place in
            let error = await #expect(throws: AuthError.self) { try await place.auth.requestCode(email: "bob@x") }
            #expect(error?.description.hasPrefix("There is no user with this e-mail") == true)
        }
    }
}
