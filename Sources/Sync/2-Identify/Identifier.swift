import Catalog
import MediaModel
package import Platform
package import Queue
package import Records
package import Roots
import Synchronization

/// How identifying a file ended.
package enum Identification: Sendable {
    case media(IdentifiedAsset)
    /// It is no media file, or only its name says that it is one, and a rule calls that name doubtful.
    case ignored(reason: String)
    /// It is not there any more.
    case gone
    /// It changed since it was seen, or while it was read.
    case changed(FileFacts)
    case unreadable(Item.Failure)
    /// The disk it lies on is not there.
    case away(SystemError)
}

/// Stage 2: kind from the first bytes, SHA-256 of the content.
package struct Identifier: Sendable {
    /// Bytes hashed between two checks for cancellation.
    private static let piece: Int64 = 64 << 20
    /// Bytes that are read and hashed in one step.
    private static let smallSize: Int64 = 1 << 20

    /// The note for a file whose time is the first or last that can be kept.
    static let boundTime =
        "Its time is not between 1677 and 2262 and cannot be kept: what is restored gets the nearest that can"

    /// Opens a source.
    private let open: @Sendable (Root, FilePath) throws(SystemError) -> OpenFile

    /// An identifier that opens files with `open`; by default below their root, following no symlink.
    package init(
        open: @escaping @Sendable (Root, FilePath) throws(SystemError) -> OpenFile = {
            (root, path) throws(SystemError) in try root.open(path)
        }
    ) {
        self.open = open
    }

    /// Reads the file of `asset` below `root`; throws only `CancellationError`.
    package func identify(_ asset: Asset, in root: Root) async throws -> Identification {
        do {
            switch try await Blocking.run({ () throws(SystemError) in try begin(asset, in: root) }) {
            case .ended(let identification): return identification
            case .large(let file, let identity):
                return try ending(of: asset, identity, try await hash(file, size: asset.size), file)
            }
        } catch let error as SystemError {
            if error.isDiskAway { return .away(error) }
            return error.isMissing ? .gone : .unreadable(Item.Failure(error))
        }
    }

    private enum Beginning {
        case ended(Identification)
        case large(OpenFile, MediaIdentity)
    }

    /// Does all that a small file needs, and for a large one all but the hash.
    ///
    /// Blocks.
    private func begin(_ asset: Asset, in root: Root) throws(SystemError) -> Beginning {
        let file = try open(root, asset.path)
        let facts = try file.facts()
        // What has taken the name of a file is not the file: a folder, say.
        guard facts.kind == .file else { return .ended(.gone) }
        guard asset.describes(facts) else { return .ended(.changed(facts)) }
        let header = try file.read(at: 0, upTo: MediaIdentity.headerLength)
        let sound = root.takesSound ? SoundFormat(header: header).map { MediaIdentity($0) } : nil
        let media = MediaIdentity(header: header, fileExtension: asset.path.fileExtension)
        guard let identity = media ?? sound else {
            return .ended(.ignored(reason: root.rules.doubt(about: asset.path.name) ?? Asset.noMedia))
        }
        // A doubtful name alone does not make a file part of the gallery; its bytes must, too.
        if !identity.isCertain, let doubt = root.rules.doubt(about: asset.path.name) {
            return .ended(.ignored(reason: doubt))
        }
        guard asset.size <= Self.smallSize else { return .large(file, identity) }
        let digest = SHA256()
        try digest.update(file: file, count: asset.size)
        return .ended(try ending(of: asset, identity, digest.finish().hexadecimal, file))
    }

    private func ending(
        of asset: Asset, _ identity: MediaIdentity, _ sha256: String, _ file: OpenFile
    ) throws(SystemError) -> Identification {
        let after = try file.facts()
        guard asset.describes(after) else { return .changed(after) }
        let noted = identity.noting(asset.modifiedAt.isBound ? Self.boundTime : nil)
        return .media(IdentifiedAsset(asset: asset, identity: noted, sha256: sha256, file: file))
    }

    private func hash(_ file: OpenFile, size: Int64) async throws -> String {
        let digest = Mutex(SHA256())
        var offset: Int64 = 0
        repeat {
            try Task.checkCancellation()
            let start = offset
            let read = try await Blocking.run { () throws(SystemError) -> Int64 in
                let result = digest.withLock { digest in
                    Result { () throws(SystemError) in
                        try digest.update(file: file, from: start, count: Self.piece)
                    }
                }
                if size > Asset.Rank.largeSize { file.adviseDone(at: start, count: Self.piece) }
                return try result.get()
            }
            guard read > 0 else { break }
            offset += read
        } while offset < size
        return digest.withLock { $0.finish() }.hexadecimal
    }
}

extension Asset {
    /// Whether `facts` show the size and the time that the library knows.
    package func describes(_ facts: FileFacts) -> Bool {
        size == facts.size && modifiedAt == facts.modifiedAt
    }
}
