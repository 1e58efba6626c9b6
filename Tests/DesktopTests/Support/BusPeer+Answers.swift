import CSystemd
import TestSupport

@testable import Desktop

/// What a service answers to the question for a property.
enum PropertyAnswer: Sendable {
    case value(BusArgument)
    /// A number with a fraction, for which no argument of ours has a type.
    case real(Double)
    /// Something else than one value with its type.
    case values([BusArgument])
    case refusal
}

extension BusPeer {
    /// Hears the questions for all properties of `source`, and answers each; those without an answer are refused.
    func tell(_ source: HostSource, _ answers: [HostProperty: PropertyAnswer] = [:]) async throws {
        try await answer(answers, among: source.properties)
    }

    /// Hears a question for each of these properties, in any order.
    func answer(_ answers: [HostProperty: PropertyAnswer]) async throws {
        try await answer(answers, among: Array(answers.keys))
    }

    private func answer(_ answers: [HostProperty: PropertyAnswer], among properties: [HostProperty]) async throws {
        for _ in properties {
            let call = try await heard("Get")
            let (interface, name) = (call.text(), call.text())
            let property = properties.first { $0.place.interface == interface && $0.name == name }
            switch property.flatMap({ answers[$0] }) ?? .refusal {
            case .value(let value): reply(to: call, [.variant(value)])
            case .real(let number): reply(to: call, with: number)
            case .values(let values): reply(to: call, values)
            case .refusal: refuse(call)
            }
        }
    }

    private func reply(to call: BusMessage, with number: Double) {
        guard let message = call.answer() else { return }
        defer { sd_bus_message_unref(message) }
        var number = number
        sd_bus_message_open_container(message, CChar(UInt8(ascii: "v")), "d")
        sd_bus_message_append_basic(message, CChar(UInt8(ascii: "d")), &number)
        sd_bus_message_close_container(message)
        sd_bus_send(nil, message, nil)
    }

    /// Answers with a descriptor, which remains the caller's.
    func reply(to call: BusMessage, descriptor: Int32) {
        guard let message = call.answer() else { return }
        defer { sd_bus_message_unref(message) }
        var descriptor = descriptor
        sd_bus_message_append_basic(message, CChar(UInt8(ascii: "h")), &descriptor)
        sd_bus_send(nil, message, nil)
    }

    /// Tells that properties of the object have changed.
    ///
    /// - Parameter invalid: Names of those whose value is to be asked for.
    func change(_ place: BusPlace, _ values: [(String, BusArgument)], invalid: [String] = []) {
        let arguments: [BusArgument] = [.text(place.interface), .table(values), .texts(invalid)]
        emit(place.by(BusPlace.properties), "PropertiesChanged", arguments)
    }
}

extension BusLink {
    /// The next state that is told.
    func state(_ what: String, where isIt: @escaping @Sendable (HostState) -> Bool = { _ in true }) async throws
        -> HostState?
    {
        let change = try await changes.first(what) { if case .state(let state) = $0 { isIt(state) } else { false } }
        return if case .state(let state) = change { state } else { nil }
    }
}
