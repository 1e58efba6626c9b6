import CExif
import Glibc

/// The memory of libexif, which leaves out what it cannot hold without a word: a picture would have another date.
package enum ExifMemory {
    /// Whether an allocation has failed since `clear()`; the worker examines one file at a time.
    nonisolated(unsafe) package private(set) static var isExhausted = false

    /// Before another file.
    package static func clear() { isExhausted = false }

    /// A block without content, which the caller frees; `nil` where there is no memory for it.
    static func emptyBlock() -> UnsafeMutablePointer<ExifData>? {
        // libexif expects zeroes.
        let memory = exif_mem_new(
            { ExifMemory.noted(calloc(1, Int($0)), for: $0) }, { ExifMemory.noted(realloc($0, Int($1)), for: $1) },
            { free($0) })
        defer { exif_mem_unref(memory) }
        let block = memory.flatMap { exif_data_new_mem($0) }
        if block == nil { isExhausted = true }
        return block
    }

    private static func noted(_ memory: UnsafeMutableRawPointer?, for count: ExifLong) -> UnsafeMutableRawPointer? {
        if memory == nil, count > 0 { isExhausted = true }
        return memory
    }
}
