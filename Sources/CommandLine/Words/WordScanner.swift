import Cleansing
import Configuration
import Gallery
import Text

/// Sorts words into options and arguments; independent of what the commands mean.
struct WordScanner {
    /// Options of the command that was found, and those of every command.
    private var known: [OptionForm]
    private var parsed = ParsedWords()
    private var command: String?
    /// The text that follows the sentence about an unknown command.
    private let suggest: (String) -> String

    /// The command's name, `nil` where there is none, and the other words.
    struct Finding: Hashable {
        let command: String?
        let words: ParsedWords
    }

    /// Sorts `words`; options of a command stand after its name, general options anywhere.
    ///
    /// - Parameters:
    ///   - commands: The options of each command.
    ///   - suggest: The text that follows the sentence about an unknown command; empty for nothing.
    static func scan(
        _ words: [[UInt8]], commands: [String: [OptionForm]], general: [OptionForm],
        suggest: @escaping (String) -> String
    ) throws(UsageError) -> Finding {
        var scanner = WordScanner(known: general, suggest: suggest)
        var rest = words[...]
        var readsOptions = true
        while let word = rest.popFirst() {
            if readsOptions, word == Array("--".utf8) {
                readsOptions = false
            } else if readsOptions, word.starts(with: Array("--".utf8)) {
                try scanner.long(word.dropFirst(2), &rest)
            } else if readsOptions, word.count > 1, word.first == UInt8(ascii: "-") {
                try scanner.letters(word.dropFirst(), &rest)
            } else if scanner.command == nil {
                try scanner.take(command: String(decoding: word, as: UTF8.self), from: commands)
            } else {
                scanner.parsed.arguments.append(word)
            }
        }
        return Finding(command: scanner.command, words: scanner.parsed)
    }

    private init(known: [OptionForm], suggest: @escaping (String) -> String) {
        self.known = known
        self.suggest = suggest
    }

    private mutating func take(command name: String, from commands: [String: [OptionForm]]) throws(UsageError) {
        guard let options = commands[name] else {
            throw UsageError(message: "Unknown command \(JSONText.quoted(name)).\(suggest(name))")
        }
        command = name
        known = options + known
    }

    /// `--name`, `--name value` or `--name=value`.
    private mutating func long(_ word: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>) throws(UsageError) {
        let parts = word.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: parts.first ?? [], as: UTF8.self)
        guard let option = known.first(where: { $0.name == name }) else {
            let suggestion = Spelling.nearest(to: name, among: known.map(\.name)).map { " Did you mean \"--\($0)\"?" }
            throw UsageError(
                message: "Unknown option \(JSONText.quoted("--" + name)).\(suggestion ?? "")", command: command)
        }
        guard option.value != nil else {
            if parts.count > 1 { throw UsageError(message: "--\(name) takes no value.", command: command) }
            return try add([], to: option)
        }
        try add(parts.count > 1 ? Array(parts[1]) : try value(of: option, &rest), to: option)
    }

    /// `-v`, `-vv`, `-o DIR` or `-oDIR`.
    private mutating func letters(_ word: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>) throws(UsageError) {
        var letters = word
        while let letter = letters.popFirst() {
            let sign = Character(Unicode.Scalar(letter))
            guard let option = known.first(where: { $0.letter == sign }) else {
                let written = String(decoding: word, as: UTF8.self)
                throw UsageError(message: "Unknown option \(JSONText.quoted("-" + written)).", command: command)
            }
            guard option.value != nil else {
                try add([], to: option)
                continue
            }
            return try add(letters.isEmpty ? try value(of: option, &rest) : Array(letters), to: option)
        }
    }

    private func value(of option: OptionForm, _ rest: inout ArraySlice<[UInt8]>) throws(UsageError) -> [UInt8] {
        if let next = rest.first, !isOption(next) { return rest.removeFirst() }
        throw UsageError(message: "--\(option.name) needs a value: \(option.value ?? "").", command: command)
    }

    /// Whether `word` is another option of the command, rather than the value of the one before it.
    ///
    /// A value that is written like one, such as a directory named `--json`, is given as `--to=--json`.
    private func isOption(_ word: [UInt8]) -> Bool {
        let text = String(decoding: word, as: UTF8.self)
        return known.contains { option in
            text == "--" + option.name || text.hasPrefix("--\(option.name)=")
                || option.letter.map { text == "-\($0)" } ?? false
        }
    }

    private mutating func add(_ value: [UInt8], to option: OptionForm) throws(UsageError) {
        if option.value != nil, value.isEmpty {
            throw UsageError(message: "The value of --\(option.name) is empty.", command: command)
        }
        if option.value != nil, !option.isRepeatable, parsed.options[option.name] != nil {
            throw UsageError(message: "--\(option.name) is given twice.", command: command)
        }
        parsed.options[option.name, default: []].append(value)
    }
}
