import CSystemd
import Glibc

/// A message that arrived; its values are read in order.
final class BusMessage {
    let message: OpaquePointer

    init(_ message: OpaquePointer) { self.message = message }

    deinit { sd_bus_message_unref(message) }

    /// The number of the call that it answers; `nil` for other messages.
    var answered: UInt64? {
        var cookie: UInt64 = 0
        return sd_bus_message_get_reply_cookie(message, &cookie) >= 0 ? cookie : nil
    }

    /// Whether it answers a call that failed.
    var isError: Bool { sd_bus_message_is_method_error(message, nil) > 0 }

    /// Whether it expects an answer from us.
    var isCall: Bool { sd_bus_message_is_method_call(message, nil, nil) > 0 }

    /// An empty answer, which the caller then owns; `nil` if none is expected.
    func answer() -> OpaquePointer? {
        guard sd_bus_message_get_expect_reply(message) > 0 else { return nil }
        var answer: OpaquePointer?
        return sd_bus_message_new_method_return(message, &answer) >= 0 ? answer : nil
    }

    /// Answers that there is no such thing.
    func refuse() {
        if sd_bus_message_get_expect_reply(message) > 0 { sd_bus_reply_method_errno(message, EOPNOTSUPP, nil) }
    }

    var interface: String { Self.text(sd_bus_message_get_interface(message)) }
    var member: String { Self.text(sd_bus_message_get_member(message)) }
    var path: String { Self.text(sd_bus_message_get_path(message)) }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }

    /// The next text; empty if the next value is of another type.
    func text() -> String {
        guard let type = nextType?.type, type == "s" || type == "o" else { return "" }
        var text: UnsafePointer<CChar>?
        return read(type, into: &text) ? Self.text(text) : ""
    }

    /// The next number; `nil` if the next value is of another type.
    func unsigned() -> UInt32? {
        var number: UInt32 = 0
        return read("u", into: &number) ? number : nil
    }

    /// The next number with a sign; `nil` if the next value is of another type.
    func signed() -> Int32? {
        var number: Int32 = 0
        return read("i", into: &number) ? number : nil
    }

    /// The next list of numbers with a sign; empty if the next value is of another type.
    func numbers() -> [Int32] {
        guard sd_bus_message_enter_container(message, Self.code("a"), "i") > 0 else { return [] }
        var numbers: [Int32] = []
        while let number = signed() { numbers.append(number) }
        _ = sd_bus_message_exit_container(message)
        return numbers
    }

    /// The next list of a menu's events; empty if the next value is of another type.
    func events() -> [(number: Int32, name: String)] {
        guard sd_bus_message_enter_container(message, Self.code("a"), "(isvu)") > 0 else { return [] }
        var events: [(number: Int32, name: String)] = []
        while sd_bus_message_enter_container(message, Self.code("r"), "isvu") > 0 {
            guard let number = signed() else { break }
            events.append((number, text()))
            guard sd_bus_message_skip(message, "vu") >= 0, sd_bus_message_exit_container(message) >= 0 else { break }
        }
        return events
    }

    /// The next Boolean; `nil` if the next value is of another type.
    func truth() -> Bool? {
        var number: Int32 = 0
        return read("b", into: &number) ? number != 0 : nil
    }

    /// A copy of the next descriptor, which the caller owns; `nil` if the next value is of another type.
    func descriptor() -> Int32? {
        var number: Int32 = -1
        guard read("h", into: &number) else { return nil }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        return copy >= 0 ? copy : nil
    }

    /// The next value that carries its type with it.
    func variant() -> BusValue? {
        guard let (type, contents) = nextType, type == "v",
            sd_bus_message_enter_container(message, Self.code("v"), contents) > 0
        else { return nil }
        let value = simple() ?? (sd_bus_message_skip(message, contents) >= 0 ? .other : nil)
        return sd_bus_message_exit_container(message) >= 0 ? value : nil
    }

    /// The next table of names and values; empty if the next value is of another type.
    func table() -> [String: BusValue] {
        guard sd_bus_message_enter_container(message, Self.code("a"), "{sv}") > 0 else { return [:] }
        var rows: [String: BusValue] = [:]
        while sd_bus_message_enter_container(message, Self.code("e"), "sv") > 0 {
            let name = text()
            guard let value = variant(), sd_bus_message_exit_container(message) >= 0 else { return rows }
            rows[name] = value
        }
        _ = sd_bus_message_exit_container(message)
        return rows
    }

    /// The next list of texts; empty if the next value is of another type.
    func texts() -> [String] {
        guard sd_bus_message_enter_container(message, Self.code("a"), "s") > 0 else { return [] }
        var texts: [String] = []
        while sd_bus_message_at_end(message, 0) == 0 {
            guard nextType?.type == "s" else { break }
            texts.append(text())
        }
        _ = sd_bus_message_exit_container(message)
        return texts
    }

    private func simple() -> BusValue? {
        switch nextType?.type {
        case "s", "o": return .text(text())
        case "b": return truth().map { .truth($0) }
        case "u": return unsigned().map { .number(Double($0)) }
        case "d":
            var number = 0.0
            return read("d", into: &number) ? .number(number) : nil
        default: return nil
        }
    }

    private var nextType: (type: Unicode.Scalar, contents: UnsafePointer<CChar>?)? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &type, &contents) > 0 else { return nil }
        return (Unicode.Scalar(UInt8(bitPattern: type)), contents)
    }

    private func read<Value>(_ type: Unicode.Scalar, into value: inout Value) -> Bool {
        withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(message, Self.code(type), $0) > 0 }
    }

    private static func code(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }
}
