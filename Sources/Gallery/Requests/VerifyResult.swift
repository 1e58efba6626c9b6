/// What a verification is to look at, and whether to heal.
package struct VerifyOrder: Codable, Hashable, Sendable {
    /// Percent of the objects to download and hash; `nil` compares listings only.
    package var percent: Double?
    /// Decides which objects the sample holds.
    package var seed: UInt64 = 0
    /// What is missing is queued again.
    package var isRepairing = false

    package init() {}
}

/// What `verify --deep` is about to download.
package struct VerifyVolume: Codable, Hashable, Sendable {
    package var objects = 0
    /// To download.
    package var bytes: Int64 = 0
    /// Objects with a receipt, from which the sample is drawn.
    package var total = 0

    package init() {}
}

/// What a verification found.
package struct VerifyResult: Codable, Hashable, Sendable {
    package enum Problem: String, Codable, Hashable, Sendable, CaseIterable {
        /// A receipt speaks of it, and it is not there.
        case missing
        /// It is not what was stored.
        case different
        /// It is ours and there, but its bytes cannot be had.
        case unreadable
        /// We sent it, and no receipt speaks of it.
        case leftover
        /// It is there, and neither a receipt nor an attempt of ours speaks of it.
        case unknown
        /// The file on this disk has other bytes than it had, though its time is the same.
        case damaged
    }

    package struct Finding: Codable, Hashable, Sendable {
        package let problem: Problem
        package let key: String
        /// One sentence.
        package let message: String

        package init(_ problem: Problem, key: String, message: String) {
            self.problem = problem
            self.key = key
            self.message = message
        }
    }

    /// Objects with a receipt that were looked for.
    package var checked = 0
    package private(set) var counts: [String: Int] = [:]
    /// In key order as far as they were found so; at most `findingLimit`.
    package private(set) var findings: [Finding] = []
    /// Objects that were downloaded and hashed.
    package var sampled = 0
    package var sampledBytes: Int64 = 0
    /// Objects that were queued to be stored again.
    package var queued = 0
    /// Receipts that were dropped, since their files and their objects are gone.
    package var dropped = 0
    /// Objects that got the receipt they had not.
    package var proven = 0
    /// Whether everything was looked at.
    package var isComplete = false

    package static let findingLimit = 10_000

    package init() {}

    /// How many objects have that problem.
    package func count(_ problem: Problem) -> Int { counts[problem.rawValue, default: 0] }

    /// Objects that are not stored as they should be; leftovers and unknown ones harm nobody.
    package var troubled: Int { count(.missing) + count(.different) + count(.unreadable) + count(.damaged) }

    mutating func add(_ finding: Finding) {
        counts[finding.problem.rawValue, default: 0] += 1
        if findings.count < Self.findingLimit { findings.append(finding) }
    }
}
