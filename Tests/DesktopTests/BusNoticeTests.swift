import TestSupport
import Testing

@testable import Desktop

/// Notices on a real bus, with a service that answers when the test wants it.
@Suite(.enabled(if: TestBus.isThere, "dbus-daemon is missing"))
struct BusNoticeTests {
    static func notice(_ title: String, about topic: String = "sync") -> HostNotice {
        HostNotice(
            topic: topic, title: title, text: "a < b & c", isUrgent: true, actions: [.init("retry", "Try again")])
    }

    /// The number that a call to show replaces, and its title.
    static func shown(_ call: BusMessage) -> String {
        _ = call.text()
        let number = call.unsigned()
        _ = call.text()
        return "\(number ?? 0) \(call.text())"
    }

    @Test func aNoticeHasItsWordsItsButtonsAndNoMarkup() async throws {
        try await TestBus.withLink { bus, link in
            let service = try await BusPeer(bus, owning: [.notifications])
            link.show(Self.notice("Files are not stored"))
            let call = try await service.heard("Notify")
            #expect(call.text() == "gallery-sync" && call.unsigned() == 0 && call.text() == "gallery-sync")
            #expect(call.text() == "Files are not stored" && call.text() == "a &lt; b &amp; c")
            #expect(call.texts() == ["retry", "Try again"])
            // A byte is none of the types that are read; that it is there is seen.
            #expect(call.table() == ["urgency": .other, "desktop-entry": .text("gallery-sync")])
            #expect(call.signed() == -1)
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let orders: [HostNotice?]
        let isRefused: Bool
        let member: String
        let call: String

        /// - Parameter orders: What is shown; `nil` takes it back.
        init(_ description: String, _ orders: [HostNotice?], isRefused: Bool = false, _ member: String, _ call: String)
        {
            (testDescription, self.orders, self.isRefused) = (description, orders, isRefused)
            (self.member, self.call) = (member, call)
        }
    }

    @Test(arguments: [
        Row("taken back", [nil], "CloseNotification", "7"),
        Row("shown again", [notice("second")], "Notify", "7 second"),
        Row("shown again twice", [notice("second"), notice("third")], "Notify", "7 third"),
        Row("taken back and shown again", [nil, notice("third")], "Notify", "7 third"),
        Row("shown again and taken back", [notice("second"), nil], "CloseNotification", "7"),
        Row("shown again after a refusal", [notice("second")], isRefused: true, "Notify", "0 second"),
    ])
    func whatIsWantedBeforeANoticeHasItsNumberIsDoneOnceItHas(row: Row) async throws {
        try await TestBus.withLink { bus, link in
            let service = try await BusPeer(bus, owning: [.notifications])
            link.show(Self.notice("first"))
            let first = try await service.heard("Notify")
            for notice in row.orders {
                if let notice { link.show(notice) } else { link.close(topic: "sync") }
            }
            // Orders are obeyed in turn: once this one arrives, those above are.
            link.show(Self.notice("another", about: "disk"))
            let another = try await service.heard("Notify")
            #expect(Self.shown(another) == "0 another")
            if row.isRefused { service.refuse(first) } else { service.reply(to: first, [.unsigned(7)]) }
            let next = try await service.heard(row.member)
            #expect((row.member == "Notify" ? Self.shown(next) : "\(next.unsigned() ?? 0)") == row.call)
        }
    }

    /// What it answers after all is about a notice that nothing is said of any more.
    @Test func aServiceThatHangsKeepsNoNoticeBackForLong() async throws {
        try await TestBus.with { bus in
            let service = try await BusPeer(bus, owning: [.notifications])
            let link = try BusLink(at: bus.address, noticePatience: .milliseconds(1))
            defer { link.end() }
            link.begin()
            link.show(Self.notice("first"))
            let first = try await service.heard("Notify")
            link.show(Self.notice("second"))
            let second = try await service.heard("Notify")
            #expect(Self.shown(second) == "0 second")
            service.reply(to: first, [.unsigned(7)])
            service.reply(to: second, [.unsigned(8)])
            // Once the choice is told, the answers before it were heard.
            service.emit(.notifications, "ActionInvoked", [.unsigned(8), .text("retry")])
            _ = try await link.changes.first("a choice") { if case .chose = $0 { true } else { false } }
            link.close(topic: "sync")
            #expect(try await service.heard("CloseNotification").unsigned() == 8)
        }
    }

    @Test func aChoiceIsToldOnceForTheNoticeThatIsShown() async throws {
        try await TestBus.withLink { bus, link in
            let service = try await BusPeer(bus, owning: [.notifications])
            link.show(Self.notice("first"))
            service.reply(to: try await service.heard("Notify"), [.unsigned(7)])
            link.show(Self.notice("another", about: "disk"))
            service.reply(to: try await service.heard("Notify"), [.unsigned(8)])
            func choose(_ action: String, _ number: UInt32) {
                service.emit(.notifications, "ActionInvoked", [.unsigned(number), .text(action)])
            }
            choose("another program's", 6)
            choose("retry", 7)
            func next() async throws -> HostChange {
                try await link.changes.first("a choice") { if case .chose = $0 { true } else { false } }
            }
            #expect(try await next() == .chose(action: "retry", topic: "sync"))
            service.emit(.notifications, "NotificationClosed", [.unsigned(7), .unsigned(2)])
            choose("too late", 7)
            choose("later", 8)
            #expect(try await next() == .chose(action: "later", topic: "disk"))
            link.show(Self.notice("second"))
            let second = try await service.heard("Notify")
            #expect(Self.shown(second) == "0 second")
            service.reply(to: second, [.unsigned(9)])
            choose("retry", 9)
            #expect(try await next() == .chose(action: "retry", topic: "sync"))
        }
    }

    @Test func aServiceThatIsRestartedKnowsNoNumberOfBefore() async throws {
        try await TestBus.withLink { bus, link in
            let service = try await BusPeer(bus, owning: [.notifications])
            link.show(Self.notice("first"))
            service.reply(to: try await service.heard("Notify"), [.unsigned(7)])
            try await service.leave(.notifications)
            // It asks what has come who it is, as it did the first; then it has heard that the other is gone.
            _ = try await service.heard("GetServerInformation")
            let next = try await BusPeer(bus, owning: [.notifications])
            _ = try await next.heard("GetServerInformation")
            link.show(Self.notice("second"))
            let second = try await next.heard("Notify")
            #expect(Self.shown(second) == "0 second")
        }
    }

    @Test(arguments: [true, false])
    func whereNoPortalOpensALinkANoticeSaysHow(isThere: Bool) async throws {
        try await TestBus.withLink { bus, link in
            let service = try await BusPeer(bus, owning: [.notifications, .portal])
            link.open("http://127.0.0.1:8080/")
            let call = try await service.heard("OpenURI")
            #expect(call.text().isEmpty && call.text() == "http://127.0.0.1:8080/")
            if isThere { service.reply(to: call, [.path("/request")]) } else { service.refuse(call) }
            link.show(Self.notice("another"))
            let first = Self.shown(try await service.heard("Notify"))
            let titles = isThere ? [first] : [first, Self.shown(try await service.heard("Notify"))]
            #expect(titles.contains("0 The gallery page cannot be opened from here") == !isThere)
            #expect(titles.contains("0 another"))
        }
    }
}
