import Testing

@testable import Desktop

/// What the services of the desktop send, as a state of this computer.
@Suite struct HostStateTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let property: HostProperty
        let value: BusValue?
        let state: HostState

        init(
            _ description: String, _ property: HostProperty, _ value: BusValue?,
            _ change: (inout HostState) -> Void = { _ in }
        ) {
            (testDescription, self.property, self.value) = (description, property, value)
            var state = HostState()
            change(&state)
            self.state = state
        }
    }

    @Test(arguments: [
        Row("a metered network", .metering, .number(1)) { $0.metering = .yes },
        Row("the last value of NMMetered", .metering, .number(4)) { $0.metering = .guessedNo },
        Row("a value behind it", .metering, .number(5)),
        Row("no number", .metering, .text("1")),
        Row("a number below zero", .metering, .number(-1)),
        Row("a number that no UInt32 holds", .metering, .number(4_294_967_296)),
        Row("a portal", .connectivity, .number(2)) { $0.isBehindPortal = true },
        Row("the value before a portal's", .connectivity, .number(1)) { $0.isBehindPortal = false },
        Row("all of the network", .connectivity, .number(4)) { $0.isBehindPortal = false },
        Row("a connection", .network, .text("/org/freedesktop/NetworkManager/ActiveConnection/3")) {
            $0.network = "/org/freedesktop/NetworkManager/ActiveConnection/3"
        },
        Row("on battery", .onBattery, .truth(true)) { $0.isOnBattery = true },
        Row("a number is no truth", .onBattery, .number(1)),
        Row("half full", .charge, .number(49.5)) { $0.charge = 49.5 },
        Row("empty", .charge, .number(0)) { $0.charge = 0 },
        Row("saving power", .profile, .text("power-saver")) { $0.savesPower = true },
        Row("another profile", .profile, .text("balanced")) { $0.savesPower = false },
        Row("a value of another type", .profile, .other),
    ])
    func aValueIsTakenAsTheServiceMeansIt(row: Row) {
        var state = HostState()
        state.take(row.property, row.value)
        #expect(state == row.state)
    }

    /// A service that ends has told nothing.
    @Test(arguments: HostProperty.allCases)
    func whatIsGoneIsForgotten(property: HostProperty) {
        var state = HostState()
        for value in [BusValue.number(1), .text("power-saver"), .truth(true)] { state.take(property, value) }
        state.take(property, nil)
        #expect(state == HostState())
    }

    @Test(arguments: [
        (Metering.unknown, false), (.yes, true), (.no, false), (.guessedYes, true), (.guessedNo, false),
    ])
    func aGuessCountsAsMuchAsKnowledge(metering: Metering, isMetered: Bool) {
        #expect(metering.isMetered == isMetered)
    }

    @Test(arguments: HostProperty.allCases)
    func aPropertyIsAskedOfTheServiceThatTellsIt(property: HostProperty) {
        #expect(property.source.service == property.place.service)
        #expect(property.source.properties.contains(property) && property.source.bus == .system)
    }
}
