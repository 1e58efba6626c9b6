/// Repeated runs of both sides in turn, so that what disturbs one disturbs the other.
struct Rounds: Sendable {
    let count: Int

    /// The median seconds of each side; one without a peer is timed alone.
    func medians(
        ours: () async throws -> Double, theirs: (() async throws -> Double)?
    ) async throws -> (ours: Double, theirs: Double?) {
        var taken: [Double] = []
        var compared: [Double] = []
        for _ in 0..<count {
            taken.append(try await ours())
            if let theirs { compared.append(try await theirs()) }
        }
        return (Self.median(taken), compared.isEmpty ? nil : Self.median(compared))
    }

    /// The middle one, of an even number the mean of the middle two; not a number for none.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.last else { return .nan }
        let middle = sorted.count / 2
        let upper = middle < sorted.count ? sorted[middle] : last
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + upper) / 2 : upper
    }
}
