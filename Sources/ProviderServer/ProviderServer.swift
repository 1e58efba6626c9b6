package import FoundationEssentials
package import Platform
package import Providers
package import Serving
import Synchronization

/// An embedded server that speaks the protocols of the video providers, with made-up media.
///
/// Each provider answers below its own path, such as `/fal`; files are below `/files`. Nothing is written to disk.
///
///     let server = ProviderServer()
///     try server.start()
///     server.add(MadeJob(.fal, "80e7", model: "fal-ai/veo3.1"))
///     let fal = server.provider(.fal, transport: client)
package final class ProviderServer: Sendable {
    /// The user's key that every provider accepts.
    package let key: String
    private let reception: Reception
    private let server: Server

    /// A server that has not been started.
    ///
    /// - Parameters:
    ///   - plan: How the providers behave.
    ///   - port: 0 for any free one.
    ///   - clock: The time that links, files and jobs are compared with.
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

    /// Binds the port and serves it; throws if the port is taken.
    package func start() throws(SystemError) { try server.start() }

    /// Waits up to `grace` for running requests, then cuts them off.
    package func stop(grace: Duration = .zero) async { await server.stop(grace: grace) }

    /// Answers a request without a network, even if the server was not started.
    package func answer(_ request: Request) async -> Response { await reception.answer(request) }

    /// The base of all URLs, such as `http://127.0.0.1:4711`; with port 0 while the server is not running.
    package var origin: String { "http://127.0.0.1:\(server.port ?? 0)" }

    /// The base URL of a provider's API.
    package func base(of site: ProviderName) -> String { "\(origin)/\(site.rawValue)" }
}

// MARK: Content

extension ProviderServer {
    /// Adds a job as if it had been submitted before; nothing is charged for it.
    package func add(_ job: MadeJob) {
        reception.state.withLock { $0.providers.add(job) }
    }

    /// Adds a file below `/files` and returns its link.
    ///
    /// With `signedAt` the link is signed, and expires `lifetime` seconds after that date.
    @discardableResult
    package func add(_ media: MadeMedia, signedAt date: Date? = nil, lifetime: Int = 3_600) -> String {
        let path = "/files/\(media.name)"
        let query = reception.state.withLock { state in
            state.providers.hosted[path] = HostedFiles.Held(media: media, access: date == nil ? .anyone : .signature)
            return date.map { "?" + state.providers.signer.presigned(path, at: $0, lifetime: lifetime) } ?? ""
        }
        return origin + path + query
    }

    /// Replaces the bytes, and so the tag, of the file at `path`, such as `/files/fal/fal-1/video.mp4`.
    package func replace(_ path: String, by bytes: [UInt8]) {
        reception.state.withLock { $0.providers.hosted.replace(path, by: bytes) }
    }

    /// Replaces the faults from now on, with their counters at zero.
    package func set(_ troubles: [Trouble]) {
        reception.state.withLock { $0.troubles = FaultCounts(troubles) }
    }
}

// MARK: Observations

extension ProviderServer {
    /// The jobs that were charged, oldest first.
    package var charges: [Charge] { reception.state.withLock { $0.providers.charges } }

    /// All requests so far, in order.
    package var log: [LoggedRequest] { reception.state.withLock { $0.log } }

    /// The state of a job; unlike a request, this does not move it on.
    package func job(_ id: String, at site: ProviderName) -> MadeJob? {
        reception.state.withLock { $0.providers.job(id, at: site) }
    }

    /// Bytes of bodies sent for `path` in exchanges that have ended.
    ///
    /// If a connection was cut, the last of these bytes may not have reached the client.
    package func sent(_ path: String) -> Int64 {
        reception.state.withLock { $0.sent[path] ?? 0 }
    }
}
