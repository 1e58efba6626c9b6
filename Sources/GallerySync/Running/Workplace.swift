import FoundationEssentials
import Gallery
import Platform
import StorageServer
import Supabase
import Transfer

/// What a command that works with storage has: where objects go, the right to put them there, and a client.
struct Workplace: Sendable {
    let destination: Destination
    let credentials: StorageCredentials
    let client: HTTPClient
    /// The embedded server, where this process is the one that runs it.
    private let server: StorageServer?

    /// Finds the destination of `setup` and, where that is this computer, makes sure somebody serves it.
    ///
    /// Throws `Refusal` where no destination was chosen or no key is to be had.
    init(_ setup: Setup, in surroundings: Surroundings) async throws {
        let settings = setup.settings
        client = HTTPClient(userAgent: "gallery-sync/\(Version.text)")
        client.setLimit(bytesPerSecond: settings.upload.limitRate)
        let isRemembered = try await Self.isLocalRemembered(setup)
        let isLocal = settings.destination.local || isRemembered
        guard isLocal || settings.destination.url != nil else { throw Refusal(.needsHuman(ConfigCheck.noDestination)) }
        guard !isLocal, let url = settings.destination.url else {
            (server, credentials) = try Self.serve(setup.locations.storage, in: surroundings)
            let socket = setup.locations.storageSocket
            destination = Destination(
                endpoint: StorageEndpoint(base: "http://this-computer", unixSocket: socket),
                bucket: settings.destination.bucket, prefix: settings.destination.prefix, isLocal: true)
            return
        }
        server = nil
        guard
            let key = try StorageKey.find(
                environment: surroundings.environment, settings: settings, user: surroundings.user,
                standard: setup.locations.standardKey)
        else { throw Refusal(.notPermitted(Self.noKey(for: url))) }
        credentials = StorageCredentials(key: key.secret)
        destination = Destination(
            endpoint: StorageEndpoint(base: Self.base(of: url)), bucket: settings.destination.bucket,
            prefix: settings.destination.prefix)
    }

    /// Ends what was started for it.
    func close() async {
        client.close()
        await server?.stop()
    }

    var storage: StorageClient {
        StorageClient(endpoint: destination.endpoint, credentials: credentials, transport: client)
    }
}

extension Workplace {
    private static func noKey(for url: String) -> String {
        "No key for \(url). Set GALLERY_SYNC_KEY, or name a file with destination.keyFile."
    }

    /// A URL with a path is taken as the storage's own; a project's gets the path of its storage.
    static func base(of url: String) -> String {
        let rest = url.split(separator: "://", maxSplits: 1).last ?? ""
        let trimmed = rest.last == "/" ? rest.dropLast() : rest
        return trimmed.contains("/") ? url : url + (url.last == "/" ? "storage/v1" : "/storage/v1")
    }

    /// Whether earlier runs of the profile stored into this computer.
    private static func isLocalRemembered(_ setup: Setup) async throws -> Bool {
        guard setup.settings.destination.url == nil, let library = try Library.existing(at: setup.locations.library)
        else { return false }
        return try await library.fact(Agent.destinationFact)?.hasPrefix("local ") ?? false
    }

    /// Serves the folder, or connects to whoever serves it already.
    private static func serve(
        _ folder: FilePath, in surroundings: Surroundings
    ) throws -> (StorageServer?, StorageCredentials) {
        do {
            let secret = surroundings.environment["GALLERY_SYNC_JWT_SECRET"].flatMap { $0.isEmpty ? nil : $0 }
            let server = try StorageServer(folder: folder, secret: secret, listening: [])
            try server.start()
            return (server, StorageCredentials(key: server.serviceKey))
        } catch is StorageFolderInUse {
            let text = try OpenFile(reading: folder.appending("service.key")).readAll(limit: 1 << 16)
            let key = String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
            return (nil, StorageCredentials(key: key))
        }
    }
}
