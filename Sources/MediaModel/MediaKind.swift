/// What an asset is to people.
package enum MediaKind: String, Codable, CaseIterable, Sendable {
    /// One picture; an animated GIF or WebP is one too.
    case photo
    case video
    /// A container without moving pictures; told apart from video by its bytes or by probing.
    case audio
    /// What an editor noted about a photo or video beside it; no picture is made of it.
    case sidecar
}
