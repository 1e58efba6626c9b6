import Catalog
import FoundationEssentials
import Platform
import Serving

/// What the user asks the agent to do.
struct ActionRoute: Sendable {
    let shelf: PageShelf?
    let host: any PageHost

    private struct Order: Decodable {
        let action: String
        let ids: [String]?
        let minutes: Int?
    }

    private struct Answer: Encodable {
        let schema = "gallery-sync/action/1"
        let count: Int
        let sentence: String
    }

    /// The most files that one action is about.
    private static let idLimit = 10_000
    /// Minutes.
    private static let pauses = 1...10_080
    /// Bytes of that many identifiers.
    private static let bodyLimit = 8 << 20

    /// Carries it out, and says what was done.
    func answer(_ request: Request) async throws -> Response {
        let order: Order
        do {
            let body = try await request.body.collect(limit: Self.bodyLimit)
            order = try JSONDecoder().decode(Order.self, from: Data(body))
        } catch {
            throw PageRefusal.unreadable("The request cannot be read.")
        }
        let result = try await host.perform(try await action(order))
        return .json(Answer(count: result.count, sentence: result.sentence))
    }

    private func action(_ order: Order) async throws -> PageAction {
        switch order.action {
        case "retry": return .retry(try await paths(of: order.ids ?? []))
        case "pause":
            guard order.minutes.map(Self.pauses.contains) ?? true else {
                throw PageRefusal.unreadable("A pause lasts between a minute and a week.")
            }
            return .pause(minutes: order.minutes)
        case "resume": return .resume
        case "sync": return .sync
        case "releaseBrake": return .releaseBrake
        default: throw PageRefusal.unreadable("There is no such action.")
        }
    }

    private func paths(of ids: [String]) async throws -> [FilePath] {
        guard !ids.isEmpty, ids.count <= Self.idLimit, let shelf else {
            throw PageRefusal.unreadable("Between 1 and \(Self.idLimit) files can be sent again at once.")
        }
        return try await shelf.timeline.locations(of: ids.compactMap { AssetIdentifier($0)?.place }).compactMap {
            shelf.roots[$0.root]?.known.path.appending($0.path)
        }
    }
}
