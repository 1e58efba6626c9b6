import TestSupport
import Testing

@testable import Desktop

/// The icon in the tray as a desktop sees it on a real bus.
@Suite(.enabled(if: TestBus.isThere, "dbus-daemon is missing"))
struct BusTrayTests {
    static let state = TrayState(
        icon: "gallery-sync-idle", text: "3 files < 4 & more", needsAttention: false,
        menu: [
            .text("All_3 files"), .separator, .action("pause", label: "Pause_now"),
            .action("resume", label: "Resume", isEnabled: false),
        ])

    struct Call: Sendable {
        let place: BusPlace
        let member: String
        let arguments: [BusArgument]

        init(_ place: BusPlace, _ member: String, _ arguments: [BusArgument] = []) {
            (self.place, self.member, self.arguments) = (place, member, arguments)
        }

        static func get(_ place: BusPlace, _ name: String) -> Call {
            Call(place.by(BusPlace.properties), "Get", [.text(place.interface), .text(name)])
        }
    }

    static let item = BusTray.item
    static let menu = BusTray.menu
    static let lines = [
        "(1, [label: 'All__3 files', enabled: false], [])", "(2, [type: 'separator'], [])",
        "(3, [label: 'Pause__now', enabled: true], [])", "(4, [label: 'Resume', enabled: false], [])",
    ]

    @Test(arguments: [
        Fact("the icon", .get(item, "IconName"), "'gallery-sync-idle'"),
        Fact("what it is", .get(item, "Category"), "'ApplicationStatus'"),
        Fact("whose it is", .get(item, "Id"), "'gallery-sync'"),
        Fact("whether it stands out", .get(item, "Status"), "'Active'"),
        Fact("a click opens the page, not the menu", .get(item, "ItemIsMenu"), "false"),
        Fact("where its menu is", .get(item, "Menu"), "'/StatusNotifierItem/menu'"),
        Fact("no pictures of its own", .get(item, "IconPixmap"), "[]"),
        Fact(
            "its words, without markup", .get(item, "ToolTip"),
            "('gallery-sync-idle', [], 'gallery-sync', '3 files &lt; 4 &amp; more')"),
        Fact("what it has not", .get(item, "IconSize"), "refused"),
        Fact("a property without a name", .get(item, ""), "refused"),
        Fact("a question without arguments", Call(item.by(BusPlace.properties), "Get"), "refused"),
        Fact(
            "a property cannot be set",
            Call(
                item.by(BusPlace.properties), "Set",
                [.text(item.interface), .text("IconName"), .variant(.text("x"))]), "refused"),
        Fact(
            "all properties of another interface",
            Call(item.by(BusPlace.properties), "GetAll", [.text("org.example.Other")]), "[]"),
        Fact("all properties of none", Call(item.by(BusPlace.properties), "GetAll", [.unsigned(1)]), "[]"),
        Fact(
            "all of the menu", Call(menu.by(BusPlace.properties), "GetAll", [.text(menu.interface)]),
            "[Version: 3, TextDirection: 'ltr', Status: 'normal', IconThemePath: []]"),
        Fact("the menu's version", .get(menu, "Version"), "3"),
        Fact("a click beside the menu", Call(item, "SecondaryActivate", [.signed(1), .signed(1)]), ""),
        Fact("a wheel", Call(item, "Scroll", [.signed(-1), .text("vertical")]), ""),
        Fact("a click for the menu", Call(item, "ContextMenu", [.signed(1), .signed(1)]), ""),
        Fact("a method that it has not", Call(item, "ProvideXdgActivationToken", [.text("t")]), "refused"),
        Fact(
            "an object that it has not",
            Call(BusPlace(service: item.service, path: "/other", interface: item.interface), "Activate"), "refused"),
        Fact(
            "the menu's methods at the icon", Call(item.by(menu.interface), "AboutToShow", [.signed(0)]), "refused"),
    ])
    func theIconIsAsItsSpecificationSays(_ row: Fact<Call, String>) async throws {
        try await Self.expect(row)
    }

    @Test(arguments: [
        Fact(
            "the whole menu", Call(menu, "GetLayout", [.signed(0), .signed(-1), .texts([])]),
            "1, (0, [children-display: 'submenu'], [\(lines.joined(separator: ", "))])"),
        Fact(
            "without its lines", Call(menu, "GetLayout", [.signed(0), .signed(0), .texts([])]),
            "1, (0, [children-display: 'submenu'], [])"),
        Fact("one line", Call(menu, "GetLayout", [.signed(3), .signed(-1), .texts([])]), "1, \(lines[2])"),
        Fact("a line that is not there", Call(menu, "GetLayout", [.signed(9), .signed(-1), .texts([])]), "refused"),
        Fact("a line below zero", Call(menu, "GetLayout", [.signed(.min), .signed(1), .texts([])]), "refused"),
        Fact(
            "without arguments, the whole menu", Call(menu, "GetLayout"),
            "1, (0, [children-display: 'submenu'], [\(lines.joined(separator: ", "))])"),
        Fact(
            "the properties of some lines, and of one that is not there",
            Call(menu, "GetGroupProperties", [.list("i", [.signed(4), .signed(1), .signed(77)]), .texts([])]),
            "[(1, [label: 'All__3 files', enabled: false]), (4, [label: 'Resume', enabled: false])]"),
        Fact(
            "the properties of none are those of all",
            Call(menu, "GetGroupProperties", [.list("i", []), .texts(["label"])]),
            "[(1, [label: 'All__3 files', enabled: false]), (2, [type: 'separator']), "
                + "(3, [label: 'Pause__now', enabled: true]), (4, [label: 'Resume', enabled: false])]"),
        Fact("one property", Call(menu, "GetProperty", [.signed(3), .text("label")]), "'Pause__now'"),
        Fact("whether a line can be chosen", Call(menu, "GetProperty", [.signed(4), .text("enabled")]), "false"),
        Fact(
            "a property that the line has not", Call(menu, "GetProperty", [.signed(2), .text("label")]), "refused"),
        Fact("a property of no line", Call(menu, "GetProperty", [.signed(0), .text("label")]), "refused"),
        Fact("it needs no time to show", Call(menu, "AboutToShow", [.signed(0)]), "false"),
        Fact("nor do its lines", Call(menu, "AboutToShowGroup", [.list("i", [.signed(3)])]), "[], []"),
        Fact("an event of a pointer", Call(menu, "Event", event(3, "hovered")), ""),
        Fact("events that are none", Call(menu, "EventGroup", [.text("clicked")]), "[]"),
        Fact("a method that it has not", Call(menu, "Activate"), "refused"),
    ])
    func theMenuIsAsItsSpecificationSays(_ row: Fact<Call, String>) async throws {
        try await Self.expect(row)
    }

    static func event(_ line: Int32, _ name: String) -> [BusArgument] {
        [.signed(line), .text(name), .variant(.text("")), .unsigned(0)]
    }

    static func events(_ events: (Int32, String)...) -> [BusArgument] {
        [.list("(isvu)", events.map { .record(event($0.0, $0.1)) })]
    }

    /// What is chosen by a call; `nil` where nothing is.
    @Test(
        arguments: [
            Fact("a click on the icon", Call(item, "Activate", [.signed(1), .signed(1)]), "open"),
            Fact("a click on a line", Call(menu, "Event", event(3, "clicked")), "pause"),
            Fact("a click on one that is disabled", Call(menu, "Event", event(4, "clicked")), nil),
            Fact("a click on text", Call(menu, "Event", event(1, "clicked")), nil),
            Fact("a click on a separator", Call(menu, "Event", event(2, "clicked")), nil),
            Fact("a click on the menu itself", Call(menu, "Event", event(0, "clicked")), nil),
            Fact("a click on what is not there", Call(menu, "Event", event(.max, "clicked")), nil),
            Fact("a pointer above a line", Call(menu, "Event", event(3, "hovered")), nil),
            Fact("an event without arguments", Call(menu, "Event"), nil),
            Fact("an event whose line is a text", Call(menu, "Event", [.text("3"), .text("clicked")]), nil),
            Fact(
                "several events", Call(menu, "EventGroup", events((3, "hovered"), (4, "clicked"), (3, "clicked"))),
                "pause"),
            Fact("no events", Call(menu, "EventGroup", events()), nil),
            Fact("events of another form", Call(menu, "EventGroup", [.list("i", [.signed(3)])]), nil),
            Fact("a wheel chooses nothing", Call(item, "Scroll", [.signed(1), .text("vertical")]), nil),
            Fact(
                "an icon's method at the menu",
                Call(BusPlace(service: menu.service, path: menu.path, interface: item.interface), "Activate"), nil),
        ] as [Fact<Call, String?>])
    func onlyWhatCanBeChosenIsChosen(_ row: Fact<Call, String?>) async throws {
        try await Self.withTray { link, desktop async throws in
            try await desktop.ask(row.input.place, row.input.member, row.input.arguments)
            // Were nothing chosen before, this would be the first choice.
            try await desktop.ask(Self.menu, "Event", Self.event(3, "clicked"))
            let choices = try await withLimit("the choices") {
                var choices: [HostChange] = []
                for await change in link.changes {
                    if case .chose = change { choices.append(change) }
                    if choices.count == (row.output == nil ? 1 : 2) { break }
                }
                return choices
            }
            let actions = [row.output, "pause"].compactMap(\.self)
            #expect(choices == actions.map { .chose(action: $0, topic: TrayState.topic) })
        }
    }

    static func changed(
        icon: String = state.icon, text: String = state.text, attention: Bool = false,
        menu: [TrayState.Entry] = state.menu
    ) -> TrayState {
        TrayState(icon: icon, text: text, needsAttention: attention, menu: menu)
    }

    @Test(arguments: [
        Fact("nothing", state, []), Fact("the icon", changed(icon: "other"), ["NewIcon "]),
        Fact("its words", changed(text: "2 files"), ["NewToolTip "]),
        Fact(
            "what is to be seen to", changed(attention: true), ["NewStatus 'NeedsAttention'", "NewAttentionIcon "]),
        Fact("the menu", changed(menu: [.text("x")]), ["LayoutUpdated 2, 0"]),
        Fact(
            "all of it", changed(icon: "a", text: "b", attention: true, menu: []),
            ["NewIcon ", "NewStatus 'NeedsAttention'", "NewAttentionIcon ", "NewToolTip ", "LayoutUpdated 2, 0"]),
    ])
    func whatIsAnotherIsTold(_ row: Fact<TrayState, [String]>) async throws {
        try await Self.withTray { link, desktop async throws in
            link.present(row.input)
            // Orders are obeyed in turn: before this one arrives, all signals have.
            link.show(BusNoticeTests.notice("the last"))
            let heard = try await desktop.heard(before: "Notify").filter { $0.path.hasPrefix(Self.item.path) }
            #expect(heard.map { "\($0.member) \($0.written)" } == row.output)
        }
    }

    /// A click that is under way when the menu changes must not choose what has come into its place.
    @Test func aLineKeepsItsNumber() async throws {
        try await Self.withTray { link, desktop async throws in
            link.present(
                Self.changed(menu: [
                    .action("retry", label: "Try again"), .text("2 files"), .action("resume", label: "Go on"),
                    .action("pause", label: "Pause", isEnabled: false),
                ]))
            link.show(BusNoticeTests.notice("the last"))
            _ = try await desktop.heard("Notify")
            let layout = try await desktop.ask(Self.menu, "GetLayout", [.signed(0), .signed(1), .texts([])])
            #expect(
                layout.written
                    == "2, (0, [children-display: 'submenu'], [(5, [label: 'Try again', enabled: true], []), "
                    + "(1, [label: '2 files', enabled: false], []), (4, [label: 'Go on', enabled: true], []), "
                    + "(3, [label: 'Pause', enabled: false], [])])")
        }
    }

    @Test func aWatcherThatIsRestartedIsToldOfTheIcon() async throws {
        try await TestBus.withLink { bus, link async throws in
            link.present(Self.state)
            for _ in 1...2 {
                let watcher = try await BusPeer(bus, owning: [.statusWatcher])
                #expect(try await watcher.heard("RegisterStatusNotifierItem").text() == Self.item.service)
                try await watcher.leave(.statusWatcher)
            }
        }
    }

    @Test(arguments: [item, menu])
    func whereNothingIsToBeShownThereIsNothing(_ place: BusPlace) async throws {
        try await TestBus.withLink { bus async throws in
            try await BusPeer(bus, owning: [.statusWatcher])
        } _: { _, link, desktop async throws in
            #expect(try await link.state("the watcher") { $0.answering.contains(.tray) } != nil)
            // The name comes with the icon; before, the connection has only the number that the bus gave it.
            let names = try await desktop.ask(.bus, "ListNames").texts()
            #expect(!names.contains(place.service))
            let own = try await desktop.ask(.bus, "GetNameOwner", [.text(BusPlace.statusWatcher.service)]).text()
            for name in names where name.hasPrefix(":") && name != own {
                let unnamed = BusPlace(service: name, path: place.path, interface: place.interface)
                #expect(try await desktop.ask(unnamed, "Activate", [.signed(0), .signed(0)]).isError)
            }
        }
    }

    private static func expect(_ row: Fact<Call, String>) async throws {
        try await withTray { _, desktop async throws in
            let call = row.input
            #expect(try await desktop.ask(call.place, call.member, call.arguments).written == row.output)
        }
    }

    /// Calls `body` with a desktop that shows the icon, hears its signals and shows notices.
    static func withTray(_ body: (BusLink, BusPeer) async throws -> Void) async throws {
        try await TestBus.withLink { bus async throws in
            try await BusPeer(bus, owning: [.statusWatcher, .notifications], hearing: item.service)
        } _: { _, link, desktop async throws in
            desktop.reply(to: try await desktop.heard("GetServerInformation"), [])
            link.present(state)
            #expect(try await desktop.heard("RegisterStatusNotifierItem").text() == item.service)
            try await body(link, desktop)
        }
    }
}
