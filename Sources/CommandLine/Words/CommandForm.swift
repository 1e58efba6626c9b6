package import Output

/// What may follow one command's name; the whole command line is a table of these.
package struct CommandForm: Sendable {
    let name: String
    /// One line without a full stop.
    let summary: String
    /// As shown after the name, such as `[DIR…]`; empty for none.
    let arguments: String
    /// Whether it deletes, spends or sends something, so that it must be typed and is never suggested.
    let mustBeMeant: Bool
    /// How many arguments there may be.
    let argumentCount: ClosedRange<Int>
    /// What a shell may offer for an argument; each action has its own.
    let candidates: Candidates
    /// The words that the first argument may be; empty if it may be anything.
    let actions: [Action]
    let options: [OptionForm]
    /// Paragraphs that add to the summary.
    let details: [String]
    let examples: [Example]
    /// The documents that it writes with `--json`.
    package let documents: [DocumentForm]
    /// The command meant by words that fit the form.
    let parse: @Sendable (ParsedWords) throws(UsageError) -> any Command

    /// A row of the table; `count` is how many arguments there may be.
    package init(
        _ name: String, _ summary: String, arguments: String = "", count: ClosedRange<Int> = 0...0,
        candidates: Candidates = .none, actions: [Action] = [], options: [OptionForm] = [], details: [String] = [],
        examples: [Example], documents: [DocumentForm] = [], mustBeMeant: Bool = false,
        parse: @escaping @Sendable (ParsedWords) throws(UsageError) -> any Command
    ) {
        self.name = name
        self.summary = summary
        self.arguments = arguments
        self.mustBeMeant = mustBeMeant
        argumentCount = count
        self.candidates = candidates
        self.actions = actions
        self.options = options
        self.details = details
        self.examples = examples
        self.documents = documents
        self.parse = parse
    }

    /// A word that selects what the command does.
    package struct Action: Hashable, Sendable {
        let name: String
        /// What a shell may offer after it.
        let candidates: Candidates
        /// As for a whole command.
        let mustBeMeant: Bool

        /// An action with this name.
        package init(_ name: String, _ candidates: Candidates = .none, mustBeMeant: Bool = false) {
            self.name = name
            self.candidates = candidates
            self.mustBeMeant = mustBeMeant
        }
    }

    /// A command line, and its purpose.
    package struct Example: Hashable, Sendable {
        /// After `gallery-sync `.
        let words: String
        let purpose: String

        /// An example of words that follow `gallery-sync `.
        package init(_ words: String, _ purpose: String) {
            self.words = words
            self.purpose = purpose
        }
    }
}

/// One option: how it is written and what it means.
package struct OptionForm: Hashable, Sendable {
    /// Without the dashes.
    let name: String
    let letter: Character?
    /// The placeholder of its value in help, such as `RATE`; `nil` for a switch.
    let value: String?
    let summary: String
    /// The setting that it sets, by dotted key.
    let setting: String?
    let isRepeatable: Bool
    /// What a shell may offer for its value.
    let candidates: Candidates

    /// - Parameter words: All permitted values, if there are only a few.
    package init(
        _ name: String, letter: Character? = nil, value: String? = nil, _ summary: String, setting: String? = nil,
        isRepeatable: Bool = false, words: [String]? = nil
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.summary = summary
        self.setting = setting
        self.isRepeatable = isRepeatable
        candidates = words.map(Candidates.words) ?? Self.usual[value ?? ""] ?? .none
    }

    /// What a shell may offer for a value, by its placeholder.
    private static let usual: [String: Candidates] = ["FILE": .files, "DIR": .directories, "KEY=VALUE": .settings]
}
