import CommandLine
import Desktop
import Gallery
import Platform
import Records

/// One unit of this user's systemd, through `systemctl --user`.
struct UserUnits {
    private let systemctl: SystemTool
    let unit: String
    /// The variables that systemd gives to all of this user's services.
    private let environment: [String]

    /// Throws `Refusal` if this user's systemd does not answer.
    init(unit: String, to action: ServiceRequest.Action, in surroundings: Surroundings) async throws {
        self.unit = unit
        let next = action == .install ? Self.otherwise : Self.elsewhere
        guard let systemctl = SystemTool("systemctl", environment: surroundings.environment) else {
            throw Refusal(.needsHuman("There is no systemd on this computer. \(next)"))
        }
        self.systemctl = systemctl
        let answer = try await systemctl.ask(["--user", "show-environment"])
        guard answer.exit == .exited(0) else {
            let words = answer.lines.first.map { " (\($0))" } ?? ""
            throw Refusal(.needsHuman("No systemd of this user answers\(words). \(next)"))
        }
        environment = answer.lines
    }

    private static let otherwise =
        "Have something else start \"gallery-sync watch\", such as the container or cron's @reboot."
    private static let elsewhere =
        "Without it no service runs here; \"gallery-sync status\" says whether watch runs otherwise."

    /// Gives systemctl an order; throws `Refusal` with systemctl's words if it fails.
    func order(_ words: String...) async throws {
        let answer = try await systemctl.ask(["--user"] + words)
        guard answer.exit != .exited(0) else { return }
        let said = answer.lines.joined(separator: " ")
        throw Refusal(
            .needsHuman(
                "systemctl --user \(words.joined(separator: " ")) failed: \(said) See \"gallery-sync service logs\"."))
    }

    /// Whether the unit runs; `nil` if systemd does not know it.
    var isRunning: Bool? {
        get async throws {
            if try await systemctl.ask(["--user", "--quiet", "is-active", unit]).exit == .exited(0) { return true }
            return try await systemctl.ask(["--user", "cat", unit]).exit == .exited(0) ? false : nil
        }
    }

    /// Whether systemd gives the unit a key: by a variable of all services, or by a file that adds to the unit.
    ///
    /// - Parameter file: The unit's own file; ignored, because an installation overwrites it.
    func hasKey(besides file: FilePath) async throws -> Bool {
        if environment.contains(where: { $0.hasPrefix("GALLERY_SYNC_KEY=") }) { return true }
        let words = ["gallery-sync-key", "GALLERY_SYNC_KEY", "EnvironmentFile="]
        var isAdded = true
        for line in try await systemctl.ask(["--user", "cat", unit]).lines {
            // `systemctl cat` names each file in a comment before its lines.
            if line.hasPrefix("# /") { isAdded = line != "# \(file.display)" }
            if isAdded, !line.hasPrefix("#"), words.contains(where: line.contains) { return true }
        }
        return false
    }

    /// How the unit ended, in systemd's words; `nil` while it runs.
    ///
    /// Asks twice, a second apart, because a watch reports itself ready before it has asked the destination.
    func end() async throws -> UnitEnd? {
        if let end = try await endNow() { return end }
        try await Task.sleep(for: .seconds(1))
        return try await endNow()
    }

    private func endNow() async throws -> UnitEnd? {
        let answer = try await systemctl.ask(
            ["--user", "show", "-p", "ActiveState", "-p", "Result", "-p", "ExecMainStatus", unit])
        return UnitEnd(answer.lines)
    }

    /// The lines of `systemctl status` for the unit.
    var lines: [String] {
        get async throws { try await systemctl.ask(["--user", "--no-pager", "--lines=0", "status", unit]).lines }
    }
}
