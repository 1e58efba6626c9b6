import CLinux
import Glibc

/// Standard streams that a person sits at.
package enum Terminal {
    /// Whether `descriptor` is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    /// Columns of the terminal, or `nil` where it is none or does not tell.
    package static func columns(_ descriptor: Int32) -> Int? {
        let columns = Int(clinux_terminal_columns(descriptor))
        return columns > 0 ? columns : nil
    }

    /// Runs `body` while what is typed at `descriptor` is not shown; as it is where that is no terminal.
    package static func hidingInput<Value>(_ descriptor: Int32, _ body: () throws -> Value) rethrows -> Value {
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { return try body() }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(descriptor, TCSAFLUSH, &hidden)
        defer { tcsetattr(descriptor, TCSAFLUSH, &before) }
        return try body()
    }
}
