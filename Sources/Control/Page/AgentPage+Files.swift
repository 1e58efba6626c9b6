package import Dashboard
import Desktop
import FoundationEssentials
import Gallery
import Platform
import Reconciling
import Records
import Restoring
import Roots
import Text

// What the page can ask for about certain files.
extension AgentPage {
    /// Everything is possible, except what the destination or the desktop cannot do.
    package func ability(of action: PageAction.Name) async -> PageAbility {
        switch action {
        case .link: PageAbility(refusal: Linker.refusal(at: agent.setup.destination).map { "\($0)." })
        case .show: PageAbility(refusal: await browser?.isThere() == true ? nil : Self.noBrowser)
        default: .allowed
        }
    }

    private static let noBrowser = "This desktop has no file manager that can be asked (org.freedesktop.FileManager1)."

    func performOnFiles(_ action: PageAction) async throws -> PageActionResult {
        switch action {
        case .retry(let files): try await send(.all, files, done: "sent, where storage lacks what is here")
        case .resend(let files): try await send(.all, files, isForced: true, done: "sent anew")
        case .releaseBrake(let files): try await send(.changed, files, done: "sent now, changed as they are")
        case .leaveOut(let files): try await leaveOut(files)
        case .link(let files, let seconds): try await link(files, seconds)
        case .restore(let files, let folder): try await restore(files, folder)
        case .prune(let files, let words): try await prune(files, words)
        case .show(let files): try await show(files)
        case .pause, .resume, .sync: PageActionResult(sentence: "")
        }
    }

    private func paths(of files: [RootedPath]) -> [FilePath] {
        files.compactMap { agent.roots[$0.root]?.known.path.appending($0.path) }
    }

    private func send(
        _ which: Selection.Which, _ files: [RootedPath]?, isForced: Bool = false, done: String
    ) async throws -> PageActionResult {
        let nothing = PageActionResult(sentence: "Nothing is sent: these files are not here, or nothing holds them.")
        var selection = Selection()
        (selection.which, selection.isForced) = (which, isForced)
        if let files {
            selection.paths = paths(of: files)
            // A selection without paths would mean all files.
            guard !selection.paths.isEmpty else { return nothing }
        }
        let count: Int
        do {
            count = try await agent.beginReupload(selection).files
        } catch let refusal as Refusal {
            throw Self.refusal(refusal.ending)
        }
        guard count > 0 else { return nothing }
        return PageActionResult(count: count, sentence: "\(Self.are(count)) \(done).")
    }

    private static func are(_ count: Int) -> String {
        "\(Quantity.text(count, "file")) \(count == 1 ? "is" : "are")"
    }

    private func leaveOut(_ files: [RootedPath]) async throws -> PageActionResult {
        let reply = try await agent.answer(CancelOrder(paths: paths(of: files)))
        try Self.check(reply)
        guard let count = reply.answer, count > 0 else {
            return PageActionResult(sentence: "Nothing is left out: what is stored stays stored.")
        }
        return PageActionResult(
            count: count, sentence: "\(Self.are(count)) left out, and sent only when you ask for it.")
    }

    private func link(_ files: [RootedPath], _ seconds: Int) async throws -> PageActionResult {
        let reply = try await agent.answer(LinkOrder(files, seconds: seconds))
        guard let links = reply.answer else {
            try Self.check(reply)
            return PageActionResult(sentence: "")
        }
        return PageActionResult(links, of: files.count)
    }

    private func prune(_ files: [RootedPath], _ words: String?) async throws -> PageActionResult {
        let planned = try await agent.answer(PruneOrder(deleting: false, of: files))
        try Self.check(planned)
        guard let plan = planned.answer, !plan.objects.isEmpty else {
            let reason = planned.answer?.kept.first?.line
            return PageActionResult(sentence: reason.map { "Nothing to delete: \($0)." } ?? "Nothing to delete.")
        }
        let wanted = "delete \(plan.objects.count)"
        guard let words else {
            var result = PageActionResult(count: plan.objects.count, sentence: plan.question)
            result.question = .init(words: wanted, examples: plan.files.prefix(5) + plan.kept.prefix(5).map(\.line))
            return result
        }
        guard words == wanted else {
            throw PageRefusal(
                status: 409, message: "Nothing was deleted: the words are not \"\(wanted)\".",
                next: "Look at what would be deleted, and type them as they stand there.")
        }
        let reply = try await agent.answer(PruneOrder(deleting: true, of: files))
        guard let result = reply.answer, !reply.ending.isRefusal else {
            try Self.check(reply)
            return PageActionResult(sentence: "")
        }
        let kept = result.kept.prefix(3).map { " \($0.line)." }.joined()
        return PageActionResult(count: result.objects.count, sentence: result.sentence + kept)
    }

    private func show(_ files: [RootedPath]) async throws -> PageActionResult {
        guard let browser, await browser.show(paths(of: files)) else {
            throw PageRefusal(
                status: 409, message: Self.noBrowser, next: "Look at the file's folder in a file manager of your own.")
        }
        return PageActionResult(count: files.count, sentence: "The file manager shows them.")
    }

    private func restore(_ files: [RootedPath], _ folder: String) async throws -> PageActionResult {
        let directory = FilePath(folder).expanded(home: home)
        let restorer = try await agent.restorer(of: files, into: directory)
        let count = restorer.objectCount
        guard count > 0 else { return PageActionResult(sentence: "Nothing to restore: none of these files is stored.") }
        let title = "Restoring \(Quantity.text(count, "file")) to \(directory.display)"
        restores.begin(restorer, title: title, total: count)
        return PageActionResult(count: count, sentence: "\(title).")
    }
}
