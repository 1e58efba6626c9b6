import Formats
import Platform
import Synchronization

/// An eTag of an object that was stored in parts: the MD5 of its parts' MD5s, then how many parts there are.
package struct MultipartTag: Hashable, Sendable {
    let hexadecimal: String
    let parts: Int

    /// Reads it from a server's answer; `nil` where the eTag is of another kind.
    package init?(_ eTag: String?) {
        let halves = ETag(eTag)?.text.split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard halves.count == 2, halves[0].utf8.count == 32, [UInt8](hexadecimal: String(halves[0])) != nil,
            let count = Int(digits: halves[1]), (1...10_000).contains(count)
        else { return nil }
        hexadecimal = halves[0].lowercased()
        parts = count
    }

    /// The tag of parts with these MD5s.
    init(of digests: [[UInt8]]) {
        hexadecimal = MD5.hash(digests.joined()).hexadecimal
        parts = digests.count
    }

    /// Whether this is the tag of what `file` holds, cut in a way that hosted storage may have used.
    ///
    /// - Parameter pieces: The lengths in which an upload sent it; `nil` where they are not known.
    func isOf(_ file: OpenFile, size: Int64, pieces: [Int64]?) async throws -> Bool {
        for cut in PartCut.candidates(size: size, count: parts, pieces: pieces) {
            var digests: [[UInt8]] = []
            var offset: Int64 = 0
            for length in cut {
                try Task.checkCancellation()
                let start = offset
                digests.append(
                    try await Blocking.run { () throws(SystemError) in
                        let digest = MD5()
                        try digest.update(file: file, from: start, count: length)
                        return digest.finish()
                    })
                offset += length
            }
            if MultipartTag(of: digests) == self { return true }
        }
        return false
    }
}

/// How hosted storage cuts uploads into parts, as far as its public sources tell.
///
/// A server may be set up otherwise: a cut that fits proves the bytes, and one that does not fit proves nothing.
enum PartCut {
    private static let mebibyte: Int64 = 1 << 20

    /// No part but the last is smaller (S3's own rule; `minPartSize` of @tus/s3-store).
    static let minimum = 5 * mebibyte

    /// Part sizes of uploads in one request whose length was not known or above 5 GiB, and of other tools.
    ///
    /// supabase/storage at 4fa61fb, `src/storage/backend/s3/adapter.ts`: up to 5 GiB of known length go as one
    /// PutObject, whose eTag is a plain MD5; the rest through lib-storage's `Upload` with
    /// `STORAGE_S3_UPLOAD_PART_SIZE`, 16 MiB (`src/config.ts`). Before 934a3e4 that was lib-storage's own 5 MiB, and
    /// before 3e22a42 every body went that way; `Upload` sends what ends within its first part as one PutObject.
    private static let usual = [16, 5, 50, 8].map { $0 * mebibyte }

    /// `TUS_PART_SIZE` of supabase/storage at 4fa61fb, and the default of @tus/s3-store 2.0.3.
    private static let resumable = [50, 8].map { $0 * mebibyte }

    /// Every cut of `size` bytes into `count` parts that a server may have made, the likeliest first.
    static func candidates(size: Int64, count: Int, pieces: [Int64]?) -> [[Int64]] {
        guard size > 0 else { return count == 1 ? [[0]] : [] }
        var cuts: [[Int64]] = []
        func add(_ cut: [Int64]) {
            if cut.count == count, !cuts.contains(cut) { cuts.append(cut) }
        }
        if let pieces, sum(of: pieces) == size {
            for part in resumable { add(sealed(pieces, size: size, preferred: part)) }
        }
        if count == 1 { add([size]) }
        for part in usual where (size - 1) / part + 1 == Int64(count) {
            add((0..<Int64(count)).map { min(part, size - $0 * part) })
        }
        return cuts
    }

    /// Bytes of all pieces; `nil` for more than a size can be, which no file has.
    private static func sum(of pieces: [Int64]) -> Int64? {
        pieces.reduce(Int64?.some(0)) { sum, piece in
            let next = sum?.addingReportingOverflow(piece)
            return next?.overflow == false ? next?.partialValue : nil
        }
    }

    /// The parts that @tus/s3-store 2.0.3 makes of an upload in these pieces (tus-node-server at fdd8cc7,
    /// `packages/s3-store/src/index.ts`).
    ///
    /// `calcOptimalPartSize` gives the largest size of a part; `write` puts the remainder of an earlier piece before
    /// the next one and cuts both into such parts; the new remainder becomes a part if it is large enough or the last
    /// one (`uploadParts`), and is otherwise kept for the next piece.
    private static func sealed(_ pieces: [Int64], size: Int64, preferred: Int64) -> [Int64] {
        let most: Int64 =
            if size <= preferred {
                size
            } else if size <= preferred * 10_000 {
                preferred
            } else {
                (size - 1) / 10_000 + 1
            }
        let part = max(most, minimum)
        var parts: [Int64] = []
        var (left, done): (Int64, Int64) = (0, 0)
        for piece in pieces {
            left += piece
            done += piece
            while left > part {
                parts.append(part)
                left -= part
            }
            guard left >= minimum || done == size, left > 0 else { continue }
            parts.append(left)
            left = 0
        }
        return parts
    }
}
