/// What an asset is to the user.
package enum MediaKind: String, Codable, CaseIterable, Sendable {
    /// One picture; an animated GIF or WebP is one too.
    case photo
    case video
    /// A container with sound only; told apart from video by its bytes or by probing.
    case audio
    /// An editor's metadata for the photo or video beside it; it gets no thumbnail.
    case sidecar
}
