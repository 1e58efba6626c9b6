import Cleansing
package import Platform

/// Where a profile keeps its files, from the XDG variables or below one directory.
package struct Locations: Hashable, Sendable {
    /// `config.json5` unless another file is named.
    package let configuration: FilePath
    /// The directory of queue, library and lock, which must survive; one per profile.
    package private(set) var state: FilePath
    /// The directory of files that can be made again.
    package private(set) var cache: FilePath
    /// The embedded server's data folder, shared by all profiles.
    package let storage: FilePath
    /// The root of rescued files.
    package let generated: FilePath
    /// The directory of the control socket, with mode 0700.
    package private(set) var runtime: FilePath
    /// The thumbnails that the desktop's programs share, wherever ours lie.
    package let sharedThumbnails: FilePath

    /// The cache of thumbnails, by content hash.
    package var thumbnails: FilePath { cache.appending("thumbnails") }
    /// Parts of originals that the page fetched from storage.
    package var originals: FilePath { cache.appending("originals") }
    /// The lock file; held by the process that writes this state.
    package var lock: FilePath { state.appending("lock") }
    /// The upload queue's file, which users and programs may read.
    package var queue: FilePath { state.appending("queue.json") }
    /// The database of assets and receipts.
    package var library: FilePath { state.appending("library.sqlite") }
    /// The socket on which the lock's holder answers; its name depends on the state directory.
    package var controlSocket: FilePath {
        runtime.appending(SHA256.hash(state.bytes).prefix(8).hexadecimal + ".sock")
    }
    /// The file of a profile's key when no setting names one; the command `init` writes it.
    package var standardKey: FilePath {
        configuration.parent.appending("\(FilePath(bytes: state.name).display).key")
    }
    /// The socket of the embedded server's lock holder.
    package var storageSocket: FilePath { storage.appending("storage.sock") }

    /// The same places, except that a run's own files (state, cache and socket) are below `folder`.
    package func withState(below folder: FilePath) -> Locations {
        var locations = self
        locations.state = folder.appending("state")
        locations.cache = folder.appending("cache")
        locations.runtime = folder.appending("run")
        return locations
    }
}

/// The input from which a profile's locations follow.
package struct LocationRequest: Hashable, Sendable {
    /// The whole environment; `HOME`, `TMPDIR` and the XDG variables count.
    var environment: [String: String]
    /// The profile's name; must be usable as a directory's name.
    package var profile: String
    /// `--config`, absolute.
    package var configuration: FilePath?
    /// `--state-dir`, absolute: state, cache, runtime and storage all lie below it.
    package var stateDirectory: FilePath?
    /// The effective user's id, for the shared temporary directory.
    var user: UInt32
    /// The home directory from the account database, used where `HOME` is not set.
    var accountHome: FilePath?

    /// A request for the usual places, unless a file or directory is named.
    package init(
        environment: [String: String], profile: String = SettingSources.standardProfile,
        configuration: FilePath? = nil, stateDirectory: FilePath? = nil, user: UInt32, accountHome: FilePath? = nil
    ) {
        self.environment = environment
        self.profile = profile
        self.configuration = configuration
        self.stateDirectory = stateDirectory
        self.user = user
        self.accountHome = accountHome
    }
}

extension LocationRequest {
    /// The directory that `~` stands for; throws where neither `HOME` nor the account database names one.
    package func home() throws(SettingsError) -> FilePath {
        if let home = Locations.absolute(environment["HOME"]) ?? accountHome { return home }
        throw SettingsError(source: "HOME", reason: "is not set to an absolute path, so there is no place for state.")
    }
}

extension Locations {
    private static let name = "gallery-sync"

    /// The locations for `request`; throws where no home is known or the profile's name is not allowed.
    package init(for request: LocationRequest) throws(SettingsError) {
        let profile = request.profile
        guard Self.isName(profile) else {
            throw SettingsError(
                source: "--profile \(JSONText.quoted(profile))",
                reason: "is no name of letters, digits, \".\", \"-\" or \"_\".", isTyped: true)
        }
        let home = try request.home()
        func folder(_ variable: String, else standard: String) -> FilePath {
            Self.absolute(request.environment[variable]) ?? home.appending(standard)
        }
        func base(_ variable: String, else standard: String) -> FilePath {
            folder(variable, else: standard).appending(Self.name)
        }
        configuration =
            request.configuration ?? base("XDG_CONFIG_HOME", else: ".config").appending("config.json5")
        generated = base("XDG_DATA_HOME", else: ".local/share").appending("generated")
        sharedThumbnails = folder("XDG_CACHE_HOME", else: ".cache").appending("thumbnails")
        guard let below = request.stateDirectory else {
            state = base("XDG_STATE_HOME", else: ".local/state").appending(profile)
            cache = base("XDG_CACHE_HOME", else: ".cache")
            storage = base("XDG_DATA_HOME", else: ".local/share").appending("storage")
            runtime =
                Self.absolute(request.environment["XDG_RUNTIME_DIR"])?.appending(Self.name)
                ?? Self.temporary(for: request)
            return
        }
        state = below.appending("state").appending(profile)
        cache = below.appending("cache")
        storage = below.appending("storage")
        let wanted = below.appending("run")
        runtime =
            wanted.bytes.count + Self.socketNameLength < Self.socketPathLimit ? wanted : Self.temporary(for: request)
    }

    /// The kernel allows 107 bytes for a Unix socket's path.
    private static let socketPathLimit = 108
    /// A slash, 16 hexadecimal digits and `.sock`.
    private static let socketNameLength = 22

    private static func temporary(for request: LocationRequest) -> FilePath {
        (absolute(request.environment["TMPDIR"]) ?? "/tmp").appending("\(name)-\(request.user)")
    }

    /// A relative XDG directory is ignored, as the specification requires.
    fileprivate static func absolute(_ text: String?) -> FilePath? {
        text.flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
    }

    private static func isName(_ profile: String) -> Bool {
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"
        return (1...64).contains(profile.utf8.count) && !profile.hasPrefix(".") && profile.allSatisfy(plain.contains)
    }
}
