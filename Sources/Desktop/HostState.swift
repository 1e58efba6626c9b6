/// What this computer reports about network, power and services; a value is `nil` while no service reports it.
package struct HostState: Hashable, Sendable {
    /// Whether sending costs money.
    package var metering: Metering?
    /// Whether the network requires a sign-in on a page of its own before it lets anything through.
    package var isBehindPortal: Bool?
    /// The name of the connection in use; another name means another network.
    package var network: String?
    /// Whether it runs on its battery.
    package var isOnBattery: Bool?
    /// The charge of its batteries together, in percent.
    package var charge: Double?
    /// Whether the user has asked the computer to save power.
    package var savesPower: Bool?
    /// The services that answered.
    package var answering: Set<HostSource> = []

    /// A state in which nothing is known.
    package init() {}
}

/// Whether a network is paid by the byte, in NetworkManager's terms (NMMetered).
package enum Metering: UInt32, Hashable, Sendable {
    case unknown, yes, no, guessedYes, guessedNo

    /// Whether to send little over it.
    package var isMetered: Bool { self == .yes || self == .guessedYes }
}

/// A service of the desktop that we ask or give orders.
package enum HostSource: Hashable, Sendable, CaseIterable {
    case networkManager, upower, powerProfiles, logind, notifications, tray

    /// Its name for people.
    package var name: String {
        switch self {
        case .networkManager: "NetworkManager"
        case .upower: "UPower"
        case .powerProfiles: "power-profiles-daemon"
        case .logind: "logind"
        case .notifications: "notifications"
        case .tray: "tray"
        }
    }
}
