import Glibc
import TestSupport
import Testing

@testable import Desktop

/// How the computer's sleep waits for us, and for no longer than it is meant to.
@Suite(.enabled(if: TestBus.isThere, "dbus-daemon is missing"))
struct BusSleepTests {
    /// The descriptor that a logind hands out, whose other end tells when it is closed.
    struct Inhibitor {
        private let ends: (mine: Int32, given: Int32)

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
            self.ends = (ends[0], ends[1])
        }

        /// Answers a call with it, and keeps none.
        func answer(_ call: BusMessage, of logind: BusPeer) {
            logind.reply(to: call, descriptor: ends.given)
            Glibc.close(ends.given)
        }

        /// Whether any process holds it.
        var isHeld: Bool {
            var byte: UInt8 = 0
            return recv(ends.mine, &byte, 1, Int32(MSG_DONTWAIT)) != 0
        }

        func forget() { Glibc.close(ends.mine) }
    }

    /// Calls `body` with an inhibitor, whose other end is closed afterwards.
    static func withInhibitor(_ body: (Inhibitor) async throws -> Void) async throws {
        let inhibitor = try Inhibitor()
        defer { inhibitor.forget() }
        try await body(inhibitor)
    }

    static func withLogind(_ body: (TestBus, BusLink, BusPeer) async throws -> Void) async throws {
        try await TestBus.withLink { bus async throws in
            try await BusPeer(bus, owning: [.logind])
        } _: { bus, link, logind async throws in
            try await body(bus, link, logind)
        }
    }

    @Test func sleepWaitsUntilItMayCome() async throws {
        try await Self.withLogind { _, link, logind async throws in
            try await Self.withInhibitor { inhibitor async throws in
                link.delaySleep()
                let call = try await logind.heard("Inhibit")
                #expect(call.text() == "sleep" && call.text() == "gallery-sync")
                #expect(call.text() == "Bringing uploads to a safe end" && call.text() == "delay")
                inhibitor.answer(call, of: logind)
                #expect(try await link.state("logind answers") { $0.answering == [.logind] } != nil)
                #expect(inhibitor.isHeld)
                link.letSleep()
                try await eventually("the computer may sleep") { !inhibitor.isHeld }
            }
        }
    }

    @Test func theEndLetsTheComputerSleep() async throws {
        try await Self.withLogind { _, link, logind async throws in
            try await Self.withInhibitor { inhibitor async throws in
                link.delaySleep()
                inhibitor.answer(try await logind.heard("Inhibit"), of: logind)
                #expect(try await link.state("logind answers") { $0.answering == [.logind] } != nil)
                link.end()
                try await eventually("the computer may sleep") { !inhibitor.isHeld }
            }
        }
    }

    enum Meanwhile: Sendable { case letsSleep, ends }

    /// What arrives when nothing waits for it any more would keep the computer awake for ever.
    @Test(arguments: [Meanwhile.letsSleep, .ends])
    func anInhibitorThatComesTooLateIsNotHeld(_ meanwhile: Meanwhile) async throws {
        try await Self.withLogind { _, link, logind async throws in
            try await Self.withInhibitor { inhibitor async throws in
                link.delaySleep()
                let call = try await logind.heard("Inhibit")
                if meanwhile == .ends { link.end() } else { link.letSleep() }
                inhibitor.answer(call, of: logind)
                try await eventually("the computer may sleep") { !inhibitor.isHeld }
            }
        }
    }

    @Test func ofTwoInhibitorsTheLaterOneIsHeld() async throws {
        try await Self.withLogind { _, link, logind async throws in
            try await Self.withInhibitor { first in
                try await Self.withInhibitor { second in
                    link.delaySleep()
                    first.answer(try await logind.heard("Inhibit"), of: logind)
                    link.delaySleep()
                    second.answer(try await logind.heard("Inhibit"), of: logind)
                    try await eventually("the first one is let go") { !first.isHeld }
                    #expect(second.isHeld)
                    link.letSleep()
                    try await eventually("so is the second one") { !second.isHeld }
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func aLogindThatIsRestartedIsAskedAgainWhereSleepIsToWait(waits: Bool) async throws {
        try await Self.withLogind { bus, link, logind async throws in
            link.delaySleep()
            logind.refuse(try await logind.heard("Inhibit"))
            if !waits { link.letSleep() }
            try await logind.leave(.logind)
            let next = try await BusPeer(bus, owning: [.logind])
            if !waits {
                // Once this is told, the restart was heard. Were it asked then, there would be two questions.
                next.emit(.logind, "PrepareForSleep", [.truth(true)])
                try await link.changes.first("sleep") { $0 == .sleeps }
                link.delaySleep()
            }
            let call = try await next.heard("Inhibit")
            try await Self.withInhibitor { inhibitor async throws in
                inhibitor.answer(call, of: next)
                #expect(try await link.state("logind answers") { $0.answering == [.logind] } != nil)
                #expect(inhibitor.isHeld)
            }
        }
    }

    /// What a logind says that has no descriptor to give; the watch goes on without one.
    @Test(
        arguments: [
            Fact("nothing", [], 0), Fact("a text", [.text("no")], 0), Fact("a number", [.unsigned(4)], 0),
            Fact("a list", [.texts([])], 0),
        ] as [Fact<[BusArgument], Int>])
    func anAnswerWithoutADescriptorIsNone(_ row: Fact<[BusArgument], Int>) async throws {
        try await Self.withLogind { _, link, logind async throws in
            link.delaySleep()
            logind.reply(to: try await logind.heard("Inhibit"), row.input)
            logind.emit(.logind, "PrepareForSleep", [.truth(true)])
            let changes = try await Self.changes(2, of: link)
            #expect(changes.contains(.sleeps) && changes.contains(.state(HostState())))
        }
    }

    /// What logind says of sleep, and what is told; in the end the computer falls asleep.
    @Test(
        arguments: [
            Fact("it sleeps", [.truth(true)], [.sleeps]),
            Fact("it has not slept at all", [.truth(false)], []),
            Fact("it wakes", [.truth(true), .truth(false)], [.sleeps, .woke]),
            Fact("it wakes twice", [.truth(true), .truth(false), .truth(false)], [.sleeps, .woke]),
            Fact("it sleeps again", [.truth(true), .truth(false), .truth(true)], [.sleeps, .woke, .sleeps]),
            Fact("what cannot be read is no sleep", [.text("true")], []),
            Fact("what cannot be read ends a sleep", [.truth(true), .unsigned(1)], [.sleeps, .woke]),
        ] as [Fact<[BusArgument], [HostChange]>])
    func whatLogindSaysIsTold(_ row: Fact<[BusArgument], [HostChange]>) async throws {
        try await Self.withLogind { _, link, logind async throws in
            #expect(try await link.state("the first state") == HostState())
            for truth in row.input { logind.emit(.logind, "PrepareForSleep", [truth]) }
            logind.emit(.logind, "PrepareForSleep", [.truth(true)])
            #expect(try await Self.changes(row.output.count + 1, of: link) == row.output + [.sleeps])
        }
    }

    enum End: Sendable { case ofLogind, ofTheBus }

    /// Nothing would ever say that it woke.
    @Test(arguments: [End.ofLogind, .ofTheBus])
    func aSleepEndsWithTheServiceThatToldOfIt(_ end: End) async throws {
        try await Self.withLogind { bus, link, logind async throws in
            #expect(try await link.state("the first state") == HostState())
            logind.emit(.logind, "PrepareForSleep", [.truth(true)])
            #expect(try await link.changes.first("sleep") == .sleeps)
            if end == .ofTheBus { bus.kill() } else { try await logind.leave(.logind) }
            #expect(try await link.changes.first("no sleep") == .woke)
        }
    }

    /// A laptop that was carried to another place while it slept.
    @Test func whatWasHeardBeforeASleepIsAskedForAgain() async throws {
        try await TestBus.withLink { bus async throws in
            try await BusPeer(bus, owning: [.logind] + HostSource.networkManager.places)
        } _: { _, link, services async throws in
            try await services.tell(.networkManager, [.network: .value(.path("/home"))])
            #expect(try await link.state("the first state")?.network == "/home")
            services.emit(.logind, "PrepareForSleep", [.truth(true)])
            services.emit(.logind, "PrepareForSleep", [.truth(false)])
            try await services.tell(
                .networkManager, [.network: .value(.path("/train")), .metering: .value(.unsigned(1))])
            let state = try await link.state("the new place")
            #expect(state?.network == "/train" && state?.metering == .yes)
        }
    }

    /// The next changes that are told.
    private static func changes(_ count: Int, of link: BusLink) async throws -> [HostChange] {
        try await withLimit("\(count) changes") {
            var heard: [HostChange] = []
            for await change in link.changes {
                heard.append(change)
                if heard.count == count { break }
            }
            return heard
        }
    }
}
