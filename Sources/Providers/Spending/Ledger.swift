package import FoundationEssentials

/// What generating has cost and may still cost; a plain value, stored as JSON.
///
/// An amount is reserved before the call that may cost it, committed when the provider accepted the job, and
/// released when it certainly did not. Each change is idempotent and returns a line for the audit log. Amounts
/// are millionths of the provider's unit, a dollar or a credit.
package struct Ledger: Hashable, Codable, Sendable {
    /// Where one amount stands.
    package enum Stage: String, Hashable, Codable, Sendable {
        case reserved, committed, released
    }

    /// One intent's amount.
    package struct Entry: Hashable, Codable, Sendable {
        /// The provider in whose unit the amount is.
        let provider: ProviderName
        /// Millionths of the provider's unit.
        package var amount: Int64
        /// Where the amount stands now.
        package var stage: Stage
        /// When the stage was entered.
        var changedAt: Date

        private enum CodingKeys: String, CodingKey { case provider, amount, stage, changedAt }
    }

    /// One change, for the audit log.
    package struct Line: Hashable, Codable, Sendable {
        /// When the change was made.
        package let at: Date
        /// The intent whose amount changed.
        package let key: IdempotencyKey
        /// The stage after the change.
        package let stage: Stage
        /// Millionths of the provider's unit, after the change.
        package let amount: Int64
        /// Reserved and committed together, after the change.
        package let bound: Int64

        private enum CodingKeys: String, CodingKey { case at, key, stage, amount, bound }

        /// A line as the ledger made it, or as it was read back.
        package init(at: Date, key: IdempotencyKey, stage: Stage, amount: Int64, bound: Int64) {
            self.at = at
            self.key = key
            self.stage = stage
            self.amount = amount
            self.bound = bound
        }
    }

    /// Why nothing was changed.
    package enum Refusal: Error, Hashable, Sendable {
        /// The amount, what is bound already, and the user's limit.
        case overLimit(amount: Int64, bound: Int64, limit: Int64)
        /// Amounts are never negative, nor so large that sums overflow.
        case impossible(Int64)
        /// Nothing was reserved under the key.
        case notReserved
        /// The amount is in a stage from which the change is not possible.
        case settled(Stage)
    }

    private var entries: [String: Entry] = [:]

    private enum CodingKeys: String, CodingKey { case entries }

    /// A ledger in which nothing is reserved or spent.
    package init() {}
}

extension Ledger {
    /// The entry of one intent; `nil` where nothing was ever reserved for it.
    package subscript(key: IdempotencyKey) -> Entry? { entries[key.rawValue] }

    /// What counts against the limit: reserved and committed together.
    package var bound: Int64 { sum(of: .reserved) + sum(of: .committed) }

    /// All amounts of one stage together.
    package func sum(of stage: Stage) -> Int64 {
        entries.values.filter { $0.stage == stage }.reduce(0) { $0 + $1.amount }
    }

    /// Reserves `amount` for `key` unless that would exceed `limit`; `nil` where it was already reserved.
    package mutating func reserve(
        _ amount: Int64, for key: IdempotencyKey, at provider: ProviderName, limit: Int64, now: Date
    ) throws(Refusal) -> Line? {
        guard 0...Self.largest ~= amount else { throw .impossible(amount) }
        switch self[key]?.stage {
        case .reserved: return nil
        case .committed: throw .settled(.committed)
        case .released, nil: break
        }
        guard amount <= limit - bound else { throw .overLimit(amount: amount, bound: bound, limit: limit) }
        entries[key.rawValue] = Entry(provider: provider, amount: amount, stage: .reserved, changedAt: now)
        return line(key, at: now)
    }

    /// Marks the amount as spent, or `actual` where the provider states it; `nil` where it already was.
    ///
    /// What the provider charged is recorded even past the limit: it is already spent.
    package mutating func commit(_ key: IdempotencyKey, actual: Int64? = nil, now: Date) throws(Refusal) -> Line? {
        if let actual, !(0...Self.largest ~= actual) { throw .impossible(actual) }
        return try settle(key, as: .committed, actual: actual, now: now)
    }

    /// Frees the amount of a job that certainly was not accepted; `nil` where it was already free.
    package mutating func release(_ key: IdempotencyKey, now: Date) throws(Refusal) -> Line? {
        try settle(key, as: .released, actual: nil, now: now)
    }

    private mutating func settle(
        _ key: IdempotencyKey, as stage: Stage, actual: Int64?, now: Date
    ) throws(Refusal) -> Line? {
        guard var entry = self[key] else { throw .notReserved }
        guard entry.stage != stage else { return nil }
        guard entry.stage == .reserved else { throw .settled(entry.stage) }
        entry.stage = stage
        entry.amount = actual ?? entry.amount
        entry.changedAt = now
        entries[key.rawValue] = entry
        return line(key, at: now)
    }

    private func line(_ key: IdempotencyKey, at now: Date) -> Line? {
        self[key].map { Line(at: now, key: key, stage: $0.stage, amount: $0.amount, bound: bound) }
    }

    /// A million units; sums of a million such entries stay far from overflowing.
    private static let largest: Int64 = 1_000_000_000_000
}

extension Ledger.Refusal: CustomStringConvertible {
    /// A sentence for the user; amounts in whole units with two decimals.
    package var description: String {
        switch self {
        case .overLimit(let amount, let bound, let limit):
            """
            It may cost \(Self.units(amount)), and \(Self.units(bound)) of the limit of \(Self.units(limit)) are \
            bound already; raise maxSpend to go on.
            """
        case .impossible(let amount): "\(Self.units(amount)) is no cost."
        case .notReserved: "Nothing was reserved for this job."
        case .settled(let stage): "The cost of this job is \(stage.rawValue) already."
        }
    }

    private static func units(_ amount: Int64) -> String {
        let cents = (amount.magnitude + 5_000) / 10_000
        return "\(amount < 0 ? "-" : "")\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    }
}
