import CommandLine
import Output

extension DocumentForm {
    /// The documents of all commands, and those of long ones and of errors.
    static var all: [DocumentForm] { CommandTable.all.forms.flatMap(\.documents) + [event, error] }
}
