package import Catalog
package import MediaModel
import Supabase
import Text

/// What a gallery holds, as far as the limits of a bucket are concerned.
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

    /// What `library` knows, and pictures as they are made; `nil` where none are.
    package init(of library: Library, pictures format: ThumbnailFormat?) async throws {
        var types = try await library.contentTypes()
        if let format, !types.isEmpty { types[format.type.rawValue, default: 0] += 0 }
        self.init(types: types, largest: try await library.largestSize())
    }

    /// Whether `bucket` takes every kind and size that is here; nothing while the gallery is empty.
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
