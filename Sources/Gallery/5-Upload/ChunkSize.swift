import Supabase

/// How many bytes the next piece of an upload has: small at first, larger while the line takes them quickly.
///
/// Always a multiple of the size that every store takes whole (contract 4.8). A piece that took under two
/// seconds doubles the next, one that took over eight halves it; a break begins small again.
struct ChunkSize: Hashable, Sendable {
    private(set) var bytes = ResumableUpload.chunkSize

    /// Sixteen pieces of the smallest size; a proxy's limit of 100 MB stays out of reach.
    static let largest = 16 * ResumableUpload.chunkSize

    /// Counts a piece of full size that was taken within `time`.
    mutating func took(_ time: Duration) {
        if time < .seconds(2) {
            bytes = min(Self.largest, bytes * 2)
        } else if time > .seconds(8) {
            bytes = max(ResumableUpload.chunkSize, bytes / 2)
        }
    }
}
