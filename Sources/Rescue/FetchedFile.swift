import Cleansing
import MediaModel
import Platform
import Providers
import Queue
import Sync

/// What a downloaded file turned out to be; pure logic.
struct FetchedFile: Hashable, Sendable {
    let contentType: String
    /// Includes the leading dot; empty where the type has no usual extension.
    let fileExtension: String
    /// `nil` where no worker could examine the file.
    let facts: MediaFacts?

    /// Judges a downloaded file by its first bytes and by what a worker found in it.
    ///
    /// Throws a failure that names what came instead of the `expected` kind.
    init(
        header: [UInt8], extent: MovieExtent, size: Int64, outcome: MediaOutcome?, expected: RemoteMedia.Kind
    ) throws(Item.Failure) {
        guard size > 0 else { throw Self.wrong("The file came empty") }
        guard let identity = MediaIdentity(header: header, fileExtension: []), identity.isCertain else {
            if let sound = SoundFormat(header: header), expected != .video, expected != .image {
                (contentType, fileExtension, facts) = (sound.contentType, sound.fileExtension, nil)
                return
            }
            throw Self.wrong("Instead of \(Self.name(expected)), \(Self.description(of: header)) came")
        }
        if case .cut(let needed) = extent {
            throw DownloadStep.failure(
                .rescue(.truncated), "The file is cut off: \(size) bytes came, it speaks of \(needed)",
                isRetryable: true
            )
        }
        var kind = identity.kind
        switch outcome {
        case .examined(let facts, _)?:
            self.facts = facts
            kind = facts.kind
        case .failed(let words)?:
            throw Self.wrong("The file cannot be opened as \(identity.type.rawValue): \(words)")
        // A file that makes the decoder fail may still be right, because its first bytes and its extent are valid.
        case .killed?, .crashed?, .timedOut?, .outOfMemory?, .unavailable?, nil: facts = nil
        }
        guard Self.fits(kind, expected) else {
            throw Self.wrong("Instead of \(Self.name(expected)), \(identity.type.rawValue) came")
        }
        contentType = identity.type.rawValue
        fileExtension = identity.type.fileExtension.map { "." + $0 } ?? ""
    }

    private static func fits(_ kind: MediaKind, _ expected: RemoteMedia.Kind) -> Bool {
        switch expected {
        case .video: kind == .video
        case .image: kind == .photo
        case .audio: kind == .audio || kind == .video
        case .unknown: kind != .sidecar
        }
    }

    private static func wrong(_ words: String) -> Item.Failure {
        DownloadStep.failure(.rescue(.notVideo), words, isRetryable: true)
    }

    private static func name(_ kind: RemoteMedia.Kind) -> String {
        switch kind {
        case .video: "a video"
        case .image: "a picture"
        case .audio: "sound"
        case .unknown: "a video, picture or sound"
        }
    }

    /// Describes bytes that are no media, with the beginning of their text if they are text.
    private static func description(of header: [UInt8]) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
        var start = header.drop { isSpace($0) || [0xef, 0xbb, 0xbf].contains($0) }.prefix(400)
        while start.last.map(isSpace) == true { start.removeLast() }
        let text = String(decoding: start, as: UTF8.self)
        let lower = text.lowercased()
        let kind =
            if lower.hasPrefix("<!doctype html") || lower.hasPrefix("<html") {
                "HTML"
            } else if lower.hasPrefix("<?xml") || lower.hasPrefix("<error") {
                "XML"
            } else if text.hasPrefix("{") || text.hasPrefix("[") {
                "JSON"
            } else if start.allSatisfy({ $0 >= 0x20 || (0x09...0x0d).contains($0) }) {
                "text"
            } else {
                "no known format"
            }
        guard kind != "no known format" else { return kind }
        return "\(kind) (\(Cleanser().text(text, limit: 80)))"
    }
}
