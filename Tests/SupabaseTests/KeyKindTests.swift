import Foundation
import Supabase
import Testing

@Suite struct KeyKindTests {
    /// A token with these claims and an invalid signature.
    private static func token(_ claims: String) -> String {
        let body = Data(claims.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return "eyJhbGciOiJIUzI1NiJ9.\(body.replacing("=", with: "")).c2ln"
    }

    @Test(
        arguments: [
            ("sb_publishable_abc", .publishable), ("sb_secret_abc", .secret), ("sb_other_abc", .unknown),
            ("", .unknown), ("a.b", .unknown), ("a.!.c", .unknown), ("a.e30.c", .legacy(role: "")),
            (token(#"{"role":"anon","iss":"supabase"}"#), .legacy(role: "anon")),
            (token(#"{"role":"service_role","exp":1}"#), .legacy(role: "service_role")),
            (token(#"{"role":"authenticated","sub":"7-ü?>","exp":1.5}"#), .user(id: "7-ü?>")),
        ] as [(String, KeyKind)])
    func theTextTellsTheKind(key: String, kind: KeyKind) {
        #expect(KeyKind(key) == kind)
        #expect(StorageCredentials(bearer: key).kind == kind)
    }

    @Test(
        arguments: [
            (.secret, true), (.legacy(role: "service_role"), true), (.legacy(role: "anon"), false),
            (.publishable, false), (.user(id: "service_role"), false), (.unknown, false),
        ] as [(KeyKind, Bool)])
    func aKeyThatPassesEveryPolicyIsWarnedOf(kind: KeyKind, opensProject: Bool) {
        #expect(kind.opensProject == opensProject)
        #expect((kind.warning?.hasPrefix("This key opens your whole project.") ?? false) == opensProject)
    }

    @Test func claimsAreRead() throws {
        let claims = try #require(TokenClaims(Self.token(#"{"role":"authenticated","sub":"u","exp":1800000000}"#)))
        #expect(claims.role == "authenticated" && claims.userID == "u")
        #expect(claims.expiresAt == Date(timeIntervalSince1970: 1_800_000_000))
    }
}
