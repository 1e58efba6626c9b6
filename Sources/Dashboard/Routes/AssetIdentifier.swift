import Formats
import Queue
import Serving

/// An asset in the page's API: text that is safe in a URL's path, and the same for as long as the file keeps its name.
struct AssetIdentifier: Hashable, Sendable {
    let place: Asset.Place

    init(_ place: Asset.Place) {
        self.place = place
    }

    /// The asset that `text` identifies; `nil` for any other text.
    init?(_ text: some StringProtocol) {
        guard let bytes = Base64URL.decode(text), let dot = bytes.firstIndex(of: UInt8(ascii: ".")),
            let directory = Int64(digits: String(decoding: bytes[..<dot], as: UTF8.self))
        else { return nil }
        let name = Array(bytes[(dot + 1)...])
        guard !name.isEmpty else { return nil }
        place = Asset.Place(directory: directory, name: name)
    }

    var text: String { Base64URL.encode(Array("\(place.directory).".utf8) + place.name) }
}
