package import FoundationEssentials
import Platform
import Supabase

/// A pair of keys with which a token is signed for each request: a JSON web token by HS256 (RFC 7515, RFC 7519).
package struct SigningKey: Hashable, Sendable {
    /// The public half, which the token names.
    let access: String
    /// The secret half, which never leaves this computer.
    let secret: String

    /// Reads `ACCESS:SECRET`; `nil` for a key of another form.
    package init?(_ key: String) {
        let halves = key.split(separator: ":", maxSplits: 1)
        // The characters that need no escape in JSON.
        let isPlain = halves.first?.utf8.allSatisfy { byte in
            0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == 0x2D || byte == 0x5F
        }
        guard halves.count == 2, isPlain == true else { return nil }
        (access, secret) = (String(halves[0]), String(halves[1]))
    }

    /// A token that is valid for half an hour, from five seconds ago on, because clocks differ.
    package func token(at now: Date) -> String {
        let start = Int(now.timeIntervalSince1970) - 5
        let claims = #"{"iss":"\#(access)","exp":\#(start + 1_805),"nbf":\#(start)}"#
        let signed = [#"{"alg":"HS256","typ":"JWT"}"#, claims].map { Data($0.utf8).base64URL }.joined(separator: ".")
        return signed + "." + Data(HMAC.sha256(Array(signed.utf8), key: Array(secret.utf8))).base64URL
    }
}
