/// What a file is, decided by its first bytes and then by its name.
package struct MediaIdentity: Hashable, Sendable {
    /// The content type, after weighing the bytes against the extension.
    package let type: MediaType
    /// A sentence for the user if name and bytes disagree; `nil` if they agree.
    package let note: String?
    /// Whether the bytes confirm the type; otherwise only the name does, and no decoder will read the file.
    package let isCertain: Bool

    /// Photo, video, audio or sidecar, by the type.
    package var kind: MediaKind { type.kind }

    /// The number of bytes at a file's start that suffice for every signature.
    package static let headerLength = 4096

    /// Grows with the formats that are known and the files that decoders open, so that what was no media before is looked
    /// at again, and pictures that could not be made are tried again.
    package static let generation = 4

    /// Identifies a file by its first `headerLength` bytes (fewer if it is shorter) and its extension.
    ///
    /// `nil` when neither indicates media. The bytes decide; within one container (a TIFF that is a NEF) the
    /// extension is more specific. If the bytes match no signature, an extension decides that only media use, or one
    /// that is otherwise used by source text only, if the bytes are not text.
    ///
    /// - Parameter fileExtension: With or without its dot, in any case.
    package init?(header: [UInt8], fileExtension: [UInt8]) {
        let claim = Self.claim(of: fileExtension)
        let bytes = HeaderBytes(header)
        guard let found = Signature.all.firstType(of: bytes) else {
            guard let claim else { return nil }
            let type = claim.format.type
            // A weak signature is no proof: an icon may look like a Targa.
            let isCertain = Signature.weak.contains { $0.recognize(bytes) == type }
            guard isCertain || claim.claim.suffices(for: bytes) else { return nil }
            self.init(type: type, note: isCertain ? nil : Self.doubt(type, of: bytes), isCertain: isCertain)
            return
        }
        switch claim?.format.type {
        case nil, found:
            self.init(type: found, note: nil)
        case .some(let claimed) where claimed.isSibling(of: found):
            self.init(type: found.leavesDetail(to: claimed) ? claimed : found, note: nil)
        case .some(let claimed):
            self.init(type: found, note: "Named like \(claimed.name), but it is \(found.name)")
        }
    }

    /// A sound file, which a scan ignores but a rescue keeps.
    package init(_ sound: SoundFormat) {
        self.init(type: MediaType(rawValue: sound.contentType), note: nil)
    }

    /// The same identity, with `note` unless it has one.
    package func noting(_ note: String?) -> MediaIdentity {
        MediaIdentity(type: type, note: self.note ?? note, isCertain: isCertain)
    }

    private init(type: MediaType, note: String?, isCertain: Bool = true) {
        self.type = type
        self.note = note
        self.isCertain = isCertain
    }

    /// The note if the bytes do not show the type that the name claims; `nil` if no bytes could.
    private static func doubt(_ claimed: MediaType, of bytes: HeaderBytes) -> String? {
        if bytes.isEmpty { return "The file is empty" }
        return claimed.isMarked ? "Named like \(claimed.name), but its bytes are not" : nil
    }

    private static func claim(of fileExtension: [UInt8]) -> (format: MediaFormat, claim: MediaFormat.Claim)? {
        let name = fileExtension.first == UInt8(ascii: ".") ? Array(fileExtension.dropFirst()) : fileExtension
        guard let text = String(validating: name, as: UTF8.self) else { return nil }
        return MediaFormat.byExtension[text.lowercased()]
    }
}

extension MediaType {
    /// What a file is whose content is known as `kept`: of empty files, which all have the same, their names tell.
    package init(kept: String, size: Int64, fileExtension: [UInt8]) {
        let claimed = size == 0 ? MediaIdentity(header: [], fileExtension: fileExtension)?.type : nil
        self = claimed ?? MediaType(rawValue: kept)
    }
}

extension [Signature] {
    fileprivate func firstType(of bytes: HeaderBytes) -> MediaType? {
        lazy.compactMap { $0.recognize(bytes) }.first
    }
}

extension MediaType {
    /// Whether the bytes only show the container, so that a sibling's extension is more specific.
    fileprivate func leavesDetail(to sibling: MediaType) -> Bool {
        (self == .tiff && sibling != .rw2 && sibling != .orf) || (self == .mp4 && sibling == .m4v)
    }
}
