/// A format that `make` can encode.
package enum MadeFormat: Hashable, Sendable {
    case picture(PictureWriter.Format)
    case movie(MovieWriter.Format)

    /// Every format, in the order of the help text.
    package static let all: [MadeFormat] =
        PictureWriter.Format.allCases.map(picture) + MovieWriter.Format.allCases.map(movie)

    /// The format's name, such as `jpeg` or `mp4`.
    package var name: String {
        switch self {
        case .picture(let format): format.rawValue
        case .movie(let format): format.rawValue
        }
    }

    /// The file name's extension, without a dot.
    package var fileExtension: String {
        switch self {
        case .picture(.jpeg): "jpg"
        case .movie(.animatedWebP): "webp"
        default: name
        }
    }

    /// The format with this name or extension; `nil` for an unknown one.
    init?(name: String) {
        guard let format = Self.all.first(where: { $0.name == name || $0.fileExtension == name }) else { return nil }
        self = format
    }
}
