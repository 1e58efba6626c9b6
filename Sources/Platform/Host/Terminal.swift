import CLinux
import Glibc

/// Standard streams that are connected to a terminal.
package enum Terminal {
    /// Whether `descriptor` is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    /// Columns of the terminal, or `nil` where it is not one or does not tell.
    package static func columns(_ descriptor: Int32) -> Int? {
        let columns = Int(clinux_terminal_columns(descriptor))
        return columns > 0 ? columns : nil
    }

    /// Lines of the terminal, or `nil` where it is not one or does not tell.
    package static func rows(_ descriptor: Int32) -> Int? {
        let rows = Int(clinux_terminal_rows(descriptor))
        return rows > 0 ? rows : nil
    }

    /// Runs `body` while typed characters are not shown; without a terminal it only runs `body`.
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
