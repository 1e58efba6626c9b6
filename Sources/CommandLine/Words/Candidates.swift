import Configuration
import Gallery

/// What a shell may offer for a word of the command line.
package enum Candidates: Hashable, Sendable {
    /// Nothing can be suggested.
    case none
    case files, directories
    /// One of these words; as an argument, only the first one is completed.
    case words([String])
    /// A command's name.
    case commands
    /// A setting's key, `=`, and a value.
    case settings
}

extension Candidates {
    /// The words to offer, with the commands of `table`; empty for files, directories and nothing.
    func words(in table: CommandTable) -> [String] {
        switch self {
        case .none, .files, .directories: []
        case .words(let words): words
        case .commands: table.forms.map(\.name)
        case .settings: Setting.all.map { $0.key + "=" }
        }
    }
}
