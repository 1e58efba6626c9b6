import Catalog
import Gallery
import Output
import Platform
import Text
import Transfer

extension Run {
    /// `open`: a fresh link from the running agent, shown in the browser.
    func open(_ request: OpenRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        guard let holder = try StateLock.holder(setup.locations) else {
            throw Refusal(
                .usage(
                    "No agent runs with this profile: start \"gallery-sync watch\", or look without one with "
                        + "\"gallery-sync gallery\""))
        }
        let client = HTTPClient()
        defer { client.close() }
        let reply = try await ControlClient(socket: FilePath(holder.socket), transport: client).ask(PageLinkOrder())
        guard let link = reply.answer else { throw Refusal(reply.ending) }
        if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(["schema": "gallery-sync/open/1", "url": link]))
            return .success
        }
        guard !request.prints, try await showsInBrowser(link) else {
            try console.result([link])
            return .success
        }
        if !invocation.isQuiet { console.note("The gallery page opens in the browser.") }
        return .success
    }

    /// Whether the desktop opened the link; the link is an argument, which only works once and not for long.
    private func showsInBrowser(_ link: String) async throws -> Bool {
        let folders = (surroundings.environment["PATH"] ?? "").split(separator: ":").map { FilePath(String($0)) }
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { surroundings.environment[$0]?.isEmpty == false }
        let programs = folders.map { $0.appending("xdg-open") }
        guard hasDisplay, let program = try programs.first(where: { try FileFacts.existing($0) != nil }) else {
            return false
        }
        let child = try ChildProcess.spawn(program, arguments: [link], environment: surroundings.environment)
        return await child.exit == .exited(0)
    }
}
