/// A named part of a video or of sound.
package struct Chapter: Codable, Hashable, Sendable {
    /// Seconds from the start of the file.
    package var start: Double
    /// The name as the file states it; `nil` for one without a name.
    package var title: String?

    /// A chapter that lasts until the next one.
    package init(start: Double, title: String?) {
        self.start = start
        self.title = title
    }
}
