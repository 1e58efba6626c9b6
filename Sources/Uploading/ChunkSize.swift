import Supabase

/// How many bytes the next piece of an upload has: few at first, more while the connection is fast.
///
/// Always a multiple of the size that every store takes whole (contract 4.8). A piece that took under two
/// seconds doubles the next, one that took over eight halves it; after a break the size is small again.
struct ChunkSize: Hashable, Sendable {
    private(set) var bytes = ResumableUpload.chunkSize

    /// The largest size that was not refused.
    private var most = Self.largest

    /// Sixteen pieces of the smallest size; a proxy's limit of 100 MB stays out of reach.
    static let largest = 16 * ResumableUpload.chunkSize

    /// Counts a piece of full size that was taken within `time`.
    mutating func took(_ time: Duration) {
        if time < .seconds(2) {
            bytes = min(most, bytes * 2)
        } else if time > .seconds(8) {
            bytes = max(ResumableUpload.chunkSize, bytes / 2)
        }
    }

    /// A proxy refused a piece of this size: back to the smallest for good; `false` if it was the smallest already.
    mutating func refused() -> Bool {
        guard bytes > ResumableUpload.chunkSize else { return false }
        bytes = ResumableUpload.chunkSize
        most = bytes
        return true
    }
}
