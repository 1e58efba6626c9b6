import Platform
import TestSupport
import Testing

@testable import Desktop

/// What services on a real bus tell of network and power, in the right form, in another one, or not at all.
@Suite(.enabled(if: TestBus.isThere, "dbus-daemon is missing"))
struct BusStateTests {
    /// What each service that runs answers.
    typealias Answers = [HostSource: [HostProperty: PropertyAnswer]]

    static func state(_ change: (inout HostState) -> Void = { _ in }) -> HostState {
        var state = HostState()
        change(&state)
        return state
    }

    static let plugged: [HostProperty: PropertyAnswer] = [.onBattery: .value(.truth(false)), .charge: .real(99.5)]

    @Test(arguments: [
        Fact("where nothing runs, nothing is known", Answers(), state()),
        Fact(
            "a network that costs money",
            [
                .networkManager: [
                    .metering: .value(.unsigned(1)), .connectivity: .value(.unsigned(4)),
                    .network: .value(.path("/connection/3")),
                ]
            ],
            state {
                $0.metering = .yes
                $0.isBehindPortal = false
                $0.network = "/connection/3"
                $0.answering = [.networkManager]
            }),
        Fact(
            "a laptop on its battery that saves power",
            [
                .upower: [.onBattery: .value(.truth(true)), .charge: .real(41.25)],
                .powerProfiles: [.profile: .value(.text("power-saver"))],
            ],
            state {
                $0.isOnBattery = true
                $0.charge = 41.25
                $0.savesPower = true
                $0.answering = [.upower, .powerProfiles]
            }),
        Fact(
            "a charge as a whole number", [.upower: [.charge: .value(.unsigned(7))]],
            state {
                $0.charge = 7
                $0.answering = [.upower]
            }),
        Fact(
            "a charge that is no number at all", [.upower: [.charge: .real(.nan), .onBattery: .value(.truth(false))]],
            state {
                $0.isOnBattery = false
                $0.answering = [.upower]
            }),
        Fact(
            "a charge without an end", [.upower: [.charge: .real(.infinity)]], state { $0.answering = [.upower] }),
        Fact("a service that refuses all", [.upower: [:], .networkManager: [:], .powerProfiles: [:]], state()),
        Fact(
            "a service that refuses all but one", [.networkManager: [.connectivity: .value(.unsigned(2))]],
            state {
                $0.isBehindPortal = true
                $0.answering = [.networkManager]
            }),
        Fact(
            "values of other types, beside one that is right",
            [
                .networkManager: [
                    .metering: .value(.text("yes")), .connectivity: .value(.signed(2)),
                    .network: .value(.unsigned(3)),
                ], .upower: [.onBattery: .value(.texts(["true", "false"])), .charge: .real(12)],
                .powerProfiles: [.profile: .value(.truth(true))],
            ],
            state {
                $0.charge = 12
                $0.answering = [.networkManager, .upower, .powerProfiles]
            }),
        Fact(
            "lists, tables and values within values",
            [
                .networkManager: [
                    .metering: .value(.record([.unsigned(1), .text("x")])),
                    .connectivity: .value(.variant(.unsigned(2))),
                    .network: .value(.table([("path", .path("/connection/1"))])),
                ]
            ], state { $0.answering = [.networkManager] }),
        Fact(
            "answers without a value, and with one that tells no type",
            [
                .networkManager: [
                    .metering: .values([]), .connectivity: .values([.unsigned(2)]),
                    .network: .values([.text("/connection/1")]),
                ]
            ], state { $0.answering = [.networkManager] }),
        Fact(
            "more values than one",
            [.powerProfiles: [.profile: .values([.variant(.text("balanced")), .variant(.text("power-saver"))])]],
            state {
                $0.savesPower = false
                $0.answering = [.powerProfiles]
            }),
    ])
    func theFirstStateIsWhatTheServicesTell(_ row: Fact<Answers, HostState>) async throws {
        try await TestBus.withLink { bus async throws in
            var services: [(HostSource, BusPeer)] = []
            for source in row.input.keys {
                services.append((source, try await BusPeer(bus, owning: source.places)))
            }
            return services
        } _: { _, link, services async throws in
            for (source, service) in services { try await service.tell(source, row.input[source] ?? [:]) }
            #expect(try await link.state("the first state") == row.output)
        }
    }

    /// One that is slow delays the first state, so that nothing is decided by half of it.
    @Test func theFirstStateWaitsForTheSlowest() async throws {
        try await TestBus.withLink { bus async throws in
            (
                try await BusPeer(bus, owning: HostSource.networkManager.places),
                try await BusPeer(bus, owning: HostSource.upower.places)
            )
        } _: { _, link, services async throws in
            try await services.1.tell(.upower, Self.plugged)
            // UPower is heard: what it changes afterwards would be told at once, were nothing else awaited.
            services.1.change(HostProperty.charge.place, [("Percentage", .unsigned(50))])
            try await services.0.tell(.networkManager, [.metering: .value(.unsigned(1))])
            let state = try await link.state("the first state")
            #expect(state?.metering == .yes && state?.answering == [.networkManager, .upower])
        }
    }

    /// A program that hangs holds back what it knows, and not what the others know.
    @Test(arguments: [HostSource.networkManager, .powerProfiles, .logind, .notifications])
    func aServiceThatHangsDoesNotSilenceTheOthers(_ silent: HostSource) async throws {
        try await TestBus.with { bus in
            let service = try await BusPeer(bus, owning: HostSource.upower.places)
            let hanging = try await BusPeer(bus, owning: silent.places)
            let link = try BusLink(at: bus.address, patience: .milliseconds(1))
            defer { link.end() }
            if silent == .logind { link.delaySleep() }
            link.begin()
            try await service.tell(.upower, Self.plugged)
            #expect(try await link.state("what UPower told") { $0.charge == 99.5 }?.answering == [.upower])
            service.change(HostProperty.charge.place, [("Percentage", .unsigned(12))])
            #expect(try await link.state("what it told later") { $0.charge == 12 }?.answering == [.upower])
            // What wakes up after all is heard.
            switch silent {
            case .logind:
                let call = try await hanging.heard("Inhibit")
                hanging.reply(to: call, descriptor: 0)
            case .notifications: hanging.reply(to: try await hanging.heard("GetServerInformation"))
            case .networkManager: try await hanging.tell(silent, [.metering: .value(.unsigned(1))])
            case .powerProfiles: try await hanging.tell(silent, [.profile: .value(.text("power-saver"))])
            case .upower, .tray: return
            }
            let state = try await link.state("what comes late") { $0.answering == [.upower, silent] }
            #expect(state?.charge == 12)
            if silent == .networkManager { #expect(state?.metering == .yes) }
            if silent == .powerProfiles { #expect(state?.savesPower == true) }
        }
    }

    /// What happens to the names of services while a watch runs, and what is known then.
    @Test(arguments: HostProperty.allCases)
    func aServiceThatEndsHasToldNothing(_ property: HostProperty) async throws {
        let source = property.source
        let values: [HostProperty: PropertyAnswer] = [
            .metering: .value(.unsigned(1)), .connectivity: .value(.unsigned(2)), .network: .value(.path("/c")),
            .onBattery: .value(.truth(true)), .charge: .real(3), .profile: .value(.text("balanced")),
        ]
        try await TestBus.withLink { bus async throws in
            try await BusPeer(bus, owning: source.places)
        } _: { bus, link, service async throws in
            try await service.tell(source, values)
            #expect(try await link.state("what it told")?.answering == [source])
            for place in source.places { try await service.leave(place) }
            #expect(try await link.state("nothing") == HostState())
            let next = try await BusPeer(bus, owning: source.places)
            try await next.tell(source, values)
            let state = try await link.state("what the next one told")
            var known = HostState()
            known.take(property, state.map { Self.value(of: property, in: $0) } ?? nil)
            #expect(state?.answering == [source] && known != HostState())
        }
    }

    /// What stands in the state for a property, as a value of a bus.
    static func value(of property: HostProperty, in state: HostState) -> BusValue? {
        switch property {
        case .metering: state.metering.map { .number(Double($0.rawValue)) }
        case .connectivity: state.isBehindPortal.map { .number($0 ? 2 : 4) }
        case .network: state.network.map { .text($0) }
        case .onBattery: state.isOnBattery.map { .truth($0) }
        case .charge: state.charge.map { .number($0) }
        case .profile: state.savesPower.map { .text($0 ? "power-saver" : "balanced") }
        }
    }

    @Test func aBusThatGoesTakesAllThatWasToldWithIt() async throws {
        try await TestBus.withLink { bus async throws in
            try await BusPeer(bus, owning: HostSource.upower.places)
        } _: { bus, link, service async throws in
            try await service.tell(.upower, Self.plugged)
            #expect(try await link.state("what it told")?.charge == 99.5)
            bus.kill()
            #expect(try await link.state("nothing") == HostState())
        }
    }

    @Test func withoutABusNothingIsKnownAndOrdersAreForgotten() async throws {
        try await FileTree().withDirectory { folder in
            let link = try BusLink(at: "unix:path=\(folder.appending("none").display)")
            link.begin()
            link.show(BusNoticeTests.notice("unheard"))
            link.present(TrayState(icon: "i", text: "t", needsAttention: false, menu: []))
            link.delaySleep()
            link.letSleep()
            link.open("http://127.0.0.1/")
            link.close(topic: "sync")
            #expect(try await link.changes.first("that nothing is known") == .state(HostState()))
            link.end()
            let heard = try await withLimit("the end") {
                var heard: [HostChange] = []
                for await change in link.changes { heard.append(change) }
                return heard
            }
            #expect(heard.isEmpty)
        }
    }
}

extension HostSource {
    /// What a program owns that is this service.
    var places: [BusPlace] {
        switch self {
        case .logind: [.logind]
        case .notifications: [.notifications]
        case .tray: [.statusWatcher]
        case .networkManager, .upower, .powerProfiles: [properties[0].place]
        }
    }
}
