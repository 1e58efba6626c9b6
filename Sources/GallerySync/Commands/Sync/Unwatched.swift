import CommandLine
import Configuration
import Platform
import Reporting

/// Configured folders that a running agent, which read the configuration at its start, does not look at.
enum Unwatched {
    /// The first such folder; `nil` if there is none, or no agent runs.
    static func root(in report: Report, of setup: Setup) throws(SystemError) -> FilePath? {
        guard report.agent.running else { return nil }
        let known = report.roots.filter { $0.dropped != true }.map { FilePath($0.path) }
        for path in setup.settings.roots.map(\.path) {
            guard !known.contains(where: { $0 == path || path.relative(to: $0) != nil }) else { continue }
            // A folder that does not exist is in no report even if the agent knows it and waits for it.
            if try FileFacts.existing(path) != nil { return path }
        }
        return nil
    }

    /// What is wrong with the folder at `path`.
    static func message(_ path: FilePath) -> String {
        "The running agent does not know \(path), which the configuration names."
    }

    /// What to do about it.
    static let next =
        "Restart it: \"systemctl --user restart gallery-sync\", or end it and run \"gallery-sync watch\"."
}
