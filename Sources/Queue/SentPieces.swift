/// The pieces in which a server accepted an upload; on some servers the object's eTag depends on them.
///
/// Encodes as runs of equal pieces, `[[length, count], …]`, to keep the journal's lines short.
package struct SentPieces: Hashable, Sendable {
    private struct Run: Hashable {
        let length: Int64
        var count: Int64
        var bytes: Int64 { length * count }
    }

    private var runs: [Run] = []

    /// With more runs than this, the pieces count as unknown.
    private static let runLimit = 128

    /// No pieces yet.
    package init() {}

    /// The bytes of all pieces together.
    package var total: Int64 { runs.reduce(0) { $0 + $1.bytes } }

    /// The length of each piece, in order.
    package var lengths: [Int64] { runs.flatMap { Array(repeating: $0.length, count: Int($0.count)) } }

    /// The pieces up to the acknowledged `offset`, one more or fewer than before; `nil` for too many.
    package func reaching(_ offset: Int64) -> SentPieces? {
        var next = SentPieces()
        var rest = offset
        for run in runs {
            let whole = min(run.count, rest / run.length)
            guard whole > 0 else { break }
            next.runs.append(Run(length: run.length, count: whole))
            rest -= run.length * whole
            if whole < run.count { break }
        }
        next.append(rest)
        return next.runs.count > Self.runLimit ? nil : next
    }

    private mutating func append(_ length: Int64) {
        guard length > 0 else { return }
        if let last = runs.last, last.length == length {
            runs[runs.count - 1].count += 1
        } else {
            runs.append(Run(length: length, count: 1))
        }
    }
}

extension SentPieces: Codable {
    /// Reads the runs; throws where a length or count is out of range.
    package init(from decoder: any Decoder) throws {
        var total: Int64 = 0
        for pair in try decoder.singleValueContainer().decode([[Int64]].self) {
            guard pair.count == 2, pair[0] > 0, (1...1_000_000).contains(pair[1]),
                case let (bytes, tooMany) = pair[0].multipliedReportingOverflow(by: pair[1]), !tooMany,
                case let (sum, tooLarge) = total.addingReportingOverflow(bytes), !tooLarge
            else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "\(pair) are no pieces"))
            }
            total = sum
            runs.append(Run(length: pair[0], count: pair[1]))
        }
    }

    /// The same as text, for a line of the journal.
    var json: String { "[" + runs.map { "[\($0.length),\($0.count)]" }.joined(separator: ",") + "]" }

    /// Writes the runs as `[[length, count], …]`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(runs.map { [$0.length, $0.count] })
    }
}
