import Glibc

/// The icon in the tray as it appears on the session bus: one object for the icon, one for its menu.
///
/// Implements the StatusNotifierItem specification (freedesktop.org, 0.1) and `com.canonical.dbusmenu`, version 3.
struct BusTray {
    private var state: TrayState
    private var revision: UInt32 = 1
    /// The numbers of menu lines; an action keeps its number, so that a late click cannot choose another one.
    private var numbers: [TrayState.Entry: Int32] = [:]

    private static let name = "org.kde.StatusNotifierItem-\(getpid())-1"
    static let item = BusPlace(service: name, path: "/StatusNotifierItem", interface: "org.kde.StatusNotifierItem")
    static let menu = BusPlace(service: name, path: "/StatusNotifierItem/menu", interface: "com.canonical.dbusmenu")

    init(_ state: TrayState) {
        self.state = state
        number()
    }

    /// Registers with the watcher; the bus carries out both calls in this order.
    func register(with bus: BusConnection) {
        // 4 is DBUS_NAME_FLAG_DO_NOT_QUEUE.
        _ = bus.call(.bus, "RequestName", [.text(Self.name), .unsigned(4)])
        _ = bus.call(.statusWatcher, "RegisterStatusNotifierItem", [.text(Self.name)])
    }

    /// Shows `new`, and signals what has changed.
    mutating func change(to new: TrayState, on bus: BusConnection?) {
        let old = state
        state = new
        number()
        guard let bus else { return }
        if new.icon != old.icon { bus.emit(Self.item, "NewIcon") }
        if new.needsAttention != old.needsAttention {
            bus.emit(Self.item, "NewStatus", [.text(status)])
            bus.emit(Self.item, "NewAttentionIcon")
        }
        if new.text != old.text { bus.emit(Self.item, "NewToolTip") }
        if new.menu != old.menu {
            revision += 1
            bus.emit(Self.menu, "LayoutUpdated", [.unsigned(revision), .signed(0)])
        }
    }

    private mutating func number() {
        for entry in state.menu where numbers[entry.identity] == nil {
            numbers[entry.identity] = Int32(numbers.count + 1)
        }
    }

    /// Answers a call; returns the action that the call chooses.
    func answer(_ call: BusMessage, on bus: BusConnection) -> String? {
        var chosen: String?
        switch (call.path, call.interface, call.member) {
        case (Self.item.path, BusPlace.properties, let member):
            properties(member, call, of: Self.item, item, on: bus)
        case (Self.menu.path, BusPlace.properties, let member):
            properties(member, call, of: Self.menu, menuProperties, on: bus)
        case (Self.item.path, Self.item.interface, let member):
            if member == "Activate" { chosen = TrayState.activation }
            bus.reply(to: call, ["Activate", "SecondaryActivate", "ContextMenu", "Scroll"].contains(member) ? [] : nil)
        case (Self.menu.path, Self.menu.interface, "Event"):
            chosen = action(call.signed(), call.text())
            bus.reply(to: call, [])
        case (Self.menu.path, Self.menu.interface, "EventGroup"):
            chosen = call.events().compactMap { action($0.number, $0.name) }.first
            bus.reply(to: call, [.list("i", [])])
        case (Self.menu.path, Self.menu.interface, let member): bus.reply(to: call, answer(member, call))
        default: bus.reply(to: call, nil)
        }
        return chosen
    }

    private func properties(
        _ member: String, _ call: BusMessage, of place: BusPlace, _ values: [(String, BusArgument)],
        on bus: BusConnection
    ) {
        let interface = call.text()
        let name = member == "Get" ? call.text() : ""
        switch member {
        case "GetAll": bus.reply(to: call, [.table(interface == place.interface ? values : [])])
        case "Get": bus.reply(to: call, values.first { $0.0 == name }.map { [.variant($0.1)] })
        default: bus.reply(to: call, nil)
        }
    }

    private func action(_ number: Int32?, _ event: String) -> String? {
        guard event == "clicked", let number, let entry = entry(number),
            case .action(let name, _, isEnabled: true) = entry
        else { return nil }
        return name
    }

    private func entry(_ number: Int32) -> TrayState.Entry? {
        state.menu.first { numbers[$0.identity] == number }
    }
}

// MARK: - The icon

extension BusTray {
    private var status: String { state.needsAttention ? "NeedsAttention" : "Active" }

    private var item: [(String, BusArgument)] {
        let pictures = BusArgument.list("(iiay)", [])
        return [
            ("Category", .text("ApplicationStatus")), ("Id", .text("gallery-sync")), ("Title", .text("gallery-sync")),
            ("Status", .text(status)), ("WindowId", .signed(0)), ("IconThemePath", .text("")),
            ("IconName", .text(state.icon)), ("IconPixmap", pictures), ("OverlayIconName", .text("")),
            ("OverlayIconPixmap", pictures), ("AttentionIconName", .text(state.icon)),
            ("AttentionIconPixmap", pictures), ("AttentionMovieName", .text("")),
            ("ToolTip", .record([.text(state.icon), pictures, .text("gallery-sync"), .markup(state.text)])),
            ("ItemIsMenu", .truth(false)), ("Menu", .path(Self.menu.path)),
        ]
    }
}

// MARK: - The menu

extension BusTray {
    private var menuProperties: [(String, BusArgument)] {
        [
            ("Version", .unsigned(3)), ("TextDirection", .text("ltr")), ("Status", .text("normal")),
            ("IconThemePath", .texts([])),
        ]
    }

    private func answer(_ member: String, _ call: BusMessage) -> [BusArgument]? {
        switch member {
        case "GetLayout":
            let (parent, depth) = (call.signed() ?? 0, call.signed() ?? -1)
            return layout(of: parent, isDeep: depth != 0).map { [.unsigned(revision), $0] }
        case "GetGroupProperties":
            let asked = call.numbers()
            let lines = state.menu.filter { asked.isEmpty || asked.contains(numbers[$0.identity] ?? 0) }
            return [
                .list("(ia{sv})", lines.map { .record([.signed(numbers[$0.identity] ?? 0), .table($0.properties)]) })
            ]
        case "GetProperty":
            let number = call.signed() ?? 0
            let name = call.text()
            return entry(number)?.properties.first { $0.0 == name }.map { [.variant($0.1)] }
        case "AboutToShow": return [.truth(false)]
        case "AboutToShowGroup": return [.list("i", []), .list("i", [])]
        default: return nil
        }
    }

    private func layout(of parent: Int32, isDeep: Bool) -> BusArgument? {
        if parent != 0 { return entry(parent).map(line) }
        let lines = isDeep ? state.menu.map { BusArgument.variant(line($0)) } : []
        return .record([.signed(0), .table([("children-display", .text("submenu"))]), .list("v", lines)])
    }

    private func line(_ entry: TrayState.Entry) -> BusArgument {
        .record([.signed(numbers[entry.identity] ?? 0), .table(entry.properties), .list("v", [])])
    }
}

extension TrayState.Entry {
    /// The part of an entry that stays when its words change.
    fileprivate var identity: TrayState.Entry {
        switch self {
        case .text: .text("")
        case .separator: .separator
        case .action(let name, _, _): .action(name, label: "")
        }
    }

    /// The properties of `com.canonical.dbusmenu`; a single underscore in a label would mark a key, so each is doubled.
    fileprivate var properties: [(String, BusArgument)] {
        switch self {
        case .separator: [("type", .text("separator"))]
        case .text(let text): [("label", .text(text.replacing("_", with: "__"))), ("enabled", .truth(false))]
        case .action(_, let label, let isEnabled):
            [("label", .text(label.replacing("_", with: "__"))), ("enabled", .truth(isEnabled))]
        }
    }
}
