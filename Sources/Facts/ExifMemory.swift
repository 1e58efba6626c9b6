import CExif
import Glibc
import Synchronization

/// The memory of libexif, which silently skips what it cannot hold, so that a picture would get another date.
package enum ExifMemory {
    /// Whether an allocation failed while one file was read.
    private final class Refusal: Sendable {
        let happened = Atomic(false)
    }

    @TaskLocal private static var refusal: Refusal?

    /// Runs `body`, which reads one file on one thread; `isExhausted` is about that file only.
    package static func ofOneFile<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
        try $refusal.withValue(Refusal(), operation: body)
    }

    /// Whether an allocation has failed for the file; never outside of `ofOneFile`.
    package static var isExhausted: Bool { refusal?.happened.load(ordering: .relaxed) ?? false }

    /// An empty block, which the caller frees; `nil` if there is no memory for it.
    static func emptyBlock() -> UnsafeMutablePointer<ExifData>? {
        // libexif expects zeroes.
        let memory = exif_mem_new(
            { ExifMemory.noted(calloc(1, Int($0)), for: $0) }, { ExifMemory.noted(realloc($0, Int($1)), for: $1) },
            { free($0) })
        defer { exif_mem_unref(memory) }
        let block = memory.flatMap { exif_data_new_mem($0) }
        if block == nil { noteRefusal() }
        return block
    }

    private static func noted(_ memory: UnsafeMutableRawPointer?, for count: ExifLong) -> UnsafeMutableRawPointer? {
        if memory == nil, count > 0 { noteRefusal() }
        return memory
    }

    private static func noteRefusal() { refusal?.happened.store(true, ordering: .relaxed) }
}
