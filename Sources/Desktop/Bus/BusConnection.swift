import CSystemd
import Glibc

/// A connection to a bus; used on one thread only, as sd-bus demands.
///
/// It has no callbacks: `next()` returns each message that has arrived.
final class BusConnection {
    private let bus: OpaquePointer

    /// Connects to this computer's bus, or to the one at `address`; `nil` where there is none.
    init?(_ kind: BusKind, at address: String? = nil) {
        var bus: OpaquePointer?
        let code =
            if let address {
                Self.open(&bus, at: address)
            } else {
                kind == .system ? sd_bus_open_system(&bus) : sd_bus_open_user(&bus)
            }
        guard code >= 0, let bus else {
            sd_bus_unref(bus)
            return nil
        }
        self.bus = bus
    }

    private static func open(_ bus: inout OpaquePointer?, at address: String) -> Int32 {
        var code = sd_bus_new(&bus)
        if code >= 0 { code = sd_bus_set_address(bus, address) }
        if code >= 0 { code = sd_bus_set_bus_client(bus, 1) }
        return code >= 0 ? sd_bus_start(bus) : code
    }

    deinit { sd_bus_close_unref(bus) }

    /// The descriptor and the events to poll for.
    var poll: pollfd {
        pollfd(fd: sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: max(0, sd_bus_get_events(bus))), revents: 0)
    }

    /// When it must be looked at again, in microseconds of the monotonic clock; `nil` if at no certain time.
    var due: UInt64? {
        var microseconds = UInt64.max
        guard sd_bus_get_timeout(bus, &microseconds) >= 0, microseconds != .max else { return nil }
        return microseconds
    }

    /// The result of looking at the bus for a message.
    enum Arrival {
        case message(BusMessage)
        case idle
        case disconnected
    }

    /// The next message; also does whatever else the protocol demands.
    func next() -> Arrival {
        while true {
            var message: OpaquePointer?
            let code = sd_bus_process(bus, &message)
            if code < 0 { return .disconnected }
            if let message { return .message(BusMessage(message)) }
            if code == 0 { return .idle }
        }
    }

    /// Calls a method and returns the number that its answer will have; `nil` if it could not be sent.
    ///
    /// - Parameter isStarting: Whether the bus may start the service to answer it.
    func call(
        _ place: BusPlace, _ member: String, _ arguments: [BusArgument] = [], isStarting: Bool = false
    ) -> UInt64? {
        var message: OpaquePointer?
        guard
            sd_bus_message_new_method_call(bus, &message, place.service, place.path, place.interface, member) >= 0,
            let message
        else { return nil }
        defer { sd_bus_message_unref(message) }
        guard sd_bus_message_set_auto_start(message, isStarting ? 1 : 0) >= 0 else { return nil }
        guard Self.all(arguments, { Self.append($0, to: message) }) >= 0 else { return nil }
        var cookie: UInt64 = 0
        return sd_bus_send(bus, message, &cookie) >= 0 ? cookie : nil
    }

    /// Sends a signal from one of our objects.
    func emit(_ place: BusPlace, _ member: String, _ arguments: [BusArgument] = []) {
        var message: OpaquePointer?
        guard sd_bus_message_new_signal(bus, &message, place.path, place.interface, member) >= 0, let message else {
            return
        }
        send(message, arguments)
    }

    /// Answers a call; `nil` answers that there is no such thing.
    func reply(to call: BusMessage, _ arguments: [BusArgument]?) {
        guard let arguments else { return call.refuse() }
        if let message = call.answer() { send(message, arguments) }
    }

    private func send(_ message: OpaquePointer, _ arguments: [BusArgument]) {
        defer { sd_bus_message_unref(message) }
        guard Self.all(arguments, { Self.append($0, to: message) }) >= 0 else { return }
        _ = sd_bus_send(bus, message, nil)
    }

    /// Appends the argument according to its type; after a failure, whose code is returned, nothing is sent.
    private static func append(_ argument: BusArgument, to message: OpaquePointer) -> Int32 {
        switch argument {
        case .text(let text): return text.withCString { sd_bus_message_append_basic(message, code("s"), $0) }
        case .path(let path): return path.withCString { sd_bus_message_append_basic(message, code("o"), $0) }
        case .truth(let truth):
            var number: Int32 = truth ? 1 : 0
            return sd_bus_message_append_basic(message, code("b"), &number)
        case .record(let members):
            return within("r", members.map(\.signature).joined(), of: message) {
                all(members) { append($0, to: message) }
            }
        case .list(let type, let members):
            return within("a", type, of: message) { all(members) { append($0, to: message) } }
        case .variant(let value):
            return within("v", value.signature, of: message) { append(value, to: message) }
        case .unsigned(var number): return sd_bus_message_append_basic(message, code("u"), &number)
        case .signed(var number): return sd_bus_message_append_basic(message, code("i"), &number)
        case .byte(var number): return sd_bus_message_append_basic(message, code("y"), &number)
        case .texts(let texts):
            return within("a", "s", of: message) { all(texts) { append(.text($0), to: message) } }
        case .table(let rows):
            return within("a", "{sv}", of: message) {
                all(rows) { name, value in
                    within("e", "sv", of: message) {
                        let code = append(.text(name), to: message)
                        guard code >= 0 else { return code }
                        return append(.variant(value), to: message)
                    }
                }
            }
        }
    }

    private static func within(
        _ type: Unicode.Scalar, _ contents: String, of message: OpaquePointer, _ body: () -> Int32
    ) -> Int32 {
        let opened = sd_bus_message_open_container(message, code(type), contents)
        guard opened >= 0 else { return opened }
        let filled = body()
        return filled < 0 ? filled : sd_bus_message_close_container(message)
    }

    private static func all<Element>(_ elements: [Element], _ body: (Element) -> Int32) -> Int32 {
        for element in elements {
            let code = body(element)
            if code < 0 { return code }
        }
        return 0
    }

    private static func code(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }
}

extension BusArgument {
    /// Its type as D-Bus spells it.
    fileprivate var signature: String {
        switch self {
        case .text: "s"
        case .unsigned: "u"
        case .signed: "i"
        case .byte: "y"
        case .texts: "as"
        case .table: "a{sv}"
        case .path: "o"
        case .truth: "b"
        case .record(let members): "(" + members.map(\.signature).joined() + ")"
        case .list(let type, _): "a" + type
        case .variant: "v"
        }
    }
}
