/// In which pieces a server took an upload: some cut their parts, and with them the object's eTag, along these.
///
/// Encodes as runs of equal pieces, `[[length, count], …]`, since this stands in every line of the journal.
package struct SentPieces: Hashable, Sendable {
    private struct Run: Hashable {
        let length: Int64
        var count: Int64
        var bytes: Int64 { length * count }
    }

    private var runs: [Run] = []

    /// More runs are not kept: the cut is unknown then.
    private static let runLimit = 128

    /// None yet.
    package init() {}

    /// Bytes of all pieces.
    package var total: Int64 { runs.reduce(0) { $0 + $1.bytes } }

    /// The length of each piece, in order.
    package var lengths: [Int64] { runs.flatMap { Array(repeating: $0.length, count: Int($0.count)) } }

    /// The same once the server names `offset`: a piece more, or fewer where it lost some; `nil` where they are too many.
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
    package init(from decoder: any Decoder) throws {
        for pair in try decoder.singleValueContainer().decode([[Int64]].self) {
            guard pair.count == 2, pair[0] > 0, (1...1_000_000).contains(pair[1]),
                !pair[0].multipliedReportingOverflow(by: pair[1]).overflow
            else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "\(pair) are no pieces"))
            }
            runs.append(Run(length: pair[0], count: pair[1]))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(runs.map { [$0.length, $0.count] })
    }
}
