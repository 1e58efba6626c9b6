import Catalog
import Gallery
import Platform
import Queue

/// Many small files that look like photos, a hundred per directory, each a second newer than the one before.
struct GalleryFiles: Sendable {
    let folder: FilePath
    let count: Int

    /// Writes all files.
    func write() throws {
        for number in 0..<count {
            let path = folder.appending(Self.path(number))
            if number.isMultiple(of: 100) { try Directory.create(at: path.parent) }
            let file = try OpenFile(creating: path)
            try file.write(Self.content(number), at: 0)
            try file.setModified(FileTime(nanoseconds: (1_577_836_800 + Int64(number)) * 1_000_000_000))
        }
    }

    /// The path below the folder.
    static func path(_ number: Int) -> FilePath {
        FilePath("\(number / 10_000)/\(number / 100 % 100)/IMG_\(1_000_000 + number).jpg")
    }

    /// Content that begins as a JPEG does, different for each file.
    static func content(_ number: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0] + Array("This is file \(number) of a gallery made to be measured.".utf8)
    }

    /// Whether the newest hundred files are stored, by the library on disk.
    func areNewestStored(in library: FilePath) async throws -> Bool {
        let root = String(decoding: folder.name, as: UTF8.self)
        do {
            let library = try Library(path: library, isReadOnly: true)
            for number in (max(0, count - 100)..<count) {
                guard try await library.asset(root: root, path: Self.path(number))?.state == .stored else {
                    return false
                }
            }
            return true
        } catch {
            // The agent has not created the library yet, or is creating it.
            return false
        }
    }
}
