package import Foundation
package import Platform
package import Queue

/// Items for several suites.
package enum Items {
    package static let now = Date(timeIntervalSince1970: 1_795_168_800)  // 2026-11-20 10:00 UTC

    package static let busy = Item.Failure(code: "http.503", message: "busy", retryable: true)
    package static let tooLarge = Item.Failure(code: "storage.EntityTooLarge", message: "too large", retryable: false)
    package static let resume = Item.Resume(uploadID: "u1", createdAt: now - 60, offset: 6_291_456)

    /// A pending item, hashed by `content`, else by its path; `age` is that of its file in seconds.
    package static func pending(
        _ path: FilePath = "2026/IMG_1.jpg", content: UInt8? = nil, size: Int64 = 1_000, age: Int64 = 3_600,
        made: Date = now - 600, role: Item.Role = .original
    ) -> Item {
        Item(
            root: "Pictures", path: path, role: role, contentType: "image/jpeg", size: size,
            sha256: content.map { String(repeating: String(format: "%02x", $0), count: 32) }
                ?? SHA256.hash(path.bytes).hexadecimal,
            modifiedAt: FileTime(nanoseconds: (1_795_168_800 - age) * 1_000_000_000), bucket: "media",
            objectKey: ObjectKey(root: "Pictures", path: path), now: made)
    }

    /// `item`, changed.
    package static func with(_ item: Item = pending(), _ change: (inout Item) -> Void) -> Item {
        var item = item
        change(&item)
        return item
    }
}
