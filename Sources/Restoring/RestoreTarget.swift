import Platform
import Queue
import Supabase
import Sync
import Text
import Uploading

/// What the file of one object has to be, by the server's facts about the object.
struct RestoreTarget: Hashable, Sendable {
    let key: String
    /// `<root>/<path>`, below the directory that is restored to.
    private(set) var place: FilePath
    /// The place that it was to have, if something else has that.
    private(set) var wanted: FilePath?
    /// Why this disk has it at another place than `wanted`.
    private var conflict: RestoreConflict?
    /// Bytes; `nil` where the server does not know.
    let size: Int64?
    let eTag: String?
    let proof: ContentProof
    /// When the file last changed; for an object without our metadata, when the object did.
    let modifiedAt: FileTime?
    /// Whether the object carries our metadata.
    let isOurs: Bool
    /// Whether it is a thumbnail that belongs to another prefix than the one being restored.
    let isThumbnail: Bool
    /// Identifies these bytes of this object: 32 hex digits.
    private let content: String

    /// Throws where the key names no file below a directory.
    ///
    /// - Parameter listed: The size in bytes that the listing showed, used if nothing newer is known.
    init(_ info: ObjectInfo, key: String, prefix: String, listed: Int64? = nil) throws(RestoreRefusal) {
        let metadata = ObjectMetadata(info.metadata).flatMap { $0.isSound ? $0 : nil }
        let place = try RestorePlace(key: key, prefix: prefix, metadata: metadata)
        self.key = key
        (self.place, wanted) = (place.path, place.wanted)
        size = (info.size ?? listed).flatMap { $0 < 0 ? nil : $0 }
        eTag = info.eTag
        proof = ContentProof(metadata, eTag: info.eTag)
        modifiedAt = metadata?.mtime ?? (info.lastModified ?? info.createdAt)?.date.map { FileTime($0) }
        isOurs = metadata != nil
        isThumbnail = metadata.map { RestorePlace.isThumbnailElsewhere(key, $0) } ?? false
        content = Self.content(info, proof)
    }

    /// The object as a listing shows it, for a plan; `nil` if that tells too little.
    ///
    /// It is assumed to carry our metadata, because this program stores no object without.
    init?(listed object: ListedObject, prefix: String) {
        guard let size = object.size, size >= 0, !RestorePlace.mayBeThumbnail(object.key),
            let place = try? RestorePlace(key: object.key, prefix: prefix, metadata: nil), place.source == .key,
            ObjectKey.besideWhich(place.path) == nil
        else { return nil }
        (key, self.place, self.size, eTag) = (object.key, place.path, size, object.eTag)
        (proof, modifiedAt, isOurs, isThumbnail, content) = (.none, nil, true, false, "")
    }

    /// The bytes' own hash; else a hash of all facts that change when the object does.
    private static func content(_ info: ObjectInfo, _ proof: ContentProof) -> String {
        if case .sha256(let digest) = proof { return String(digest.prefix(32)) }
        let facts = [info.id, info.version, info.eTag, info.size.map(String.init), info.lastModified?.rawValue]
        let text = facts.map { $0 ?? "-" }.joined(separator: "\n")
        return String(SHA256.hash(text.utf8).hexadecimal.prefix(32))
    }
}

extension ObjectMetadata {
    /// Whether its SHA-256 is well-formed.
    fileprivate var isSound: Bool {
        sha256.utf8.count == 64 && [UInt8](hexadecimal: sha256) != nil
    }
}

extension RestoreTarget {
    /// What became of the object.
    func file(_ outcome: RestoredFile.Outcome) -> RestoredFile {
        RestoredFile(
            key: key, place: place, size: size ?? 0, modifiedAt: modifiedAt, isProven: isOurs, outcome: outcome,
            wanted: wanted, conflict: conflict)
    }

    /// The same file at another place that `conflict` allows; the same place each time.
    func aside(_ conflict: RestoreConflict) -> RestoreTarget {
        var target = self
        target.wanted = wanted ?? place
        target.conflict = conflict
        switch conflict {
        case .directory, .spelling:
            target.place = RestorePlace.beside(place, content)
        case .name:
            target.place = place.plain ?? place
        case .file(let above):
            let rest = place.components.dropFirst(above.components.count)
            let folder = RestorePlace.named(above, above.name, "--folder".utf8)
            target.place = rest.reduce(folder) { $0.appending($1) }
        }
        return target
    }
}

// MARK: - While it is on its way

extension RestoreTarget {
    /// The part that gathers the bytes: hidden, beside the file, and named after the file and these bytes.
    ///
    /// Another version of the object has another part, so a download can be continued from what a part holds.
    var part: FilePath {
        place.parent.appending(partPrefix + "\(content).part".utf8)
    }

    /// A part whose name contains the file name's unusual characters, and ends alike, to test whether the disk takes
    /// them; `nil` if there are none.
    var trial: FilePath? {
        let (odd, end) = (place.odd, place.oddEnd)
        return odd.isEmpty && end.isEmpty ? nil : place.parent.appending(partPrefix + odd + ".part".utf8 + end)
    }

    /// Whether a file of that name, in the same directory, holds bytes for the same file.
    func isPartOfSameFile(_ name: FilePath) -> Bool { name.bytes.starts(with: partPrefix) }

    private var partPrefix: [UInt8] {
        Array("\(Self.partMark)\(SHA256.hash(place.name).hexadecimal.prefix(16))-".utf8)
    }

    /// How the names of all parts begin.
    private static let partMark = ".restore-"

    /// Bytes of a part's name.
    static let partLength = partMark.utf8.count + 16 + 1 + 32 + 5

    static func isPart(_ name: FilePath) -> Bool {
        name.bytes.starts(with: partMark.utf8)
            && name.bytes.dropLast(name.oddEnd.count).suffix(5).elementsEqual(".part".utf8)
    }

    /// How many of the `held` bytes in the part to continue from; 0 to begin anew.
    ///
    /// Bytes that an earlier run left count only if a hash will tell whether they are right, because after a power cut
    /// a part may hold anything.
    func start(held: Int64, isOwn: Bool) -> Int64 {
        guard let size, held <= size, isOwn || proof != .none else { return 0 }
        return held
    }

    /// Whether `held` bytes are the whole file, so that no download is needed.
    func isWhole(_ held: Int64) -> Bool { held == size }
}

// MARK: - What may be there already

extension RestoreTarget {
    /// What to do about a place, by what is there.
    enum Step: Hashable, Sendable {
        /// Nothing is there.
        case fetch
        /// The content has to be compared.
        case compare
        /// It is the file that was restored from this object before.
        case known
        case refused(String)
        /// A directory has its name.
        case taken
    }

    /// What to do if `facts` describe what is at the place now; `nil` means nothing.
    func step(beside facts: FileFacts?) -> Step {
        guard let facts else { return .fetch }
        switch facts.kind {
        case .directory: return .taken
        case .symlink: return .refused("a symlink has its name")
        case .other: return .refused("something that is no file has its name")
        case .file: break
        }
        if let size, size != facts.size {
            return .refused("a different file is there, with \(facts.size) bytes instead of \(size)")
        }
        if proof != .none { return .compare }
        return isKnown(facts) ? .known : .refused("a file is there, and nothing tells whether it is the same")
    }

    /// What to do with a file at the place that has this digest; never `fetch` or `compare`.
    func step(beside facts: FileFacts, digest: String?) -> Step {
        if proof.agrees(with: digest) { return .known }
        // What looks like an MD5 may not be one, because encrypting servers make up eTags.
        if case .md5 = proof, isKnown(facts) { return .known }
        return .refused("a different file is there")
    }

    /// Whether the file has the size and the time that a restore gives it.
    private func isKnown(_ facts: FileFacts) -> Bool {
        facts.size == size && facts.modifiedAt == modifiedAt
    }

    /// The time to give to a file that is there, if it differs; only our metadata has the file's own time.
    func time(insteadOf time: FileTime) -> FileTime? {
        isOurs && modifiedAt != time ? modifiedAt : nil
    }
}

// MARK: - What arrived

extension RestoreTarget {
    /// How the gathered bytes compare with the object.
    enum Finding: Hashable, Sendable {
        case right
        /// No hash contradicts the bytes, and none proves them.
        case unproven
        /// There are too few bytes; those that are there may be right.
        case short
        case wrong
    }

    /// Judges `size` bytes with that digest; `isWhole` when all of them came in one answer.
    func finding(size held: Int64, digest: String?, isWhole: Bool) -> Finding {
        if let size, held < size { return .short }
        if let size, held > size { return .wrong }
        if proof.agrees(with: digest) { return .right }
        switch proof {
        case .sha256: return .wrong
        case .md5: return isWhole ? .unproven : .wrong
        case .none: return .unproven
        }
    }
}
