package import FoundationEssentials
package import Platform
package import Providers
import Serving
import Synchronization

/// An embedded server that speaks the protocols of eight makers of videos over made-up media.
///
/// Each provider answers below a path of its own, such as `/fal`, the files below `/files`. Nothing is kept.
///
///     let server = ProviderServer()
///     try server.start()
///     server.add(MadeJob(.fal, "80e7", model: "fal-ai/veo3.1"))
///     let fal = server.provider(.fal, transport: client)
package final class ProviderServer: Sendable {
    /// What every provider here takes for the user's key.
    package let key: String
    private let reception: Reception
    private let server: Server

    /// A server at rest.
    ///
    /// - Parameters:
    ///   - plan: How the providers behave.
    ///   - port: 0 for any free one.
    ///   - clock: What time it is for links, files and jobs.
    package init(
        plan: ProviderPlan = ProviderPlan(), key: String = "made-up-key", port: UInt16 = 0,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        let reception = Reception(ProviderState(key: key, plan: plan), clock: clock)
        self.key = key
        self.reception = reception
        server = Server(
            listening: [.loopback(port: port)], log: { reception.note($0) }, handler: { await reception.answer($0) })
    }

    /// Binds and serves.
    package func start() throws(SystemError) { try server.start() }

    /// Lets what runs finish for up to `grace`, then cuts it.
    package func stop(grace: Duration = .zero) async { await server.stop(grace: grace) }

    /// Such as `http://127.0.0.1:4711`; port 0 while it does not run.
    package var origin: String { "http://127.0.0.1:\(server.port ?? 0)" }

    /// The base of an account at a provider.
    package func base(of site: ProviderName) -> String { "\(origin)/\(site.rawValue)" }
}

// MARK: What is there

extension ProviderServer {
    /// Puts a job there that was submitted elsewhere; costs nothing.
    package func add(_ job: MadeJob) {
        reception.state.withLock { $0.providers.add(job) }
    }

    /// Puts a file below `/files` and gives back its link, signed where it ends after `lifetime` seconds from `date`.
    @discardableResult
    package func add(_ media: MadeMedia, signedAt date: Date? = nil, lifetime: Int = 3_600) -> String {
        let path = "/files/\(media.name)"
        let query = reception.state.withLock { state in
            state.providers.hosted[path] = HostedFiles.Held(media: media, access: date == nil ? .anyone : .signature)
            return date.map { "?" + state.providers.signer.presigned(path, at: $0, lifetime: lifetime) } ?? ""
        }
        return origin + path + query
    }

    /// Other bytes, and so another tag, for the file at `path`, such as `/files/fal/fal-1/video.mp4`.
    package func replace(_ path: String, by bytes: [UInt8]) {
        reception.state.withLock { $0.providers.hosted.replace(path, by: bytes) }
    }

    /// From now on these go wrong, counted anew.
    package func set(_ troubles: [Trouble]) {
        reception.state.withLock { $0.troubles = FaultCounts(troubles) }
    }
}

// MARK: What happened

extension ProviderServer {
    /// The jobs that were paid for, oldest first.
    package var charges: [Charge] { reception.state.withLock { $0.providers.charges } }

    /// All requests so far, in order.
    package var log: [LoggedRequest] { reception.state.withLock { $0.log } }

    /// The job as it stands; asking here moves nothing on.
    package func job(_ id: String, at site: ProviderName) -> MadeJob? {
        reception.state.withLock { $0.providers.job(id, at: site) }
    }

    /// Bytes of bodies that left for `path` in exchanges that are over; a cut connection may have lost the last ones.
    package func sent(_ path: String) -> Int64 {
        reception.state.withLock { $0.sent[path] ?? 0 }
    }
}
