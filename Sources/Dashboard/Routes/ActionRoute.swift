import Browsing
import FoundationEssentials
import Records
import Serving

/// What the user asks the agent to do.
struct ActionRoute: Sendable {
    let contents: PageContents?
    let host: any PageHost

    private struct Order: Decodable {
        let action: String
        let ids: [String]?
        let minutes: Int?
        let seconds: Int?
        let folder: String?
        let words: String?
    }

    private struct Answer: Encodable {
        let schema = "gallery-sync/action/1"
        let count: Int
        let sentence: String
        let links: [PageActionResult.Link]?
        let question: PageActionResult.Question?

        init(_ result: PageActionResult) {
            (count, sentence, question) = (result.count, result.sentence, result.question)
            links = result.links.isEmpty ? nil : result.links
        }
    }

    private struct Abilities: Encodable {
        let schema = "gallery-sync/actions/1"
        var allowed: [String] = []
        var refused: [String: String] = [:]
    }

    /// The most files that one action is about.
    private static let idLimit = 10_000
    /// Minutes.
    private static let pauses = 1...10_080
    /// Bytes of that many identifiers.
    private static let bodyLimit = 8 << 20

    /// The most links that one action makes, because each costs a request.
    private static let linkLimit = 100
    /// Seconds that a link works at most, a year.
    private static let longestLink = 366 * 86_400

    /// Which actions can be asked for here, and why the others cannot.
    func abilities() async -> Response {
        var abilities = Abilities()
        for name in PageAction.Name.allCases {
            switch await host.ability(of: name) {
            case .allowed: abilities.allowed.append(name.rawValue)
            case .refused(let sentence): abilities.refused[name.rawValue] = sentence
            case .absent: break
            }
        }
        return .json(abilities)
    }

    /// Carries it out, and says what was done.
    func answer(_ request: Request) async throws -> Response {
        let order: Order
        do {
            let body = try await request.body.collect(limit: Self.bodyLimit)
            order = try JSONDecoder().decode(Order.self, from: Data(body))
        } catch {
            throw PageRefusal.unreadable("The request cannot be read.")
        }
        return .json(Answer(try await host.perform(try await action(order))))
    }

    private func action(_ order: Order) async throws -> PageAction {
        guard let name = PageAction.Name(rawValue: order.action) else {
            throw PageRefusal.unreadable("There is no such action.")
        }
        switch name {
        case .pause:
            guard order.minutes.map(Self.pauses.contains) ?? true else {
                throw PageRefusal.unreadable("A pause lasts between a minute and a week.")
            }
            return .pause(minutes: order.minutes)
        case .resume: return .resume
        case .sync: return .sync
        case .releaseBrake: return .releaseBrake(order.ids == nil ? nil : try await files(of: order))
        case .retry: return .retry(try await files(of: order))
        case .resend: return .resend(try await files(of: order))
        case .leaveOut: return .leaveOut(try await files(of: order))
        case .show: return .show(try await files(of: order, atMost: Self.linkLimit))
        case .prune: return .prune(try await files(of: order), words: order.words)
        case .link:
            guard let seconds = order.seconds, (1...Self.longestLink).contains(seconds) else {
                throw PageRefusal.unreadable("A link works for 1 second to 366 days.")
            }
            return .link(try await files(of: order, atMost: Self.linkLimit), seconds: seconds)
        case .restore:
            guard let folder = order.folder, folder.hasPrefix("/") || folder.hasPrefix("~/"), !folder.contains("\0")
            else {
                throw PageRefusal(
                    status: 400, message: "\"\(order.folder ?? "")\" is no folder to restore to.",
                    next: "Write its whole path, beginning with / or ~/.")
            }
            return .restore(try await files(of: order), folder: folder)
        }
    }

    /// The files that the order names; throws for none, because the agent would take that for all.
    private func files(of order: Order, atMost limit: Int = idLimit) async throws -> [RootedPath] {
        guard let ids = order.ids, !ids.isEmpty, ids.count <= limit, let contents else {
            throw PageRefusal(
                status: 400, message: "This can be asked for 1 to \(limit) files at once.", next: "Choose fewer.")
        }
        let files = try await contents.timeline.locations(of: ids.compactMap { AssetIdentifier($0)?.place })
        guard !files.isEmpty else {
            throw PageRefusal(
                status: 404, message: "None of these files is known any more.",
                next: "Load the page again, and choose among what is there now.")
        }
        return files
    }
}
