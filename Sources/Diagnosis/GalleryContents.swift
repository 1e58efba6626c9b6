package import Catalog
package import MediaModel
import Supabase
import Text

/// The contents of a gallery, as far as a bucket's limits concern them.
package struct GalleryContents: Hashable, Sendable {
    /// How many files have each content type, pictures included.
    let types: [String: Int]
    /// Bytes of the largest file.
    let largest: Int64

    /// Contents with these types and this largest file.
    package init(types: [String: Int], largest: Int64) {
        self.types = types
        self.largest = largest
    }

    /// The contents that `library` knows, with pictures in that format; `nil` if none are made.
    package init(of library: Library, pictures format: ThumbnailFormat?) async throws {
        var types = try await library.contentTypes()
        if let format, !types.isEmpty { types[format.type.rawValue, default: 0] += 0 }
        self.init(types: types, largest: try await library.largestSize())
    }

    /// Whether `bucket` accepts every content type and size in the gallery; empty while the gallery is.
    func findings(_ bucket: Bucket) -> [Finding] {
        guard !types.isEmpty else { return [] }
        return [kinds(bucket), size(bucket)]
    }

    private func kinds(_ bucket: Bucket) -> Finding {
        guard let allowed = bucket.allowedTypes, !allowed.isEmpty else {
            return .fine("kinds", "the bucket takes every kind of file")
        }
        let refused = types.keys.sorted().filter { !bucket.takes($0) }
        let list = allowed.joined(separator: ", ")
        guard !refused.isEmpty else { return .fine("kinds", "the bucket takes \(list), which is all that is here") }
        return .wrong(
            "kinds",
            "the bucket takes only \(list), not \(refused.joined(separator: ", ")), which is here. Let it take them in the "
                + "dashboard, then run \"gallery-sync sync\".")
    }

    private func size(_ bucket: Bucket) -> Finding {
        let mine = Quantity.text(bytes: largest)
        guard let limit = bucket.fileSizeLimit, limit < largest else {
            return .fine("size limit", "the largest file, \(mine), is within the bucket's limit")
        }
        return .wrong(
            "size limit",
            "the largest file has \(mine), and the bucket takes files up to \(Quantity.text(bytes: limit)). Raise its limit "
                + "in the dashboard, then run \"gallery-sync sync\".")
    }
}
