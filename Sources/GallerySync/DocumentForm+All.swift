import CommandLine
import Output

extension DocumentForm {
    /// The documents of all commands, and those for events of long commands and for errors.
    static var all: [DocumentForm] { CommandTable.all.forms.flatMap(\.documents) + [event, error] }
}
