package import Platform

/// One media file below a root, as the library knows it.
package struct Asset: Hashable, Sendable {
    /// The asset's row in the library.
    package let place: Place
    /// The name of the root it lies below.
    package let root: String
    /// The path below that root.
    package let path: FilePath
    /// Bytes.
    package let size: Int64
    /// The file's modification time, as the scan saw it.
    package let modifiedAt: FileTime
    /// What became of it so far.
    package let state: State
    /// The content's SHA-256, 64 lowercase hex digits; `nil` until it was read.
    package let sha256: String?
    /// Its place in the order of uploads, before the date counts.
    package let rank: Rank
    /// When the user asked for identical bytes to be sent again; fulfilled by a receipt made since then.
    package let forcedAt: FileTime?

    /// An asset as the library read it from its row.
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
    /// An asset's row in the library: its directory's row, and its name in there.
    package struct Place: Hashable, Sendable {
        /// The row of the directory.
        package let directory: Int64
        /// The file's name, byte for byte.
        package let name: [UInt8]

        /// The place of the file `name` in the directory with that row.
        package init(directory: Int64, name: [UInt8]) {
            self.directory = directory
            self.name = name
        }
    }

    /// What became of it; an asset is in exactly one state, so the report's sums add up.
    ///
    /// The numbers are stored: never reuse one.
    package enum State: Int64, Sendable, CaseIterable {
        /// Found or changed, but not read yet.
        case seen = 0
        /// Being read; becomes `seen` again at start.
        case identifying = 1
        /// One of its items is open.
        case queued = 2
        /// Its receipt exists.
        case stored = 3
        /// Its item failed.
        case failed = 4
        /// It could not be opened or read.
        case unreadable = 5
        /// Known and with thumbnails, but its root is uploaded on request only.
        case indexed = 6
        /// Deleted before it was stored.
        case gone = 7
        /// Deleted after it was stored; the object stays.
        case remoteOnly = 8
        /// Cancelled by the user, and remembered.
        case excluded = 9
        /// Neither its bytes nor its name indicate media.
        case ignored = 10
        /// Its content changed together with too many others; the brake holds it back.
        case held = 11
    }

    /// The part of the upload order that counts before the date.
    package struct Rank: RawRepresentable, Hashable, Comparable, Sendable {
        /// Twice the origin's number, plus 1 for large files; smaller values go first.
        package let rawValue: Int64
        /// A rank read back from the library, taken as it is.
        package init(rawValue: Int64) { self.rawValue = rawValue }

        /// Files of at least this many bytes come after smaller ones of their kind.
        package static let largeSize: Int64 = 50_000_000

        /// Why an asset is to be sent.
        package enum Origin: Int64, Sendable {
            /// The user named it.
            case named = 0
            /// It appeared while the agent watched.
            case arrival = 1
            /// It existed before the agent watched.
            case backlog = 2
        }

        /// The rank of a file of `size` bytes.
        package init(_ origin: Origin, size: Int64) {
            rawValue = origin.rawValue * 2 + (size >= Self.largeSize ? 1 : 0)
        }

        /// Whether the file has at least `largeSize` bytes.
        package var isLarge: Bool { rawValue % 2 == 1 }

        /// Orders by `rawValue`: what goes first is less.
        package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }
}

extension Asset.Rank {
    /// Why the asset is to be sent; `backlog` for a number that is not known.
    package var origin: Origin { Origin(rawValue: rawValue / 2) ?? .backlog }
    /// Whether the user named it.
    package var isNamed: Bool { origin == .named }
}
