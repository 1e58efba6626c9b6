import TestSupport

@testable import Desktop

/// Another program on a bus: it owns names, hears what is asked of them, and answers when the test wants it.
final class BusPeer {
    private let connection: BusConnection
    /// What came and was not asked for yet.
    private var unheard: [BusMessage] = []

    /// A program that owns the names of `places`, and hears all signals of `sender`.
    init(_ bus: TestBus, owning places: [BusPlace] = [], hearing sender: String? = nil) async throws {
        guard let connection = BusConnection(.session, at: bus.address) else { throw NoBus() }
        self.connection = connection
        if let sender { try await ask(.bus, "AddMatch", [.text("type='signal',sender='\(sender)'")]) }
        for place in places { try await ask(.bus, "RequestName", [.text(place.service), .unsigned(0)]) }
    }

    private struct NoBus: Error {}

    /// Calls a method, and returns its answer.
    @discardableResult
    func ask(_ place: BusPlace, _ member: String, _ arguments: [BusArgument] = []) async throws -> BusMessage {
        try await answer(to: call(place, member, arguments))
    }

    /// Calls a method without waiting for its answer; `nil` where the call cannot be sent.
    func call(_ place: BusPlace, _ member: String, _ arguments: [BusArgument] = []) -> UInt64? {
        connection.call(place, member, arguments)
    }

    /// The answer to the call with this number.
    func answer(to number: UInt64?) async throws -> BusMessage {
        try await heard("an answer") { $0.answered != nil && $0.answered == number }
    }

    /// The next call or signal with this name.
    func heard(_ member: String) async throws -> BusMessage {
        try await heard(member) { $0.answered == nil && $0.member == member }
    }

    /// What comes before the next call or signal with this name, which is dropped; no answers to own calls.
    func heard(before member: String) async throws -> [BusMessage] {
        let last = try await eventually(member, seen: { "\(self.unheard.map(\.member))" }) {
            while case .message(let message) = connection.next() { unheard.append(message) }
            return unheard.firstIndex { $0.member == member }
        }
        defer { unheard.removeFirst(last + 1) }
        return unheard[..<last].filter { $0.answered == nil }
    }

    private func heard(_ what: String, where isIt: (BusMessage) -> Bool) async throws -> BusMessage {
        try await eventually(what, seen: { "\(self.unheard.map(\.member))" }) {
            while case .message(let message) = connection.next() { unheard.append(message) }
            return unheard.firstIndex(where: isIt).map { unheard.remove(at: $0) }
        }
    }

    func reply(to call: BusMessage, _ arguments: [BusArgument] = []) { connection.reply(to: call, arguments) }

    /// Answers that there is no such thing.
    func refuse(_ call: BusMessage) { connection.reply(to: call, nil) }

    func emit(_ place: BusPlace, _ member: String, _ arguments: [BusArgument] = []) {
        connection.emit(place, member, arguments)
    }

    /// Gives up the name of `place`, as a service that ends.
    func leave(_ place: BusPlace) async throws { try await ask(.bus, "ReleaseName", [.text(place.service)]) }
}
