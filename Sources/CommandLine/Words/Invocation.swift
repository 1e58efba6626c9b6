import Cleansing
package import Configuration
package import Output
package import Platform
import Text

/// A command and everything that holds for all commands.
package struct Invocation: Sendable {
    var command: any Command
    /// The file that `--config` names.
    package var configuration: FilePath?
    var profile: String?
    /// The folder that `--state-dir` names.
    package var stateDirectory: FilePath?
    /// Whether results are JSON: one document, or one line each.
    package var isJSON = false
    /// Whether only errors are written.
    package var isQuiet = false
    /// Whether colours are written.
    package var colour = ColourChoice.auto
    /// Settings that were given as options.
    package var overrides: [SettingOverride] = []
}

extension Invocation {
    /// Parses the words after the program's name as one of the commands of `table`; pure.
    ///
    /// - Parameters:
    ///   - home: The directory for a leading `~` in an option's path.
    ///   - help: The command that explains another one or, with `nil`, the program.
    ///   - version: The command that prints the version.
    package init(
        _ words: [[UInt8]], of table: CommandTable, home: FilePath?, help: (String?) -> any Command,
        version: any Command
    ) throws(UsageError) {
        let forms = table.forms
        let finding = try WordScanner.scan(
            words, commands: Dictionary(uniqueKeysWithValues: forms.map { ($0.name, $0.options) }),
            general: CommandTable.general, suggest: table.suggestion)
        var parsed = finding.words
        parsed.home = home
        if parsed.isOn("version") { self = try Invocation(command: version, parsed, options: []); return }
        guard let form = forms.first(where: { $0.name == finding.command }), !parsed.isOn("help") else {
            self = try Invocation(command: help(finding.command), parsed, options: [])
            return
        }
        do throws(UsageError) {
            try form.check(parsed.arguments)
            self = try Invocation(command: try form.parse(parsed), parsed, options: form.options)
        } catch {
            throw UsageError(message: error.message, command: form.name)
        }
    }

    private init(command: any Command, _ parsed: ParsedWords, options: [OptionForm]) throws(UsageError) {
        self.init(command: command)
        configuration = parsed.path("config")
        profile = try parsed.text("profile")
        stateDirectory = parsed.path("state-dir")
        isJSON = parsed.isOn("json")
        guard !isJSON || command.hasJSON else {
            throw UsageError(message: "What this prints is text, also for programs: leave out --json.")
        }
        isQuiet = parsed.isOn("quiet")
        colour = try parsed.value("color", "auto, always or never", ColourChoice.init(rawValue:)) ?? .auto
        overrides = try Self.overrides(parsed, options + CommandTable.general)
    }

    /// The settings that options set; `-v` and `-q` set the level of the log.
    private static func overrides(_ parsed: ParsedWords, _ options: [OptionForm]) throws(UsageError)
        -> [SettingOverride]
    {
        var overrides: [SettingOverride] = []
        for option in options {
            guard let key = option.setting, parsed.isOn(option.name) else { continue }
            let text = option.value == nil ? "true" : try parsed.text(option.name) ?? ""
            overrides.append(SettingOverride(key, .text(text), from: .flag("--\(option.name)")))
        }
        try parsed.atMostOne(of: "verbose", "quiet")
        let level = parsed.isOn("quiet") ? LogLevel.error : [.info, .debug, .trace][min(parsed.count("verbose"), 2)]
        if level != .info {
            let flag = parsed.isOn("quiet") ? "--quiet" : "--verbose"
            overrides.append(SettingOverride("log.level", .text(level.rawValue), from: .flag(flag)))
        }
        return overrides + (try assignments(parsed))
    }

    /// `--set upload.limitRate=2M`.
    private static func assignments(_ parsed: ParsedWords) throws(UsageError) -> [SettingOverride] {
        var overrides: [SettingOverride] = []
        for bytes in parsed.options["set"] ?? [] {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw UsageError(notText: "set") }
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError(message: "--set \(JSONText.quoted(text)): expected KEY=VALUE.")
            }
            guard Setting.named(parts[0]) != nil else {
                throw UsageError(message: "--set \(parts[0]) is not a setting.\(Setting.suggestion(for: parts[0]))")
            }
            overrides.append(SettingOverride(parts[0], .text(parts[1]), from: .flag("--set \(parts[0])")))
        }
        return overrides
    }
}

extension CommandForm {
    /// Throws where there are too few or too many arguments, or the first is not an action.
    func check(_ arguments: [[UInt8]]) throws(UsageError) {
        // An empty path would mean the working directory, which a script's empty variable must never mean.
        if arguments.contains(where: \.isEmpty) {
            throw UsageError(message: "\"\(name)\" does not take an empty word.")
        }
        if !actions.isEmpty {
            let names = actions.map(\.name)
            let word = arguments.first.map { String(decoding: $0, as: UTF8.self) }
            guard let word else {
                throw UsageError(message: "\"\(name)\" needs one of: \(names.joined(separator: ", ")).")
            }
            guard names.contains(word) else {
                let near = Spelling.nearest(to: word, among: names)
                let isHarmless = actions.contains { $0.name == near && !$0.mustBeMeant }
                let suggestion = isHarmless ? near.map { " Did you mean \"\($0)\"?" } ?? "" : ""
                throw UsageError(message: "\"\(name)\" has no action \(JSONText.quoted(word)).\(suggestion)")
            }
        }
        if arguments.count < argumentCount.lowerBound {
            throw UsageError(message: "\"\(name)\" needs \(arguments.isEmpty ? "" : "another ")\(self.arguments).")
        }
        if arguments.count > argumentCount.upperBound {
            let extra = String(decoding: arguments[argumentCount.upperBound], as: UTF8.self)
            throw UsageError(message: "\"\(name)\" does not take \(JSONText.quoted(extra)).")
        }
    }
}
