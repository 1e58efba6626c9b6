/// One of the two buses of a computer.
enum BusKind: CaseIterable {
    case system, session
}

/// An object of a service, and one of its interfaces.
struct BusPlace: Hashable, Sendable {
    let service: String
    let path: String
    let interface: String
}

extension BusPlace {
    static let bus = BusPlace(
        service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
    static let notifications = BusPlace(
        service: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
        interface: "org.freedesktop.Notifications")
    static let logind = BusPlace(
        service: "org.freedesktop.login1", path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager")

    static let statusWatcher = BusPlace(
        service: "org.kde.StatusNotifierWatcher", path: "/StatusNotifierWatcher",
        interface: "org.kde.StatusNotifierWatcher")
    static let portal = BusPlace(
        service: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop",
        interface: "org.freedesktop.portal.OpenURI")

    /// The same object by another interface.
    func by(_ interface: String) -> BusPlace { BusPlace(service: service, path: path, interface: interface) }

    static let properties = "org.freedesktop.DBus.Properties"
}

/// A property that a service publishes, as the documentation of its interface describes it.
enum HostProperty: CaseIterable {
    case metering, connectivity, network, onBattery, charge, profile

    var place: BusPlace {
        switch self {
        case .metering, .connectivity, .network:
            BusPlace(
                service: "org.freedesktop.NetworkManager", path: "/org/freedesktop/NetworkManager",
                interface: "org.freedesktop.NetworkManager")
        case .onBattery:
            BusPlace(
                service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower", interface: "org.freedesktop.UPower")
        case .charge:
            BusPlace(
                service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower/devices/DisplayDevice",
                interface: "org.freedesktop.UPower.Device")
        case .profile:
            BusPlace(
                service: "net.hadess.PowerProfiles", path: "/net/hadess/PowerProfiles",
                interface: "net.hadess.PowerProfiles")
        }
    }

    var name: String {
        switch self {
        case .metering: "Metered"
        case .connectivity: "Connectivity"
        case .network: "PrimaryConnection"
        case .onBattery: "OnBattery"
        case .charge: "Percentage"
        case .profile: "ActiveProfile"
        }
    }

    var source: HostSource {
        switch self {
        case .metering, .connectivity, .network: .networkManager
        case .onBattery, .charge: .upower
        case .profile: .powerProfiles
        }
    }
}

extension HostSource {
    /// Its name on the bus.
    var service: String {
        switch self {
        case .logind: BusPlace.logind.service
        case .notifications: BusPlace.notifications.service
        case .tray: BusPlace.statusWatcher.service
        case .networkManager: HostProperty.metering.place.service
        case .upower: HostProperty.charge.place.service
        case .powerProfiles: HostProperty.profile.place.service
        }
    }

    var bus: BusKind { self == .notifications || self == .tray ? .session : .system }
    var properties: [HostProperty] { HostProperty.allCases.filter { $0.source == self } }
}

extension HostState {
    /// Stores a value that a service sent; `nil` forgets it.
    mutating func take(_ property: HostProperty, _ value: BusValue?) {
        switch property {
        case .metering: metering = value?.number.flatMap { Metering(rawValue: UInt32($0)) }
        // NMConnectivityState: 2 is a portal.
        case .connectivity: isBehindPortal = value?.number.map { $0 == 2 }
        case .network: network = value?.text
        case .onBattery: isOnBattery = value?.truth
        case .charge: charge = value?.number
        case .profile: savesPower = value?.text.map { $0 == "power-saver" }
        }
    }
}

/// A value of a simple type; for any other type only the fact that there is one.
enum BusValue: Hashable {
    case text(String), number(Double), truth(Bool), other

    var text: String? { if case .text(let text) = self { text } else { nil } }
    /// A number that is not negative; `nil` for any other value.
    var number: Double? { if case .number(let number) = self, number >= 0, number < 4e9 { number } else { nil } }
    var truth: Bool? { if case .truth(let truth) = self { truth } else { nil } }
}

/// An argument of a call.
enum BusArgument: Sendable {
    case text(String), path(String), unsigned(UInt32), signed(Int32), byte(UInt8), truth(Bool), texts([String])
    case table([(String, BusArgument)])
    case record([BusArgument])
    /// Values of one type, with that type as D-Bus spells it.
    case list(String, [BusArgument])
    indirect case variant(BusArgument)
}

extension BusArgument {
    /// A text for a place that takes markup, such as a notice's body and a tray's tooltip.
    static func markup(_ text: String) -> BusArgument {
        .text(text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;"))
    }
}
