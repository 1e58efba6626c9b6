import TestSupport
import Testing

@testable import Desktop

/// What services on a real bus say by themselves while a watch runs.
@Suite(.enabled(if: TestBus.isThere, "dbus-daemon is missing"))
struct BusChangeTests {
    static let network = HostProperty.metering.place
    static let power = HostProperty.onBattery.place
    static let battery = HostProperty.charge.place

    struct Change: Sendable {
        let place: BusPlace
        var values: [(String, BusArgument)] = []
        var invalid: [String] = []
        /// Whether another program says it than the one that owns the name.
        var isForeign = false
    }

    static func known(_ change: (inout HostState) -> Void = { _ in }) -> HostState {
        var state = HostState()
        state.metering = .no
        state.isBehindPortal = false
        state.network = "/last"
        state.isOnBattery = false
        state.charge = 80
        state.answering = [.networkManager, .upower]
        change(&state)
        return state
    }

    @Test(arguments: [
        Fact("a value", Change(place: network, values: [("Metered", .unsigned(1))]), known { $0.metering = .yes }),
        Fact(
            "two values, and one that is nothing to us",
            Change(
                place: network,
                values: [
                    ("WirelessEnabled", .truth(true)), ("Connectivity", .unsigned(2)), ("Metered", .unsigned(3)),
                ]),
            known {
                $0.metering = .guessedYes
                $0.isBehindPortal = true
            }),
        Fact("only what is nothing to us", Change(place: network, values: [("State", .unsigned(70))]), known()),
        Fact("no value", Change(place: network), known()),
        Fact(
            "a value of another type is none", Change(place: network, values: [("Metered", .text("1"))]),
            known { $0.metering = nil }),
        Fact(
            "after a list of texts the next value is read",
            Change(place: network, values: [("Devices", .texts(["a", "b"])), ("Metered", .unsigned(4))]),
            known { $0.metering = .guessedNo }),
        Fact(
            "after a table of tables, too",
            Change(
                place: network,
                values: [("Checkpoints", .table([("a", .table([]))])), ("Connectivity", .unsigned(2))]),
            known { $0.isBehindPortal = true }),
        Fact(
            "a value by the name that another object has for it",
            Change(place: power, values: [("Percentage", .unsigned(5))]), known()),
        Fact(
            "a value of the object beside it", Change(place: battery, values: [("Percentage", .unsigned(5))]),
            known { $0.charge = 5 }),
        Fact(
            "on battery", Change(place: power, values: [("OnBattery", .truth(true))]), known { $0.isOnBattery = true }),
        Fact(
            "an object of which nothing was asked",
            Change(
                place: BusPlace(
                    service: battery.service, path: "/org/freedesktop/UPower/devices/mouse",
                    interface: battery.interface), values: [("Percentage", .unsigned(5))]), known()),
        Fact(
            "an interface of which nothing was asked",
            Change(place: network.by("org.freedesktop.NetworkManager.Device"), values: [("Metered", .unsigned(1))]),
            known()),
        Fact(
            "another program says it",
            Change(place: network, values: [("Metered", .unsigned(1))], isForeign: true), known()),
        Fact("the name of a value nothing was asked of", Change(place: network, invalid: ["State"]), known()),
    ])
    func aChangeIsTakenFromItsServiceOnly(_ row: Fact<Change, HostState>) async throws {
        try await Self.withServices { bus, link, service async throws in
            let change = row.input
            let speaker = change.isForeign ? try await BusPeer(bus) : service
            speaker.change(change.place, change.values, invalid: change.invalid)
            // The bus has heard it once it answers the one who said it, so it arrives before what comes next.
            try await speaker.ask(.bus, "GetId")
            service.change(Self.network, [("PrimaryConnection", .path("/last"))])
            #expect(try await link.state("what came last") { $0.network == "/last" } == row.output)
        }
    }

    /// A service may tell that a value is another one without telling it.
    @Test(arguments: [
        Fact("the name alone", Change(place: network, invalid: ["Metered"]), Metering.yes),
        Fact("among others", Change(place: network, invalid: ["State", "Connectivity", "x"]), .yes),
        Fact(
            "beside a value that is older",
            Change(place: network, values: [("Metered", .unsigned(3))], invalid: ["PrimaryConnection"]), .yes),
    ])
    func whatIsNotToldIsAskedFor(_ row: Fact<Change, Metering>) async throws {
        try await Self.withServices { _, link, service async throws in
            service.change(row.input.place, row.input.values, invalid: row.input.invalid)
            try await service.tell(
                .networkManager,
                [
                    .metering: .value(.unsigned(1)), .connectivity: .value(.unsigned(4)),
                    .network: .value(.path("/new")),
                ])
            #expect(try await link.state("the new value") { $0.network == "/new" }?.metering == row.output)
        }
    }

    /// What does not keep to the form of the signal changes nothing, and ends nothing.
    @Test(
        arguments: [
            Fact("no argument", [], 0), Fact("a number", [.unsigned(1)], 0),
            Fact("the interface alone", [.text(network.interface)], 0),
            Fact("a list for the table", [.text(network.interface), .texts([]), .texts(["Metered"])], 0),
            Fact(
                "a table for the list", [.text(network.interface), .table([]), .table([("Metered", .truth(true))])], 0),
            Fact("numbers as names", [.text(network.interface), .table([]), .list("u", [.unsigned(1)])], 0),
            Fact("a value without its name", [.text(network.interface), .variant(.unsigned(1))], 0),
        ] as [Fact<[BusArgument], Int>])
    func aSignalOfAnotherFormChangesNothing(_ row: Fact<[BusArgument], Int>) async throws {
        try await Self.withServices { _, link, service async throws in
            service.emit(Self.network.by(BusPlace.properties), "PropertiesChanged", row.input)
            service.change(Self.network, [("PrimaryConnection", .path("/last"))])
            #expect(try await link.state("what came last") { $0.network == "/last" } == Self.known())
        }
    }

    /// Calls `body` with a link that knows what NetworkManager and UPower told, which are one program.
    static func withServices(_ body: (TestBus, BusLink, BusPeer) async throws -> Void) async throws {
        try await TestBus.withLink { bus async throws in
            try await BusPeer(bus, owning: HostSource.networkManager.places + HostSource.upower.places)
        } _: { bus, link, service async throws in
            try await service.answer([
                .metering: .value(.unsigned(2)), .connectivity: .value(.unsigned(4)), .network: .value(.path("/first")),
                .onBattery: .value(.truth(false)), .charge: .real(80),
            ])
            #expect(try await link.state("the first state") == Self.known { $0.network = "/first" })
            try await body(bus, link, service)
        }
    }
}
