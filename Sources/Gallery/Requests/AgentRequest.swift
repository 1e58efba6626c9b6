package import Catalog
package import Platform
package import Providers
package import Queue
package import Rescue
import Sync

/// What another process asks the agent that holds the lock to do.
package enum AgentRequest: Codable, Hashable, Sendable {
    case sync(paths: [FilePath])
    /// The files that a sync would find new or changed.
    case preview(paths: [FilePath])
    case plan(Selection)
    case reupload(Selection)
    case pause
    case resume
    /// Somebody signed in: what waited for that goes on.
    case signedIn
    case cancel(paths: [FilePath])
    case items
    /// Lists objects whose files are gone, and deletes them where that is asked for.
    case prune(deleting: Bool)
    /// What a deep verification would download.
    case verifyVolume(VerifyOrder)
    case verify(VerifyOrder)
    /// What a rescue would bring.
    case rescuePlan(RescueOrder)
    case rescue(RescueOrder)
    case jobs
    case addJobs([JobReference])
    /// By their identifiers.
    case cancelJobs([String])
    case generate(GenerateOrder)
}

/// What the agent answers.
package struct AgentReply: Codable, Hashable, Sendable {
    package var ending: Ending
    package var selection: SelectionResult?
    package var items: [Item]?
    /// Files a sync would send, with their root's name, and their bytes.
    package var preview: [PreviewedFile]?
    /// Files cancelled.
    package var count: Int?
    package var pruned: PruneResult?
    package var volume: VerifyVolume?
    package var verified: VerifyResult?
    package var rescue: RescueListing?
    /// Without the queries of their links.
    package var jobs: [Job]?

    package init(_ ending: Ending) {
        self.ending = ending
    }
}

/// A file that a sync would find new or changed.
package struct PreviewedFile: Codable, Hashable, Sendable {
    /// The root's name, then the path below it.
    package let path: String
    /// Bytes.
    package let size: Int64
}

extension Agent {
    /// Carries out `request`; refusals are replies, errors are the agent's own.
    package func answer(_ request: AgentRequest) async throws -> AgentReply {
        do {
            return try await reply(to: request)
        } catch let refusal as Refusal {
            return AgentReply(refusal.ending)
        }
    }

    private func reply(to request: AgentRequest) async throws -> AgentReply {
        var reply = AgentReply(.done)
        switch request {
        case .sync(let paths): reply.ending = try await sync(paths)
        case .preview(let paths): reply.preview = try await preview(paths)
        case .plan(let selection): reply.selection = try await plan(selection)
        case .reupload(let selection):
            let (result, ending) = try await reupload(selection)
            reply.selection = result
            reply.ending = ending
        case .pause: try await pause()
        case .resume: try await resume()
        case .signedIn: try await goOn()
        case .cancel(let paths): reply.count = try await cancel(paths)
        case .items: reply.items = await queue.all()
        case .prune(let isDeleting):
            let (result, ending) = try await prune(deleting: isDeleting)
            reply.pruned = result
            reply.ending = ending
        case .verifyVolume(let order): reply.volume = try await verifyVolume(order)
        case .verify(let order):
            let (result, ending) = try await verify(order)
            reply.verified = result
            reply.ending = ending
        case .rescuePlan(let order): reply.rescue = try await rescuePlan(order)
        case .rescue(let order):
            let (result, ending) = try await rescue(order)
            reply.rescue = result
            reply.ending = ending
        case .jobs: reply.jobs = await jobs()
        case .addJobs(let references): reply.jobs = try await addJobs(references)
        case .cancelJobs(let ids): reply.jobs = try await cancelJobs(ids)
        case .generate(let order):
            let (job, ending) = try await generate(order)
            reply.jobs = [job]
            reply.ending = ending
        }
        return reply
    }

    /// What a sync of `paths` would find new or changed; nothing is written.
    package func preview(_ paths: [FilePath]) async throws -> [PreviewedFile] {
        var found: [PreviewedFile] = []
        var targets: [(root: Root, below: FilePath)] = []
        for path in paths { targets.append(try await adopt(path)) }
        if targets.isEmpty { targets = try await defaultRoots() }
        for (root, below) in targets {
            do {
                found += try await scanner.preview(root, below: below).map {
                    PreviewedFile(path: "\(root.name)/\($0.0.display)", size: $0.1)
                }
            } catch let error as SystemError {
                throw Refusal(.temporary(error.description))
            }
        }
        return found
    }
}
