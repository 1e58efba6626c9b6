import CPage

/// A file of the gallery page, which is part of the program.
package struct PageFile: Hashable, Sendable {
    /// Its name in `Sources/Dashboard/Page`, such as `index.html`.
    package let name: String
    /// Its bytes.
    package let bytes: [UInt8]
}

extension PageFile {
    /// Every file of the page.
    package static let all: [PageFile] = (0..<cpage_count()).map { index in
        let file = cpage_file(index)
        let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
        return PageFile(name: String(cString: file.name), bytes: Array(bytes))
    }
}
