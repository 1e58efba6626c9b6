import Access
import Catalog
import Cleansing
package import Configuration
import FoundationEssentials
import Gallery
import ObjectStore
import Output
package import Platform
import Records
import Rescue
import StorageServer
package import Supabase
import Text
package import Transfer

/// What a command needs to work with storage: the destination, credentials and a client.
package struct Workplace: Sendable {
    /// Where objects go.
    package let destination: Destination
    /// Called before each request; returns the signed-in user's token, or the key.
    package let credentials: CredentialsSource
    /// Sends the requests; `close()` ends it.
    package let client: HTTPClient
    /// The client for providers and their files; the rate limit of uploads does not apply to it.
    let downloads = HTTPClient(userAgent: "gallery-sync/\(Version.text)")
    /// The storage on this computer, if it is the destination.
    private let local: LocalStorage?

    /// Finds the destination of `setup` and, for this computer, serves it unless another process does.
    ///
    /// Throws `Refusal` if no destination was chosen, or if there is neither a sign-in nor a usable key.
    ///
    /// - Parameters:
    ///   - typed: A key that the user has just typed, which replaces the kept one.
    ///   - isForReading: Whether a read-only storage on this computer is enough.
    ///   - tell: Gets the sentences about damage that the start of the embedded server repaired.
    package init(
        _ setup: Setup, in surroundings: Surroundings, key typed: AccountKey? = nil, isForReading: Bool = false,
        tell: @escaping @Sendable ([String]) -> Void = { _ in }
    ) async throws {
        let settings = setup.settings
        client = HTTPClient(userAgent: "gallery-sync/\(Version.text)")
        client.setLimit(bytesPerSecond: settings.upload.limitRate?.rate(at: Date()))
        let isRemembered = try await Self.isLocalRemembered(setup)
        let isLocal = settings.destination.local || isRemembered
        guard isLocal || settings.destination.url != nil else { throw Refusal(.needsHuman(Self.noDestination(setup))) }
        guard !isLocal, let url = settings.destination.url else {
            let own = try LocalStorage(
                setup.locations.storage, in: surroundings, isForReading: isForReading, tell: tell)
            (local, credentials) = (own, own.credentials)
            destination = Destination(
                endpoint: own.endpoint, bucket: settings.destination.bucket, prefix: settings.destination.prefix,
                isLocal: true)
            return
        }
        local = nil
        let key = if let typed { typed } else { try await setup.key(in: surroundings) }
        let session = try Session.find(setup.locations, url: url, apiKey: key?.secret, transport: client)
        let found = try Self.credentials(of: session, else: key, at: url)
        let reread = Self.reread(found, key, session?.user.id, setup, in: surroundings, client, at: url)
        credentials = typed == nil ? reread.source : found
        destination = Destination(
            endpoint: StorageEndpoint(base: Self.base(of: url)), bucket: settings.destination.bucket,
            prefix: settings.destination.prefix, userID: session?.user.id)
    }

    /// Whether the storage on this computer was found damaged, so that objects may be lost.
    var wasRepaired: Bool { local?.wasRepaired ?? false }

    /// Closes the clients and stops the embedded server.
    package func close() async {
        client.close()
        downloads.close()
        await local?.close()
    }

    /// The project's tables; `nil` if the storage belongs to no project.
    var rows: LinkTable? { database.map { LinkTable($0, own: destination.endpoint.base) } }

    /// The jobs that webhooks left for this project's computers; `nil` if the storage belongs to no project.
    var inbox: RescueInbox? { database.map { RescueInbox($0) } }

    private var database: RestClient? {
        guard !destination.isLocal, let base = AuthPlace.database(for: destination.endpoint.base) else { return nil }
        return RestClient(base: base, transport: client, credentials: credentials)
    }

    /// The destination's storage, asked with the profile's key or sign-in.
    package var storage: StorageClient {
        StorageClient(endpoint: destination.endpoint, transport: client, credentials: credentials)
    }
}

extension Workplace {
    /// The credentials for requests: the signed-in user, else the key.
    private static func credentials(
        of session: Session?, else key: AccountKey?, at url: String
    ) throws(Refusal) -> CredentialsSource {
        if let session { return session.source }
        guard let key else { throw Refusal(.notPermitted(noKey(for: url))) }
        guard !key.kind.opensNothing else { throw Refusal(.notPermitted(signedOut(at: url, key))) }
        return always(StorageCredentials(key: key.secret, origin: key.origin))
    }

    static func always(_ credentials: StorageCredentials) -> CredentialsSource {
        { _ throws(StorageError) in credentials }
    }

    /// The message of every command that needs a destination and has none.
    package static let noDestination =
        "No destination. Run \"gallery-sync init\", or add --local to keep a second copy on this computer only."

    /// The same, or that the profile which was used is not in the configuration.
    package static func noDestination(_ setup: Setup) -> String {
        setup.loaded.missingProfile.map { clause in
            "No destination: the configuration \(clause). Choose one with --profile, or run \"gallery-sync init\"."
        } ?? noDestination
    }

    static func noKey(for url: String) -> String {
        "Not signed in at \(url), and there is no key. Run \"gallery-sync login\", set GALLERY_SYNC_KEY, or name a file "
            + "with destination.keyFile."
    }

    static func signedOut(at url: String, _ key: AccountKey) -> String {
        "Not signed in at \(url): the \(key.kind) from \(key.origin) opens nothing by itself. "
            + "Run \"gallery-sync login\"."
    }

    /// A URL with a path is the storage's own; to a project's URL the path of its storage is added.
    package static func base(of url: String) -> String {
        let rest = url.split(separator: "://", maxSplits: 1).last ?? ""
        let slashes = rest.reversed().prefix { $0 == "/" }.count
        return rest.dropLast(slashes).contains("/") ? url : url.dropLast(slashes) + "/storage/v1"
    }

    /// The beginning of the name of a destination, before its bucket.
    static func storageName(_ destination: Settings.Destination) -> String {
        destination.url.map(base) ?? "local"
    }

    /// Whether the settings choose a destination, or earlier runs stored into this computer with --local alone.
    package static func hasDestination(_ setup: Setup) async throws -> Bool {
        if setup.settings.destination.isChosen { true } else { try await isLocalRemembered(setup) }
    }

    /// Whether earlier runs of the profile stored into this computer.
    package static func isLocalRemembered(_ setup: Setup) async throws -> Bool {
        guard setup.settings.destination.url == nil, let library = try Library.existing(at: setup.locations.library)
        else { return false }
        return try await library.fact(Library.destinationFact)?.hasPrefix("local ") ?? false
    }
}

extension Run {
    /// The workplace of the command; prints what the start of the embedded server has repaired.
    ///
    /// - Parameter isForReading: Whether the command only looks, so that a read-only storage is enough.
    package func workplace(_ setup: Setup, isForReading: Bool = false) async throws -> Workplace {
        try await Workplace(setup, in: surroundings, isForReading: isForReading) { tell(findings: $0) }
    }

    /// Prints what the embedded server found damaged and repaired; names of files may be among it.
    package func tell(findings: [String]) {
        console.note(findings.map { "gallery-sync: \(surroundings.cleanser.text($0))" })
    }
}

extension Refusal {
    /// What a person must do before the embedded server can start in `folder`; `nil` for other errors.
    package init?(storage error: any Error, in folder: FilePath) {
        switch error {
        case _ where StorageServer.isDiskFull(error):
            self.init(.full("The disk of the storage \(folder) is full: make room there, then run this again"))
        case let error as DamagedIndex: self.init(.needsHuman("\(error)"))
        case is WeakSecret, is UnsupportedIndex, is NothingToRebuildFrom: self.init(.needsHuman("\(error)."))
        case let error as SystemError:
            self.init(keepingNothingAt: folder, error, elsewhere: "with --data, --state-dir or XDG_DATA_HOME")
        default: return nil
        }
    }
}
