/// How a unit that does not run has ended, as `systemctl show` says it.
package struct UnitEnd: Hashable {
    /// systemd's word, such as `exit-code`.
    package let result: String
    /// The exit code of its process.
    package let status: String
    /// Whether systemd starts it again by itself.
    package let isTriedAgain: Bool

    /// Reads `KEY=VALUE` lines; `nil` where they say that it runs.
    package init?(_ lines: [String]) {
        var values: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        let state = values["ActiveState"] ?? ""
        guard state != "active", state != "reloading" else { return nil }
        result = values["Result"] ?? ""
        status = values["ExecMainStatus"] ?? ""
        isTriedAgain = state == "activating"
    }

    /// What is to be said of it after `unit` was started.
    package func sentence(_ unit: String) -> String {
        let how = result == "exit-code" ? "exit \(status)" : result
        let again = isTriedAgain ? " systemd tries again." : ""
        return "\(unit) was started and ended again (\(how)).\(again) See \"gallery-sync service logs\"."
    }
}
