import CommandLine
import Configuration
import Desktop
import Gallery
import Output
import Platform
import Records
import Text

extension Run {
    /// `service`: installs, removes or shows the user unit that runs `watch`.
    func service(_ request: ServiceRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let unit = try watchUnit(setup)
        if request.prints {
            try console.result(
                unit.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
            return .success
        }
        let units = try await UserUnits(unit: unit.name, to: request.action, in: surroundings)
        switch request.action {
        case .install: return try await install(unit, units, setup)
        case .remove: return try await remove(unit, units, setup)
        case .status: return try await showService(units)
        case .logs: return try await showLogs(of: unit.name, follows: request.follows)
        }
    }

    /// The unit that does what this command line would do with `watch`.
    private func watchUnit(_ setup: Setup) throws -> WatchUnit {
        let request = try Setup.locationRequest(invocation, in: surroundings)
        var words = [try text(Host.executable()), "watch", "--log-format", "text"]
        if setup.loaded.profile != SettingSources.standardProfile { words += ["--profile", setup.loaded.profile] }
        if let path = request.configuration { words += ["--config", try text(path)] }
        if let path = request.stateDirectory { words += ["--state-dir", try text(path)] }
        for setting in invocation.overrides where setting.key != "log.format" {
            guard case .text(let value) = setting.value else { continue }
            words += ["--set", "\(setting.key)=\(value)"]
        }
        return WatchUnit(profile: setup.loaded.profile, words: words)
    }

    /// A path as text, because a unit can only name paths in UTF-8.
    private func text(_ path: FilePath) throws(UsageError) -> String {
        if let text = path.string { return text }
        throw UsageError(message: "\(path) is not UTF-8, as a unit has to be: name another place.", command: "service")
    }

    /// The unit's file, where systemd looks for units that a user wrote.
    private func unitFile(_ unit: WatchUnit, _ setup: Setup) -> FilePath {
        let named = surroundings.environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
        return (named ?? setup.home.appending(".config")).appending("systemd/user").appending(FilePath(unit.name))
    }
}

// MARK: - Install and remove

extension Run {
    private func install(_ unit: WatchUnit, _ units: UserUnits, _ setup: Setup) async throws -> ExitCode {
        let start = try await start(unit, units, setup)
        let isTold = !invocation.isQuiet || !start.isRunning
        try tell(
            isTold ? start.sentences : hiddenVariables,
            ServiceDocument(unit: unit.name, installed: true, running: start.isRunning))
        return start.isRunning ? .success : .configuration
    }

    /// Whether an installed service runs, and what to tell the user about it.
    struct ServiceStart {
        let isRunning: Bool
        let sentences: [String]
    }

    /// Installs and starts the service; throws `Refusal` if this user's systemd does not answer.
    func startService(_ setup: Setup) async throws -> ServiceStart {
        let unit = try watchUnit(setup)
        return try await start(unit, UserUnits(unit: unit.name, to: .install, in: surroundings), setup)
    }

    private func start(_ unit: WatchUnit, _ units: UserUnits, _ setup: Setup) async throws -> ServiceStart {
        guard try await Workplace.hasDestination(setup) else {
            throw Refusal(.needsHuman(Workplace.noDestination(setup)))
        }
        let path = unitFile(unit, setup)
        try await checkKey(units, path, setup)
        let wasRunning = try await units.isRunning == true
        try Directory.create(at: path.parent)
        try OutputFile(path: path, mark: Array(WatchUnit.mark.utf8), kind: "unit").write(
            Array(unit.text.utf8), mode: 0o644)
        try await units.order("daemon-reload")
        try await units.order("enable", "--now", unit.name)
        // A service that runs already has not read the new file.
        if wasRunning { try await units.order("restart", unit.name) }
        let end = try await units.end()
        if let end {
            return ServiceStart(
                isRunning: false,
                sentences: ["It was written to \(path.display).", end.sentence(unit.name)] + hiddenVariables)
        }
        return ServiceStart(
            isRunning: true,
            sentences: [
                "\(unit.name) runs, and starts again at every login. It was written to \(path.display).",
                "See \"gallery-sync service status\", \"gallery-sync service logs\" and \"gallery-sync status\".",
            ] + hiddenVariables + linger)
    }

    /// Throws `Refusal` if the service would find neither a sign-in nor a key.
    ///
    /// Such a service would end at once, but only after systemd and this program have said that it runs.
    private func checkKey(_ units: UserUnits, _ file: FilePath, _ setup: Setup) async throws {
        let destination = setup.settings.destination
        guard !destination.local, destination.url != nil, try await !units.hasKey(besides: file) else { return }
        var seen = surroundings
        for name in hiddenNames { seen.environment[name] = nil }
        do {
            try await Workplace(Setup(invocation, in: seen), in: seen).close()
        } catch let refusal as Refusal {
            let hidden = hiddenVariables.first ?? "The service sees no variable of a shell."
            switch refusal.ending {
            case .notPermitted(let reason): throw Refusal(.notPermitted("\(reason) \(hidden)"))
            case .needsHuman(let reason): throw Refusal(.needsHuman("\(reason) \(hidden)"))
            default: throw refusal
            }
        }
    }

    /// The names of set variables of this program that the unit's command line does not carry.
    private var hiddenNames: [String] {
        let carried: Set<String> = ["GALLERY_SYNC_CONFIG", "GALLERY_SYNC_PROFILE", "GALLERY_SYNC_STATE_DIR"]
        return surroundings.environment.keys.filter { $0.hasPrefix("GALLERY_SYNC_") && !carried.contains($0) }
    }

    /// A sentence about variables that are set in this shell only, because the service does not see them.
    private var hiddenVariables: [String] {
        let names = hiddenNames
        guard !names.isEmpty else { return [] }
        return [
            "The service does not see \(names.sorted().joined(separator: ", ")) of this shell: "
                + "put what it says into the configuration, a key into the keyring or a file (destination.keyFile)."
        ]
    }

    /// Advice for a computer without a desktop, because the user is logged out there most of the time.
    private var linger: [String] {
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { surroundings.environment[$0]?.isEmpty == false }
        return hasDesktop
            ? [] : ["It ends when you log out. Run \"loginctl enable-linger\" to have it go on without a login."]
    }

    private func remove(_ unit: WatchUnit, _ units: UserUnits, _ setup: Setup) async throws -> ExitCode {
        let path = unitFile(unit, setup)
        let output = OutputFile(path: path, mark: Array(WatchUnit.mark.utf8), kind: "unit")
        try output.check()
        let document = ServiceDocument(unit: unit.name, installed: false, running: false)
        guard try await units.isRunning != nil else {
            try confirm(["There is no \(unit.name) to remove."], document)
            return .success
        }
        try await units.order("disable", "--now", unit.name)
        if try FileFacts.existing(path) != nil {
            _ = try Directory(path.parent).remove(file: FilePath(bytes: path.name))
        }
        try await units.order("daemon-reload")
        try confirm(
            ["\(unit.name) was stopped and removed. Configuration, state and what is stored stay."], document)
        return .success
    }
}

// MARK: - Look at it

extension Run {
    private func showService(_ units: UserUnits) async throws -> ExitCode {
        let running = try await units.isRunning
        let sentence =
            switch running {
            case true?: "\(units.unit) runs."
            case false?: "\(units.unit) does not run. See \"gallery-sync service logs\"."
            case nil: "\(units.unit) is not installed. Run \"gallery-sync service install\"."
            }
        let lines = running == nil ? [] : try await units.lines
        try tell(
            [sentence] + lines.map { DisplayText.safe($0) },
            ServiceDocument(unit: units.unit, installed: running != nil, running: running == true))
        return running == true ? .success : .configuration
    }

    private func showLogs(of unit: String, follows: Bool) async throws -> ExitCode {
        guard let journalctl = SystemTool("journalctl", environment: surroundings.environment) else {
            throw Refusal(.needsHuman("There is no journalctl on this computer, which would show the log."))
        }
        let words = ["--user", "-u", unit, "-n", "50", "--no-pager"] + (follows ? ["-f"] : [])
        let ended = try await interruptible { try await journalctl.run(words, writingTo: surroundings.results) }
        switch ended {
        case .finished(.exited(0)): return .success
        case .finished: return .disk
        case .interrupted(let signal): return ExitCode(signal)
        }
    }

    private func tell(_ lines: [String], _ document: ServiceDocument) throws {
        guard invocation.isJSON else { return lines.isEmpty ? () : try console.result(lines) }
        try console.result(json: JSONDocument.bytes(document))
    }

    /// Tells what was done, which `-q` leaves out.
    private func confirm(_ lines: [String], _ document: ServiceDocument) throws {
        try tell(invocation.isQuiet ? [] : lines, document)
    }
}

/// One document, `gallery-sync/service/1`.
private struct ServiceDocument: Encodable {
    var schema = "gallery-sync/service/1"
    let unit: String
    let installed: Bool
    let running: Bool
}
