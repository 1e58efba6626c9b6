/// Repeated runs of both sides, in turn so that a disturbance affects both.
struct Rounds: Sendable {
    let count: Int

    /// The median seconds of each side; without a peer, only ours.
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

    /// The median; the mean of the middle two for an even count, NaN for no values.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.last else { return .nan }
        let middle = sorted.count / 2
        let upper = middle < sorted.count ? sorted[middle] : last
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + upper) / 2 : upper
    }
}
