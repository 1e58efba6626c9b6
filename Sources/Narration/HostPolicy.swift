package import Configuration
package import Desktop
package import Uploading

/// Whether a watch holds back, by what the computer says and the settings allow; pure logic.
package struct HostPolicy: Hashable, Sendable {
    let settings: Settings.Watch
    /// Whether what is sent leaves this computer.
    let isDistant: Bool

    /// A policy by the settings of a watch.
    package init(settings: Settings.Watch, isDistant: Bool) {
        self.settings = settings
        self.isDistant = isDistant
    }

    /// Why nothing is to be sent now; `nil` where nothing is in the way, or nothing is known.
    ///
    /// - Parameter override: What the user has said to send in all the same.
    package func restraint(_ host: HostState, override: HostOverride? = nil) -> Restraint? {
        if isDistant, host.isBehindPortal == true { return .portal }
        if let override, override.holds(for: host) { return nil }
        if isDistant, settings.pauseOnMetered, host.metering?.isMetered == true { return .metered }
        if settings.pauseOnPowerSaver, host.savesPower == true { return .powerSaver }
        guard host.isOnBattery == true, settings.pauseBelowCharge > 0 else { return nil }
        // A battery that does not tell its charge is low only where any is.
        return host.charge ?? 100 < Double(settings.pauseBelowCharge) || settings.pauseBelowCharge == 100
            ? .lowBattery : nil
    }
}

/// What the user has said to send in all the same; over with another network, or when the power comes or goes.
package struct HostOverride: Hashable, Sendable {
    private let network: String?
    private let isOnBattery: Bool?

    /// An override for as long as network and power stay what they are in `host`.
    package init(_ host: HostState) {
        network = host.network
        isOnBattery = host.isOnBattery
    }

    /// Whether network and power are still as they were.
    func holds(for host: HostState) -> Bool { network == host.network && isOnBattery == host.isOnBattery }
}
