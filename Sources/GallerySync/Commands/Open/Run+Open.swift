import CommandLine
import Configuration
import Control
import Desktop
import Gallery
import Output
import Platform
import Records
import Text
import Transfer

extension Run {
    /// `open`: shows the running agent's page in the browser by a fresh link, or the set-up if there is no destination.
    func open(_ request: OpenRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        // The agent is asked first, because it may have its destination from its own command line.
        let link = try await pageLink(setup)
        guard let link else {
            guard try await Workplace.hasDestination(setup) else { return try await setUp(request, setup) }
            throw Refusal(
                .temporary(
                    "No agent runs with this profile: start \"gallery-sync watch\", or look without one with "
                        + "\"gallery-sync gallery\""))
        }
        if try await show(link, request), !invocation.isQuiet {
            console.note("The gallery page opens in the browser.")
        }
        return .success
    }

    /// A link to the page of the running agent; `nil` if none runs.
    func pageLink(_ setup: Setup) async throws -> String? {
        guard let holder = try StateLock.holder(setup.locations) else { return nil }
        let client = HTTPClient()
        defer { client.close() }
        let ended = try await interruptible { try await answer(to: PageLinkOrder(), by: holder, over: client) }
        switch ended {
        case .interrupted(let signal): throw StoppedAsking(signal: signal)
        case .finished(let reply):
            guard let link = reply.answer else { throw Refusal(reply.ending) }
            return link
        }
    }

    /// Opens a link in the browser, or prints it; returns whether a browser shows it.
    @discardableResult
    func show(_ link: String, _ request: OpenRequest) async throws -> Bool {
        if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(["schema": "gallery-sync/open/1", "url": link]))
            return false
        }
        guard !request.prints, try await showsInBrowser(link) else {
            try console.result([link])
            return false
        }
        return true
    }

    /// Whether the desktop opened the link.
    ///
    /// Other users can read it in the arguments, which is safe because it works only once and not for long.
    private func showsInBrowser(_ link: String) async throws -> Bool {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { surroundings.environment[$0]?.isEmpty == false }
        guard hasDisplay, let program = SystemTool("xdg-open", environment: surroundings.environment) else {
            return false
        }
        do {
            return try await program.run([link], writingTo: surroundings.notes) == .exited(0)
        } catch {
            // No browser can be started, so the caller prints the link.
            return false
        }
    }
}
