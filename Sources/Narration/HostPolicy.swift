package import Configuration
package import Desktop
package import Uploading

/// Decides from the computer's state and the settings whether a watch holds back; pure logic.
package struct HostPolicy: Hashable, Sendable {
    let settings: Settings.Watch
    /// Whether files are sent to another computer.
    let isDistant: Bool

    /// A policy with the settings of a watch.
    package init(settings: Settings.Watch, isDistant: Bool) {
        self.settings = settings
        self.isDistant = isDistant
    }

    /// Why nothing is to be sent now; `nil` if nothing is in the way, or nothing is known.
    ///
    /// - Parameter override: The circumstances in which the user wants files sent all the same.
    package func restraint(_ host: HostState, override: HostOverride? = nil) -> Restraint? {
        if isDistant, host.isBehindPortal == true { return .portal }
        if let override, override.holds(for: host) { return nil }
        if isDistant, settings.pauseOnMetered, host.metering?.isMetered == true { return .metered }
        if settings.pauseOnPowerSaver, host.savesPower == true { return .powerSaver }
        guard host.isOnBattery == true, settings.pauseBelowCharge > 0 else { return nil }
        // A battery of unknown charge counts as low only if the setting pauses at every charge.
        return host.charge ?? 100 < Double(settings.pauseBelowCharge) || settings.pauseBelowCharge == 100
            ? .lowBattery : nil
    }
}

/// The circumstances in which the user wants files sent all the same.
///
/// The override ends with another network, and when the power comes or goes.
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
