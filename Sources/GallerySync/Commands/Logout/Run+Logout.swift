import Access
import CommandLine
import Configuration
import Gallery
import Output
import Supabase
import Text
import Transfer

extension Run {
    /// `logout`: ends the sign-in; it is no error if there is none.
    func logout() async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let client = HTTPClient(userAgent: "gallery-sync/\(Version.text)")
        defer { client.close() }
        guard let url = setup.settings.destination.url,
            let session = try Session.find(
                setup.locations, url: url, apiKey: try await setup.key(in: surroundings)?.secret, transport: client)
        else {
            try tellEnd(wasSignedIn: false, "No user was signed in.", endedOnServer: false)
            return .success
        }
        let isEnded = try await session.end()
        let name = DisplayText.safe(session.user.email ?? session.user.id)
        let rest = isEnded ? "" : " The server could not be told: there it ends by itself, or in the dashboard."
        try tellEnd(wasSignedIn: true, "Signed out \(name).\(rest)", endedOnServer: isEnded)
        return .success
    }

    private func tellEnd(wasSignedIn: Bool, _ sentence: String, endedOnServer: Bool) throws {
        guard invocation.isJSON else {
            // A server that could not be told went wrong.
            return try wasSignedIn && !endedOnServer ? console.result(prose: [sentence]) : confirm([sentence])
        }
        try console.result(
            json: JSONDocument.bytes(LogoutDocument(wasSignedIn: wasSignedIn, endedOnServer: endedOnServer)))
    }
}

/// One document, `gallery-sync/logout/1`.
private struct LogoutDocument: Encodable {
    var schema = "gallery-sync/logout/1"
    let wasSignedIn: Bool
    let endedOnServer: Bool
}
