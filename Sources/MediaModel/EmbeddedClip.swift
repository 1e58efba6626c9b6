/// The place of a video within the file of a photo: a whole movie file, which players take as it is.
package struct EmbeddedClip: Codable, Hashable, Sendable {
    /// Bytes from the start of the photo's file.
    package var offset: Int
    /// Bytes.
    package var length: Int

    /// The bytes from `offset` on; both lie within the file.
    package init(offset: Int, length: Int) {
        self.offset = offset
        self.length = length
    }
}
