import CSystemd

@testable import Desktop

extension BusMessage {
    /// All values that were not read yet, such as `7, 'text', [label: 'a'], (1, [true])`; `refused` for an error.
    var written: String { isError ? "refused" : values().joined(separator: ", ") }

    private func values() -> [String] {
        var values: [String] = []
        while let value { values.append(value) }
        return values
    }

    /// The next value; `nil` at the end of what it stands in.
    private var value: String? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &type, &contents) > 0 else { return nil }
        switch Unicode.Scalar(UInt8(bitPattern: type)) {
        case "s", "o": return "'\(text())'"
        case "u": return unsigned().map { "\($0)" }
        case "i": return signed().map { "\($0)" }
        case "b": return truth().map { "\($0)" }
        case "v": return within(type, contents) { $0.joined() }
        case "r": return within(type, contents) { "(\($0.joined(separator: ", ")))" }
        case "e": return within(type, contents) { "\($0[0].replacing("'", with: "")): \($0.dropFirst().joined())" }
        case "a": return within(type, contents) { "[\($0.joined(separator: ", "))]" }
        default: return sd_bus_message_skip(message, nil) >= 0 ? "?" : nil
        }
    }

    private func within(
        _ type: CChar, _ contents: UnsafePointer<CChar>?, _ join: ([String]) -> String
    ) -> String? {
        guard sd_bus_message_enter_container(message, type, contents) > 0 else { return nil }
        let values = values()
        return sd_bus_message_exit_container(message) >= 0 ? join(values) : nil
    }
}
