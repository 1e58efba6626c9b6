import Glibc
import Platform
import TestSupport
import Testing

@testable import Desktop

/// Values that another program sends, read as what they are and as what they are not.
@Suite(.enabled(if: TestBus.isThere, "dbus-daemon is missing"))
struct BusMessageTests {
    struct Reading: Sendable {
        let sent: [BusArgument]
        let read: @Sendable (BusMessage) -> String

        init(_ sent: [BusArgument], _ read: @escaping @Sendable (BusMessage) -> String) {
            (self.sent, self.read) = (sent, read)
        }
    }

    @Test(arguments: [
        Fact("a text", Reading([.text("größe")]) { $0.text() }, "größe"),
        Fact("a path is text", Reading([.path("/a/b")]) { $0.text() }, "/a/b"),
        Fact("a number is no text", Reading([.unsigned(1)]) { $0.text() }, ""),
        Fact("nothing is no text", Reading([]) { $0.text() }, ""),
        Fact("the largest number", Reading([.unsigned(.max)]) { "\($0.unsigned() ?? 0)" }, "4294967295"),
        Fact("the smallest one", Reading([.signed(.min)]) { "\($0.signed() ?? 0)" }, "-2147483648"),
        Fact("a sign makes another type", Reading([.signed(1)]) { "\($0.unsigned() ?? 0)" }, "0"),
        Fact("so does none", Reading([.unsigned(1)]) { "\($0.signed() ?? 0)" }, "0"),
        Fact("true", Reading([.truth(true)]) { "\($0.truth() ?? false)" }, "true"),
        Fact("false", Reading([.truth(false)]) { "\($0.truth() ?? true)" }, "false"),
        Fact("a number is no truth", Reading([.unsigned(1)]) { "\($0.truth() ?? false)" }, "false"),
        Fact("texts", Reading([.texts(["a", "", "b c"])]) { "\($0.texts())" }, #"["a", "", "b c"]"#),
        Fact("no texts", Reading([.texts([])]) { "\($0.texts())" }, "[]"),
        Fact("one text is no list", Reading([.text("a")]) { "\($0.texts())" }, "[]"),
        Fact("a list of numbers is none of texts", Reading([.list("u", [.unsigned(1)])]) { "\($0.texts())" }, "[]"),
        Fact("numbers", Reading([.list("i", [.signed(-1), .signed(2)])]) { "\($0.numbers())" }, "[-1, 2]"),
        Fact("numbers without a sign are others", Reading([.list("u", [.unsigned(1)])]) { "\($0.numbers())" }, "[]"),
        Fact("a text holds a value", Reading([.variant(.text("v"))]) { "\($0.variant()?.text ?? "")" }, "v"),
        Fact("a value that was not wrapped", Reading([.text("v")]) { "\($0.variant()?.text ?? "")" }, ""),
        Fact(
            "a byte is a value of its own kind", Reading([.variant(.byte(1))]) { "\($0.variant() == .other)" }, "true"),
        Fact("so is a list", Reading([.variant(.texts(["a"]))]) { "\($0.variant() == .other)" }, "true"),
        Fact("no value", Reading([]) { "\($0.variant() == nil)" }, "true"),
        Fact(
            "a table with values of all kinds",
            Reading([
                .table([
                    ("a", .text("t")), ("b", .unsigned(2)), ("c", .truth(true)), ("d", .table([("e", .byte(1))])),
                    ("f", .path("/p")),
                ])
            ]) { message in
                message.table().sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "; ")
            }, #"a text("t"); b number(2.0); c truth(true); d other; f text("/p")"#),
        Fact(
            "of a name that comes twice the last",
            Reading([.table([("a", .unsigned(1)), ("a", .unsigned(2))])]) {
                "\($0.table()["a"]?.number ?? 0)"
            }, "2.0"),
        Fact("a list is no table", Reading([.texts(["a"])]) { "\($0.table().count)" }, "0"),
        Fact(
            "events of a menu",
            Reading([
                .list(
                    "(isvu)",
                    [
                        .record([.signed(1), .text("a"), .variant(.table([])), .unsigned(7)]),
                        .record([.signed(2), .text("b"), .variant(.unsigned(1)), .unsigned(8)]),
                    ])
            ]) { "\($0.events())" }, #"[(number: 1, name: "a"), (number: 2, name: "b")]"#),
        Fact(
            "events with members of another type",
            Reading([.list("(isvs)", [.record([.signed(1), .text("a"), .variant(.unsigned(1)), .text("")])])]) {
                "\($0.events())"
            }, "[]"),
        Fact("no descriptor", Reading([.unsigned(1)]) { "\($0.descriptor() ?? -1)" }, "-1"),
    ])
    func aValueIsReadAsWhatItIs(_ row: Fact<Reading, String>) async throws {
        try await Self.send(row.input.sent) { #expect(row.input.read($0) == row.output) }
    }

    /// What was not as expected is left where it is, so that the next look finds it.
    @Test(arguments: [
        Fact(
            "text",
            Reading([.text("a"), .unsigned(1)]) {
                _ = $0.unsigned(); return ""
            }, "'a', 1"),
        Fact(
            "numbers",
            Reading([.unsigned(1), .text("a")]) {
                _ = $0.text(); return ""
            }, "1, 'a'"),
        Fact("a list", Reading([.texts(["a"]), .unsigned(1)]) { "\($0.numbers())\($0.table())" }, "['a'], 1"),
        Fact("a table", Reading([.table([("a", .unsigned(1))]), .truth(true)]) { "\($0.texts())" }, "[a: 1], true"),
        Fact("a value", Reading([.variant(.text("a")), .unsigned(1)]) { "\($0.text())" }, "'a', 1"),
        Fact(
            "what follows a value that was read",
            Reading([.variant(.texts(["a"])), .unsigned(1)]) {
                "\($0.variant() == nil)"
            }, "1"),
        Fact(
            "what follows a list that was read", Reading([.texts(["a", "b"]), .unsigned(1)]) { "\($0.texts())" }, "1"),
        Fact("what follows an empty table", Reading([.table([]), .unsigned(1)]) { "\($0.table())" }, "1"),
    ])
    func whatIsNotReadIsStillThere(_ row: Fact<Reading, String>) async throws {
        try await Self.send(row.input.sent) {
            _ = row.input.read($0)
            #expect($0.written == row.output)
        }
    }

    @Test func aDescriptorIsACopy() async throws {
        try await TestBus.with { bus async throws in
            let (asking, asked) = (
                try await BusPeer(bus), try await BusPeer(bus, owning: [.logind])
            )
            let name = try await asking.ask(.bus, "GetId")
            #expect(!name.isError && !name.isCall)
            let file = try OpenFile.inMemory()
            let number = asking.call(.logind, "Inhibit")
            asked.reply(to: try await asked.heard("Inhibit"), descriptor: file.descriptor)
            let answer = try await asking.answer(to: number)
            let copy = try #require(answer.descriptor())
            #expect(copy != file.descriptor && fcntl(copy, F_GETFD) == FD_CLOEXEC)
            #expect(try OpenFile(descriptor: copy).facts().inode == file.facts().inode)
        }
    }

    /// What cannot be said in D-Bus's form is not sent, and the connection goes on.
    @Test(
        arguments: [
            Fact("a path without a slash", [.path("a")], 0), Fact("an empty path", [.path("")], 0),
            Fact("a list of a type that there is not", [.list("!", [])], 0),
            Fact("a list with a member of another type", [.list("i", [.text("a")])], 0),
            Fact("a path in a table", [.table([("a", .path("//"))])], 0),
            Fact("a path in a record", [.record([.text("a"), .path("")])], 0),
        ] as [Fact<[BusArgument], Int>])
    func whatHasNoFormIsNotSent(_ row: Fact<[BusArgument], Int>) async throws {
        try await TestBus.with { bus async throws in
            let peer = try await BusPeer(bus, owning: [.logind])
            #expect(peer.call(.logind, "Broken", row.input) == nil)
            peer.emit(.logind, "Broken", row.input)
            #expect(!(try await peer.ask(.bus, "GetId")).isError)
        }
    }

    /// Sends a signal with these values from one program to another, which `look`s at it.
    private static func send(_ values: [BusArgument], _ look: (BusMessage) throws -> Void) async throws {
        try await TestBus.with { bus async throws in
            let sender = try await BusPeer(bus, owning: [.logind])
            let hearer = try await BusPeer(bus, hearing: BusPlace.logind.service)
            sender.emit(.logind, "Values", values)
            try look(try await hearer.heard("Values"))
        }
    }
}
