import Gallery
import Output
import Platform
import Text

/// The commands of a program, and what all of them have in common.
package struct CommandTable: Sendable {
    /// The commands, in the order in which `help` lists them.
    package let forms: [CommandForm]

    /// A table of these commands.
    package init(_ forms: [CommandForm]) { self.forms = forms }

    /// The command with this name, if there is one.
    package func form(named name: String) -> CommandForm? { forms.first { $0.name == name } }

    /// Options of every command.
    static let general: [OptionForm] = [
        OptionForm("config", value: "FILE", "Read this configuration"),
        OptionForm("profile", value: "NAME", "Use this profile of it (default: default)"),
        OptionForm("state-dir", value: "DIR", "Keep state, cache, runtime files and local storage below DIR"),
        OptionForm("local", "Keep a second copy on this computer only", setting: "destination.local"),
        OptionForm("set", value: "KEY=VALUE", "Set any setting, such as upload.concurrency=2", isRepeatable: true),
        OptionForm("json", "Write results as JSON"),
        OptionForm("verbose", letter: "v", "Say more; -vv says everything"),
        OptionForm("quiet", letter: "q", "Say only what went wrong"),
        OptionForm(
            "color", value: "WHEN", "auto, always or never", words: ColourChoice.allCases.map(\.rawValue)),
        OptionForm(
            "log-format", value: "FORMAT", "text or json", setting: "log.format",
            words: LogFormat.allCases.map(\.rawValue)),
        OptionForm("help", letter: "h", "Explain the command"),
        OptionForm("version", "Print the version"),
    ]

    /// `--limit-rate`, for commands that send.
    package static let limitRate = OptionForm(
        "limit-rate", value: "RATE", "Send at most this much a second, such as 2M", setting: "upload.limitRate")
    /// `--dry-run`, for commands that change something.
    package static let dryRun = OptionForm("dry-run", "Say what would be done, and do nothing")
    /// `--since`, for commands that choose files; `happened` tells what counts, such as `was changed`.
    package static func since(_ happened: String) -> OptionForm {
        OptionForm("since", value: "DATE", "Only what \(happened) since: 2026-11-20, or an age like 7d")
    }

    /// The value of `--since`; throws where it is neither a date nor an age.
    package static func since(in words: ParsedWords) throws(UsageError) -> Since? {
        try words.value(
            "since", "a date like 2026-11-20 or an age like 7d, 30d for a month and 30m for half an hour", Since.init)
    }
}
