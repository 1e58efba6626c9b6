import Desktop
import Testing
import Uploading

@testable import Configuration
@testable import Narration

@Suite struct HostPolicyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isDistant = true
        var change: @Sendable (inout Settings.Watch) -> Void = { _ in }
        let host: @Sendable (inout HostState) -> Void
        let restraint: Restraint?
    }

    @Test(arguments: [
        Row(testDescription: "nothing is known", host: { _ in }, restraint: nil),
        Row(testDescription: "metered", host: { $0.metering = .yes }, restraint: .metered),
        Row(testDescription: "metered by a guess", host: { $0.metering = .guessedYes }, restraint: .metered),
        Row(testDescription: "free by a guess", host: { $0.metering = .guessedNo }, restraint: nil),
        Row(testDescription: "unknown", host: { $0.metering = .unknown }, restraint: nil),
        Row(
            testDescription: "metered, which the user does not mind", change: { $0.pauseOnMetered = false },
            host: { $0.metering = .yes }, restraint: nil),
        Row(
            testDescription: "metered, but nothing leaves the computer", isDistant: false,
            host: { $0.metering = .yes }, restraint: nil),
        Row(testDescription: "a portal", host: { $0.isBehindPortal = true }, restraint: .portal),
        Row(
            testDescription: "a portal, but nothing leaves the computer", isDistant: false,
            host: { $0.isBehindPortal = true }, restraint: nil),
        Row(testDescription: "power saver", host: { $0.savesPower = true }, restraint: .powerSaver),
        Row(
            testDescription: "power saver, which the user does not mind", change: { $0.pauseOnPowerSaver = false },
            host: { $0.savesPower = true }, restraint: nil),
        Row(
            testDescription: "just enough charge", host: { ($0.isOnBattery, $0.charge) = (true, 20) }, restraint: nil),
        Row(
            testDescription: "too little charge", host: { ($0.isOnBattery, $0.charge) = (true, 19.9) },
            restraint: .lowBattery),
        Row(
            testDescription: "too little charge, but power", host: { ($0.isOnBattery, $0.charge) = (false, 5) },
            restraint: nil),
        Row(testDescription: "a battery that tells no charge", host: { $0.isOnBattery = true }, restraint: nil),
        Row(
            testDescription: "any battery", change: { $0.pauseBelowCharge = 100 },
            host: { ($0.isOnBattery, $0.charge) = (true, 100) }, restraint: .lowBattery),
        Row(
            testDescription: "no battery is too low", change: { $0.pauseBelowCharge = 0 },
            host: { ($0.isOnBattery, $0.charge) = (true, 0) }, restraint: nil),
    ])
    func whatTheComputerSaysHoldsBackOrNot(_ row: Row) {
        var settings = Settings.Watch()
        row.change(&settings)
        var host = HostState()
        row.host(&host)
        let policy = HostPolicy(settings: settings, isDistant: row.isDistant)
        #expect(policy.restraint(host) == row.restraint)
    }

    @Test func anOverrideHoldsUntilNetworkOrPowerAreOthers() {
        let policy = HostPolicy(settings: Settings.Watch(), isDistant: true)
        var host = HostState()
        (host.network, host.metering, host.isOnBattery, host.charge) = ("/1", .yes, false, 10)
        let override = HostOverride(host)
        #expect(policy.restraint(host, override: override) == nil)
        host.charge = 9
        #expect(policy.restraint(host, override: override) == nil)
        host.network = "/2"
        #expect(policy.restraint(host, override: override) == .metered)
        (host.network, host.isOnBattery, host.metering) = ("/1", true, .no)
        #expect(policy.restraint(host, override: override) == .lowBattery)
    }

    @Test func anOverrideThatEndedDoesNotComeBackWithItsNetwork() {
        let watch = HostWatch(HostPolicy(settings: Settings.Watch(), isDistant: true))
        var host = HostState()
        (host.network, host.metering) = ("/1", .yes)
        watch.take(host)
        watch.override()
        #expect(watch.restraint == nil)
        host.network = "/2"
        watch.take(host)
        host.network = "/1"
        watch.take(host)
        #expect(watch.restraint == .metered)
    }
}
