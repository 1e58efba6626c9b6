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
    /// The user has signed in: what waited for that goes on.
    case signedIn
    case cancel(paths: [FilePath])
    case items
    /// Lists objects whose files are gone, and deletes them if `deleting`.
    case prune(deleting: Bool)
    /// What a deep verification would download.
    case verifyVolume(VerifyOrder)
    case verify(VerifyOrder)
    /// What a rescue would bring.
    case rescuePlan(RescueOrder)
    case rescue(RescueOrder)
    case jobs
    case addJobs([JobReference])
    /// Cancels jobs by their identifiers.
    case cancelJobs([String])
    case generate(GenerateOrder)
}

/// The agent's answer to one request; members that the request does not concern are `nil`.
package struct AgentReply: Codable, Hashable, Sendable {
    /// How the request ended; decides the exit code of the command.
    package var ending: Ending
    /// What was selected; for `plan` and `reupload`.
    package var selection: SelectionResult?
    /// All items of the queue; for `items`.
    package var items: [Item]?
    /// The files that a sync would send; for `preview`.
    package var preview: [PreviewedFile]?
    /// How many files were cancelled; for `cancel`.
    package var count: Int?
    /// What was listed or deleted; for `prune`.
    package var pruned: PruneResult?
    /// What would be downloaded; for `verifyVolume`.
    package var volume: VerifyVolume?
    /// What was found; for `verify`.
    package var verified: VerifyResult?
    /// What would be brought, or was; for `rescuePlan` and `rescue`.
    package var rescue: RescueListing?
    /// The jobs concerned, without the queries of their links; for requests about jobs, and `generate`.
    package var jobs: [Job]?

    /// A reply of nothing but its ending, such as a refusal.
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
    /// Carries out `request`; a refusal becomes a reply, and only failures of the agent are thrown.
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

    /// What a sync of `paths` would find new or changed; no asset is written.
    ///
    /// Throws `Refusal` where a path cannot be a root or cannot be scanned.
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
