/// How a unit that is not running has ended, as `systemctl show` reports it.
package struct UnitEnd: Hashable {
    /// systemd's word, such as `exit-code`.
    package let result: String
    /// The exit code of its process.
    package let status: String
    /// Whether systemd will restart it.
    package let isTriedAgain: Bool

    /// Reads `KEY=VALUE` lines; `nil` if they say that the unit is running.
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

    /// The sentence for the user, if it has ended like this after `unit` was started.
    package func sentence(_ unit: String) -> String {
        let how = result == "exit-code" ? "exit \(status)" : result
        let again = isTriedAgain ? " systemd tries again." : ""
        return "\(unit) was started and ended again (\(how)).\(again) See \"gallery-sync service logs\"."
    }
}
