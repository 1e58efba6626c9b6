import Access
import Foundation
import Platform
import Supabase
import TestSupport
import Transfer

/// A signed-in profile with its own clock, a disk in memory and a scripted Auth server.
struct SessionFixture {
    static let start = Date(timeIntervalSince1970: 1_795_176_000)
    static let server = "https://h/auth/v1"
    let now = Shared(start)
    let transport: ScriptedTransport
    let file: SessionFile
    let session: Session

    /// Signed in for an hour, with the token `a0`; renewals happen 60 s before its end.
    init(
        _ answers: [ScriptedTransport.Answer] = [], disk: any Disk = RecordingDisk(), lockPath: FilePath? = nil,
        random: Double = 0, pause: @escaping @Sendable () async throws -> Void = {}
    ) throws {
        transport = ScriptedTransport(answers)
        file = SessionFile(disk: disk, lockPath: lockPath)
        let saved = Self.saved("0", until: Self.start + 3600)
        let now = now
        let auth = AuthClient(base: Self.server, apiKey: "anon", transport: transport) { now.value }
        session = Session(saved, file: file, auth: auth, clock: { now.value }, random: random, pause: pause)
        if try file.read() == nil { try file.write(saved) }
    }

    static func saved(_ name: String, until end: Date, user: String = "u", ended: String? = nil) -> SavedSession {
        let session = AuthSession(
            accessToken: "a" + name, refreshToken: "r" + name, expiresAt: end, user: AuthUser(id: user, email: "e@x"))
        return SavedSession(server: server, session: session, ended: ended)
    }

    /// The answer of Auth to a renewal.
    static func renewed(_ name: String, for seconds: Int = 3600) -> ScriptedTransport.Answer {
        .json(
            #"{"access_token":"a\#(name)","refresh_token":"r\#(name)","expires_in":\#(seconds),"user":{"id":"u","email":"e@x"}}"#
        )
    }

    static func refusal(_ code: String, status: Int = 400) -> ScriptedTransport.Answer {
        .json(#"{"code":"\#(code)","message":"said"}"#, status: status)
    }

    static let silence = ScriptedTransport.Answer.failure(
        TransferError(.unreachable, "no answer", mayHaveArrived: false))

    func pass(_ seconds: Double) { now.change { $0 += seconds } }

    /// The token that a request would carry now.
    func token(refused: String? = nil) async throws -> String {
        try await session.credentials(after: refused.map { StorageCredentials(bearer: $0, apiKey: "anon") }).bearer
    }

    /// The refresh tokens that were spent, in order.
    var spent: [String] {
        transport.requests.map { request in
            guard case .bytes(let bytes) = request.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
                .replacing(#"{"refresh_token":""#, with: "").replacing(#""}"#, with: "")
        }
    }
}
