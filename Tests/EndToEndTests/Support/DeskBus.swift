import Foundation
import Platform
import TestSupport

/// A real bus with python3-dbusmock's stand-ins for the services of a desktop; it serves as both buses.
final class DeskBus: Sendable {
    private let address: String
    private let folder: FilePath
    private let daemon: GallerySyncProcess
    private let mocks: [String: GallerySyncProcess]

    static let variables = ["DBUS_SYSTEM_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS"]

    /// Whether this machine has what it takes.
    static let isThere = ["/usr/bin/dbus-daemon", "/usr/lib/python3/dist-packages/dbusmock", "/usr/bin/python3"]
        .allSatisfy { FileManager.default.fileExists(atPath: $0) }

    /// Starts the bus, and a stand-in for each of dbusmock's `templates`.
    init(_ fixture: inout ProgramFixture, _ templates: [String]) async throws {
        let (folder, path) = (fixture.folder, fixture.folder.appending("bus"))
        let address = "unix:path=\(path.display)"
        (self.address, self.folder) = (address, folder)
        for variable in Self.variables { fixture.environment[variable] = address }
        let environment = fixture.environment
        daemon = try GallerySyncProcess(
            "/usr/bin/dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=\(address)"],
            environment: environment, writingTo: folder)
        try await eventually("the bus listens") { try FileFacts.existing(path) != nil }
        mocks = try Dictionary(
            uniqueKeysWithValues: templates.map { template in
                let words = ["-u", "-m", "dbusmock", "--template", template]
                return (
                    template,
                    try GallerySyncProcess("/usr/bin/python3", words, environment: environment, writingTo: folder)
                )
            })
        for service in [Self.manager, Self.logind, Self.power] where templates.contains(service.template) {
            try await eventually("\(service.name) is there") { try await call(service, "Introspect").code == 0 }
        }
        if templates.contains("networkmanager") {
            try await mock(Self.manager, "AddProperty", "'\(Self.manager.name)', 'Metered', dbus.UInt32(4)")
        }
    }

    private struct Service {
        let template: String
        let name: String
        let path: String
    }

    private static let manager = Service(
        template: "networkmanager", name: "org.freedesktop.NetworkManager", path: "/org/freedesktop/NetworkManager")
    private static let logind = Service(
        template: "logind", name: "org.freedesktop.login1", path: "/org/freedesktop/login1")

    private static let power = Service(
        template: "upower", name: "org.freedesktop.UPower", path: "/org/freedesktop/UPower")
    private static let battery = Service(
        template: "upower", name: power.name, path: power.path + "/devices/DisplayDevice")
    private static let notices = Service(
        template: "notification_daemon", name: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications")

    /// Calls a method with arguments as Python writes them.
    @discardableResult
    private func call(
        _ service: Service, _ member: String, _ arguments: String = "",
        by interface: String = "org.freedesktop.DBus.Introspectable"
    ) async throws -> GallerySyncProcess.End {
        let script = """
            import dbus
            o = dbus.bus.BusConnection('\(address)').get_object('\(service.name)', '\(service.path)')
            print(dbus.Interface(o, '\(interface)').\(member)(\(arguments)))
            """
        return try await GallerySyncProcess(
            "/usr/bin/python3", ["-c", script], environment: [:], writingTo: folder
        ).end()
    }

    private func mock(_ service: Service, _ member: String, _ arguments: String) async throws {
        let end = try await call(service, member, arguments, by: "org.freedesktop.DBus.Mock")
        guard end.code == 0 else { throw Unexpected(end: end) }
    }

    /// Has NetworkManager call the network metered (1), or not (4).
    func setMetered(_ value: Int) async throws {
        try await mock(Self.manager, "UpdateProperties", "'\(Self.manager.name)', {'Metered': dbus.UInt32(\(value))}")
    }

    /// Has NetworkManager find a portal (2), or the whole network (4).
    func setConnectivity(_ value: Int) async throws {
        let properties = "{'Connectivity': dbus.UInt32(\(value))}"
        try await mock(Self.manager, "UpdateProperties", "'\(Self.manager.name)', " + properties)
    }

    /// Has UPower tell how full the battery is, in percent; the computer runs on it.
    func setCharge(_ percent: Double) async throws {
        try await mock(Self.power, "UpdateProperties", "'\(Self.power.name)', {'OnBattery': True}")
        let properties = "{'Percentage': dbus.Double(\(percent))}"
        try await mock(Self.battery, "UpdateProperties", "'\(Self.power.name).Device', " + properties)
    }

    /// Presses a button of the notice with this number.
    func press(_ action: String, of notice: Int) async throws {
        let values = "[dbus.UInt32(\(notice)), '\(action)']"
        try await mock(Self.notices, "EmitSignal", "'\(Self.notices.name)', 'ActionInvoked', 'us', \(values)")
    }

    /// Has logind announce a sleep, or its end.
    func sleep(_ isBeginning: Bool) async throws {
        let arguments = "'', 'PrepareForSleep', 'b', [\(isBeginning ? "True" : "False")]"
        try await mock(Self.logind, "EmitSignal", "'\(Self.logind.name).Manager" + arguments.dropFirst())
    }

    /// How many programs delay a sleep now.
    func inhibitors() async throws -> Int {
        let end = try await call(Self.logind, "ListInhibitors", by: Self.logind.name + ".Manager")
        return end.results.components(separatedBy: "gallery-sync").count - 1
    }

    /// The lines of the notification service that call for a notice.
    var notices: [String] { get throws { try noticeCalls("Notify") } }
    /// The lines that take one back.
    var closings: [String] { get throws { try noticeCalls("CloseNotification") } }

    private func noticeCalls(_ member: String) throws -> [String] {
        let text = try mocks["notification_daemon"]?.results ?? ""
        return text.split(separator: "\n").map(String.init).filter { $0.contains(" \(member) ") }
    }

    /// A tray, which comes up beside what is there.
    func tray() throws -> DeskTray { try DeskTray(address, writingTo: folder) }

    /// The name of the picture that an icon shows.
    func picture(of icon: String) async throws -> String {
        let service = Service(template: "", name: icon, path: "/StatusNotifierItem")
        let end = try await call(
            service, "Get", "'org.kde.StatusNotifierItem', 'IconName'", by: "org.freedesktop.DBus.Properties")
        return end.results.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Chooses the line with this label from the menu of an icon.
    func choose(_ label: String, of icon: String) async throws {
        let script = """
            import dbus
            o = dbus.bus.BusConnection('\(address)').get_object('\(icon)', '/StatusNotifierItem/menu', introspect=False)
            menu = dbus.Interface(o, 'com.canonical.dbusmenu')
            _, root = menu.GetLayout(dbus.Int32(0), dbus.Int32(-1), dbus.Array([], 's'))
            number = [line[0] for line in root[2] if line[1].get('label') == '\(label)'][0]
            menu.Event(number, 'clicked', dbus.Int32(0, variant_level=1), dbus.UInt32(0))
            """
        let end = try await GallerySyncProcess(
            "/usr/bin/python3", ["-c", script], environment: [:], writingTo: folder
        ).end()
        guard end.code == 0 else { throw Unexpected(end: end) }
    }

    /// Ends one stand-in, or the bus itself, without a farewell.
    func kill(_ template: String? = nil) {
        (template.map { mocks[$0] } ?? daemon)?.signal(.kill)
    }
}
