/// What a file is, decided by its first bytes and then by its name.
package struct MediaIdentity: Hashable, Sendable {
    package let type: MediaType
    /// A sentence for people where name and bytes disagree; the bytes decided, or nothing could.
    package let note: String?
    /// Whether the bytes say so; otherwise the name alone does, and no decoder will make anything of it.
    package let isCertain: Bool

    package var kind: MediaKind { type.kind }

    /// Bytes of a file's start that suffice for every signature.
    package static let headerLength = 4096

    /// Identifies a file by its first `headerLength` bytes (fewer if it is shorter) and its extension.
    ///
    /// `nil` when neither says media. The bytes decide; within one container (a TIFF that is a NEF) the extension
    /// says the more particular thing. Bytes that say nothing leave the word to an extension that only media have.
    ///
    /// - Parameter fileExtension: With or without its dot, in any case.
    package init?(header: [UInt8], fileExtension: [UInt8]) {
        let claim = Self.claim(of: fileExtension)
        let bytes = HeaderBytes(header)
        guard let found = Signature.all.firstType(of: bytes) else {
            guard let claim, claim.isCertain else { return nil }
            let isCertain = Signature.weak.firstType(of: bytes) == claim.type
            let note = isCertain ? nil : Self.unrecognized(claim.type, isEmpty: bytes.isEmpty)
            self.init(type: claim.type, note: note, isCertain: isCertain)
            return
        }
        switch claim?.type {
        case nil, found:
            self.init(type: found, note: nil)
        case .some(let claimed) where claimed.isSibling(of: found):
            self.init(type: found.leavesDetail(to: claimed) ? claimed : found, note: nil)
        case .some(let claimed):
            self.init(type: found, note: "Named like \(claimed.name), but it is \(found.name)")
        }
    }

    /// A sound file that galleries leave aside, where it is wanted all the same.
    package init(_ sound: SoundFormat) {
        self.init(type: MediaType(rawValue: sound.contentType), note: nil)
    }

    private init(type: MediaType, note: String?, isCertain: Bool = true) {
        self.type = type
        self.note = note
        self.isCertain = isCertain
    }

    private static func unrecognized(_ claimed: MediaType, isEmpty: Bool) -> String {
        isEmpty ? "The file is empty" : "Named like \(claimed.name), but its bytes are not"
    }

    private static func claim(of fileExtension: [UInt8]) -> (type: MediaType, isCertain: Bool)? {
        let name = fileExtension.first == UInt8(ascii: ".") ? Array(fileExtension.dropFirst()) : fileExtension
        guard let text = String(validating: name, as: UTF8.self) else { return nil }
        return MediaFormat.byExtension[text.lowercased()]
    }
}

extension [Signature] {
    fileprivate func firstType(of bytes: HeaderBytes) -> MediaType? {
        lazy.compactMap { $0.recognize(bytes) }.first
    }
}

extension MediaType {
    /// Whether these bytes only name the container, so that a sibling's extension may say more.
    fileprivate func leavesDetail(to sibling: MediaType) -> Bool {
        (self == .tiff && sibling != .rw2 && sibling != .orf) || (self == .mp4 && sibling == .m4v)
    }
}
