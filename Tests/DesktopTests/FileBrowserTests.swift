import Platform
import TestSupport
import Testing

@testable import Desktop

/// The file manager on a real bus.
@Suite(.enabled(if: TestBus.isThere, "dbus-daemon is missing"))
struct FileBrowserTests {
    static let place = BusPlace(
        service: "org.freedesktop.FileManager1", path: "/org/freedesktop/FileManager1",
        interface: "org.freedesktop.FileManager1")

    @Test func itIsThereWhileOneRuns() async throws {
        try await TestBus.with { bus async throws in
            let browser = BusFileBrowser(at: bus.address)
            #expect(await !browser.isThere())
            let manager = try await BusPeer(bus, owning: [Self.place])
            #expect(await browser.isThere())
            try await manager.leave(Self.place)
            #expect(await !browser.isThere())
        }
    }

    /// The bus can start it, though none runs.
    @Test func itIsThereWhereTheBusCanStartIt() async throws {
        let service = "[D-BUS Service]\nName=\(Self.place.service)\nExec=/bin/false\n"
        try await TestBus.with(services: ["manager.service": .file(Array(service.utf8))]) { bus async throws in
            let browser = BusFileBrowser(at: bus.address)
            #expect(await browser.isThere())
            // It ends before it owns its name; the bus says so.
            #expect(await !browser.show(["/home/ada/a.jpg"]))
        }
    }

    /// As `show` asks for them: absolute paths of any bytes, each one address.
    @Test(
        arguments: [
            Fact("none", [], []),
            Fact("a plain name", ["/home/ada/a.jpg"], ["file:///home/ada/a.jpg"]),
            Fact("in the order given", ["/b", "/a"], ["file:///b", "file:///a"]),
            Fact("a space, a hash and a question mark", ["/a b/#1?.jpg"], ["file:///a%20b/%231%3F.jpg"]),
            Fact("a percent sign is no escape", ["/100%25.jpg"], ["file:///100%2525.jpg"]),
            Fact("letters beyond ASCII", ["/größe.jpg"], ["file:///gr%C3%B6%C3%9Fe.jpg"]),
            Fact("bytes that are no text", [FilePath(bytes: [0x2F, 0xFF, 0xC3])], ["file:///%FF%C3"]),
            Fact("line ends", ["/a\nb\r.jpg"], ["file:///a%0Ab%0D.jpg"]),
            Fact("quotes and signs of a shell", ["/'\"`$(x);&|"], ["file:///'%22%60$(x)%3B&%7C"]),
            Fact(
                "a name of 255 bytes", [FilePath("/" + String(repeating: "ü", count: 127) + "x")],
                ["file:///" + String(repeating: "%C3%BC", count: 127) + "x"]),
        ] as [Fact<[FilePath], [String]>])
    func filesAreAskedForByTheirAddresses(_ row: Fact<[FilePath], [String]>) async throws {
        try await TestBus.with { bus async throws in
            let manager = try await BusPeer(bus, owning: [Self.place])
            let browser = BusFileBrowser(at: bus.address)
            async let isShown = browser.show(row.input)
            let call = try await manager.heard("ShowItems")
            #expect(call.texts() == row.output && call.text().isEmpty)
            manager.reply(to: call)
            #expect(await isShown)
        }
    }

    enum Reaction: Sendable { case answers, refuses, leaves, killsTheBus, answersSomethingElse }

    @Test(arguments: [
        (Reaction.answers, true), (.answersSomethingElse, true), (.refuses, false), (.leaves, false),
        (.killsTheBus, false),
    ])
    func whatIsSaidIsWhetherItShowsThem(_ reaction: Reaction, isShown: Bool) async throws {
        try await TestBus.with { bus async throws in
            var manager: BusPeer? = try await BusPeer(bus, owning: [Self.place])
            let browser = BusFileBrowser(at: bus.address)
            async let answer = browser.show(["/home/ada/a.jpg"])
            let call = try await manager?.heard("ShowItems")
            if let call {
                switch reaction {
                case .answers: manager?.reply(to: call)
                case .answersSomethingElse: manager?.reply(to: call, [.texts(["a"]), .unsigned(1)])
                case .refuses: manager?.refuse(call)
                // The bus answers for a program that is gone.
                case .leaves: manager = nil
                case .killsTheBus: bus.kill()
                }
            }
            #expect(await answer == isShown)
        }
    }

    @Test func withoutABusThereIsNoneAndNothingIsShown() async throws {
        try await FileTree().withDirectory { folder in
            let browser = BusFileBrowser(at: "unix:path=\(folder.appending("none").display)")
            #expect(await !browser.isThere())
            #expect(await !browser.show(["/a"]))
        }
    }
}
