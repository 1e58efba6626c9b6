package import Platform

/// One media file below a root, as the library knows it.
package struct Asset: Hashable, Sendable {
    package let place: Place
    /// The name of the root it lies below.
    package let root: String
    /// The path below that root.
    package let path: FilePath
    /// Bytes.
    package let size: Int64
    package let modifiedAt: FileTime
    package let state: State
    /// Of the content, 64 lowercase hex digits; `nil` until it was read.
    package let sha256: String?
    package let rank: Rank
    /// When the user asked for identical bytes to be sent again; a receipt from then on grants it.
    package let forcedAt: FileTime?

    package init(
        place: Place, root: String, path: FilePath, size: Int64, modifiedAt: FileTime, state: State, sha256: String?,
        rank: Rank, forcedAt: FileTime?
    ) {
        self.place = place
        self.root = root
        self.path = path
        self.size = size
        self.modifiedAt = modifiedAt
        self.state = state
        self.sha256 = sha256
        self.rank = rank
        self.forcedAt = forcedAt
    }
}

extension Asset {
    /// Where the library keeps it: a directory's row and the name in it.
    package struct Place: Hashable, Sendable {
        package let directory: Int64
        package let name: [UInt8]

        package init(directory: Int64, name: [UInt8]) {
            self.directory = directory
            self.name = name
        }
    }

    /// What became of it; an asset is in exactly one state, so the report's sums add up.
    ///
    /// The numbers are stored: never reuse one.
    package enum State: Int64, Sendable, CaseIterable {
        /// Found or changed, not read yet.
        case seen = 0
        /// Being read; becomes `seen` again at start.
        case identifying = 1
        /// An item of it is open.
        case queued = 2
        /// Its receipt exists.
        case stored = 3
        /// Its item failed.
        case failed = 4
        /// It could not be opened or read.
        case unreadable = 5
        /// Known and with thumbnails, but its root is not uploaded by itself.
        case indexed = 6
        /// Deleted before it was stored.
        case gone = 7
        /// Deleted after it was stored; the object stays.
        case remoteOnly = 8
        /// Cancelled by the user, and remembered.
        case excluded = 9
        /// Neither its bytes nor its name say media.
        case ignored = 10
        /// Its content changed along with too many others': the brake holds it.
        case held = 11
    }

    /// What decides the order of uploads before the date does.
    package struct Rank: RawRepresentable, Hashable, Comparable, Sendable {
        package let rawValue: Int64
        package init(rawValue: Int64) { self.rawValue = rawValue }

        /// Files of at least this many bytes come after smaller ones of their kind.
        package static let largeSize: Int64 = 50_000_000

        /// Why an asset is to be sent.
        package enum Origin: Int64, Sendable {
            /// The user named it.
            case named = 0
            /// It appeared while the agent watched.
            case arrival = 1
            /// It was there.
            case backlog = 2
        }

        package init(_ origin: Origin, size: Int64) {
            rawValue = origin.rawValue * 2 + (size >= Self.largeSize ? 1 : 0)
        }

        package var isLarge: Bool { rawValue % 2 == 1 }

        package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }
}

extension Asset.Rank {
    package var origin: Origin { Origin(rawValue: rawValue / 2) ?? .backlog }
    package var isNamed: Bool { origin == .named }
}
