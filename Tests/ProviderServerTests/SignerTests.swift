import FoundationEssentials
import Providers
import Testing

@testable import ProviderServer

@Suite struct SignerTests {
    static let signer = Signer(secret: Array("a secret".utf8))
    static let start = Date(timeIntervalSince1970: 1_795_199_805)
    static let path = "/files/runway/r-1/video.mp4"
    static let presigned = signer.presigned(path, at: start, lifetime: 60)
    static let token = signer.token(path, expiry: start + 60)

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let query: String
        let seconds: Double
        var path = SignerTests.path
        let verdict: Signer.Verdict
    }

    @Test(arguments: [
        Row(testDescription: "presigned, at once", query: presigned, seconds: 0, verdict: .valid),
        Row(testDescription: "presigned, a moment before its end", query: presigned, seconds: 59.9, verdict: .valid),
        Row(testDescription: "presigned, at its end", query: presigned, seconds: 60, verdict: .expired),
        Row(testDescription: "one more parameter", query: presigned + "&v=t-1", seconds: 0, verdict: .forged),
        Row(
            testDescription: "a longer life", query: presigned.replacing("Expires=60", with: "Expires=6000"),
            seconds: 0, verdict: .forged),
        Row(testDescription: "another file's", query: presigned, seconds: 0, path: "/files/x", verdict: .forged),
        Row(testDescription: "no query", query: "", seconds: 0, verdict: .forged),
        Row(testDescription: "a token, a moment before its end", query: token, seconds: 59.9, verdict: .valid),
        Row(testDescription: "a token, at its end", query: token, seconds: 60, verdict: .expired),
        Row(testDescription: "another file's token", query: token, seconds: 0, path: "/files/x", verdict: .forged),
        Row(testDescription: "half a token", query: String(token.dropLast(3)), seconds: 0, verdict: .forged),
        Row(testDescription: "an empty token", query: "_jwt=", seconds: 0, verdict: .forged),
    ])
    func aLinkOpensUntilItsEnd(row: Row) {
        #expect(Self.signer.verdict(row.path, query: row.query, now: Self.start + row.seconds) == row.verdict)
    }

    @Test(arguments: [presigned, token])
    func theAgentReadsTheSameEnd(query: String) {
        let deadline = Deadline(link: "http://127.0.0.1:1\(Self.path)?\(query)")
        #expect(deadline == Deadline(Self.start + 60))
    }
}
