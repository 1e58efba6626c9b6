package import FoundationEssentials

/// A file that a provider holds for a while: where it is and what is said about it.
package struct RemoteMedia: Hashable, Sendable {
    /// What the file is said to be; its bytes decide later.
    package enum Kind: String, Hashable, Codable, Sendable {
        case video, image, audio, unknown
    }

    /// The link to the file; its query may be a secret signature.
    package var url: String
    /// What the file is said to be.
    package var kind: Kind
    /// The file's name at the provider; `nil` where none was given.
    package var fileName: String?
    /// The media type as the provider wrote it, such as `video/mp4`; `nil` where none was given.
    package var contentType: String?
    /// Bytes.
    package var size: Int64?
    /// Pixels; `nil` where not stated.
    var width: Int?
    /// Pixels; `nil` where not stated.
    var height: Int?
    /// Seconds.
    package var duration: Double?
    /// Frames per second; `nil` where not stated.
    var fps: Double?
    /// Whether there is a sound track; `nil` where not stated.
    var hasAudio: Bool?
    /// When the link ends; `nil` where neither the link, the answer nor the documentation says so.
    package var deadline: Deadline?
    /// Whether the download must show the account's key, which only the provider's own host gets to see.
    package var needsAccount = false

    /// A file of which only the link and its kind are known so far.
    package init(_ url: String, _ kind: Kind, deadline: Deadline? = nil, needsAccount: Bool = false) {
        self.url = url
        self.kind = kind
        self.deadline = deadline
        self.needsAccount = needsAccount
    }

    /// A file that stands in the provider's answer itself: there is no link, only its number there, from 0.
    init(inline number: Int) {
        self.init("inline:\(number)", .unknown)
    }

    /// The number of a file that stands in the provider's answer, from what is in the place of its link.
    package static func inlineNumber(_ link: String) -> Int? {
        link.hasPrefix("inline:") ? Int(link.dropFirst("inline:".count)) : nil
    }

    /// What makes two links one file: the address without what signs it.
    package var identity: String { WebAddress(url)?.identity ?? url }

    /// The unified result for this file.
    package func result(by provider: ProviderName, createdAt: Date?) -> VideoResult {
        VideoResult(
            provider: provider, videoURL: url, duration: duration, fps: fps, width: width, height: height,
            hasAudio: hasAudio, createdAt: createdAt)
    }
}

extension RemoteMedia.Kind {
    /// The kind a content type such as `video/mp4` names.
    init?(contentType: String) {
        guard let kind = Self(rawValue: contentType.prefix { $0 != "/" }.lowercased()), kind != .unknown else {
            return nil
        }
        self = kind
    }

    /// The kind a file name's extension, without its dot, stands for.
    package init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "mp4", "m4v", "mov", "webm", "mkv", "mpeg", "mpg", "avi": self = .video
        case "png", "jpg", "jpeg", "webp", "gif", "avif", "heic": self = .image
        case "mp3", "wav", "m4a", "aac", "ogg", "opus", "flac": self = .audio
        default: return nil
        }
    }

    /// The kind a field's name hints at, such as `thumbnail_url`.
    init?(fieldName: String) {
        let name = fieldName.lowercased()
        if ["thumbnail", "image", "spritesheet", "cover", "poster"].contains(where: name.contains) {
            self = .image
        } else if ["audio", "music", "speech"].contains(where: name.contains) {
            self = .audio
        } else if name.contains("video") {
            self = .video
        } else {
            return nil
        }
    }
}
