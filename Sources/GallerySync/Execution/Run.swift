import Cleansing
import Configuration
import Gallery
import Platform
import Text

/// One command being carried out.
struct Run: Sendable {
    let invocation: Invocation
    let surroundings: Surroundings
    let console: Console

    /// Carries the command out.
    func perform() async throws -> ExitCode {
        switch invocation.command {
        case .help(let topic): return try help(topic)
        case .manual(let folder): return try manual(folder)
        case .completion(let shell): return try completion(shell)
        case .version: return try version()
        case .config(let request): return try await config(request)
        case .doctor: return try await doctor()
        case .initialize(let request): return try await initialize(request)
        case .sync(let request): return try await sync(request)
        case .watch(let roots): return try await watch(roots)
        case .status(let request): return try await status(request)
        case .reupload(let request): return try await reupload(request)
        case .restore(let request): return try await restore(request)
        case .queue(let request): return try await queue(request)
        case .verify(let request): return try await verify(request)
        case .prune(let request): return try await prune(request)
        case .link(let request): return try await link(request)
        case .rescue(let request): return try await rescue(request)
        case .jobs(let request): return try await jobs(request)
        case .generate(let request): return try await generate(request)
        case .why(let files): return try await why(files)
        case .serve(let request): return try await serve(request)
        case .demo(let keeps): return try await demo(keeps: keeps)
        case .login(let request): return try await login(request)
        case .logout: return try await logout()
        case .thumbnail(let request): return try await thumbnail(request)
        }
    }
}

extension Run {
    private func help(_ topic: String?) throws -> ExitCode {
        let form = topic.flatMap(CommandTable.form(named:))
        try console.result(form.map(HelpText.text(for:)) ?? HelpText.overview)
        return .success
    }

    /// `help --man`: a page for the program and one for each command.
    private func manual(_ folder: FilePath) throws -> ExitCode {
        let folder = surroundings.absolute(folder)
        try Directory.create(at: folder, mode: 0o755)
        let pages = ManualPage.all
        for page in pages {
            let path = folder.appending("\(page.name).1")
            try OpenFile(creating: path, mode: 0o644).append(Array((page.lines.joined(separator: "\n") + "\n").utf8))
        }
        if !invocation.isQuiet { console.note("Wrote \(pages.count) manual pages into \(folder.display)") }
        return .success
    }

    private func completion(_ shell: Shell) throws -> ExitCode {
        switch shell {
        case .bash: try console.result(BashCompletion.lines)
        case .zsh: try console.result(ZshCompletion.lines)
        case .fish: try console.result(FishCompletion.lines)
        }
        return .success
    }

    private func version() throws -> ExitCode {
        if invocation.isJSON {
            try console.result(["{\"schema\":\"gallery-sync/version/1\",\"version\":\(JSONText.quoted(Version.text))}"])
        } else {
            try console.result(["gallery-sync \(Version.text)"])
        }
        return .success
    }
}
