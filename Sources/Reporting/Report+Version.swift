extension Report {
    /// The report with a note where a program of another version made it, for example after an upgrade.
    package func compared(to own: String) -> Report {
        guard version != own else { return self }
        var report = self
        let other = version.map { "version \($0)" } ?? "an older version"
        report.notes.append("The running agent is \(other), this program is \(own): restart the agent.")
        return report
    }
}
