import FoundationEssentials
import Platform
import Serving

extension Response {
    /// A document; its keys are sorted, so equal documents are equal bytes.
    static func json(_ document: some Encodable, status: Int = 200) -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return .json(bytes: [UInt8](try encoder.encode(document)), status: status)
        } catch {
            // Only a number that is not finite cannot be encoded.
            return Response(status: 500)
        }
    }

    /// A document that is already encoded.
    static func json(bytes: [UInt8], status: Int = 200) -> Response {
        Response(
            status: status, headers: ["content-type": "application/json", "cache-control": "no-store"],
            body: .bytes(bytes))
    }

    /// The answer with the headers of every answer: it loads nothing from elsewhere, and no other site may embed it.
    var guarded: Response {
        var response = self
        if response.headers["content-security-policy"] == nil {
            response.headers["content-security-policy"] = Self.policy
        }
        response.headers["x-content-type-options"] = "nosniff"
        response.headers["referrer-policy"] = "no-referrer"
        response.headers["x-frame-options"] = "DENY"
        response.headers["cross-origin-opener-policy"] = "same-origin"
        response.headers["cross-origin-resource-policy"] = "same-origin"
        return response
    }

    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self'; "
        + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// Answers 304 without the body where the request names the eTag that the answer has.
    func unlessKnown(to request: Request) -> Response {
        guard let tag = headers["etag"], let known = request.headers["if-none-match"] else { return self }
        // A weak tag suffices (RFC 9110, 13.1.2). Ours have no spaces.
        let isKnown = known.split(whereSeparator: { ", \t".contains($0) }).contains {
            $0 == "*" || $0 == tag || $0 == "W/" + tag
        }
        return isKnown ? Response(status: 304, headers: headers) : self
    }
}
