package import Queue

// What is written down in words of assets, and recognised by later versions.
extension Asset {
    /// The reason for leaving out a file that no rule names.
    package static let noMedia = "neither its bytes nor its name say media"

    /// The note of a file of which no picture could be made, for `reason`.
    package static func noThumbnail(_ reason: String) -> String { "No thumbnail: \(reason)" }
}
