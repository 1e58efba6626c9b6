import Catalog
import Configuration
import Gallery
import Output
import Platform
import Text
import Transfer

extension Run {
    /// `open`: a fresh link from the running agent, shown in the browser; before the first start, the set-up.
    func open(_ request: OpenRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let destination = setup.settings.destination
        guard destination.local || destination.url != nil else { return try await setUp() }
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

    /// Asks what to keep safe where a terminal is there to answer.
    private func setUp() async throws -> ExitCode {
        guard surroundings.isInteractive else {
            throw Refusal(.usage("Nothing is set up yet: run \"gallery-sync init\""))
        }
        console.note("Nothing is set up yet. A few questions first.")
        return try await initialize(InitRequest())
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
