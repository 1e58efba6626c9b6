package import Records

/// What a verification checks, and whether it repairs.
package struct VerifyOrder: Codable, Hashable, Sendable {
    /// Percent of the objects to download and hash, 0 to 100; `nil` compares listings only.
    package var percent: Double?
    /// Selects the sample; the same seed selects the same objects.
    package var seed: UInt64 = 0
    /// Whether what is missing or different is stored again.
    package var isRepairing = false

    /// An order that compares listings only, and repairs nothing.
    package init() {}
}

/// What `verify --deep` is about to download.
package struct VerifyVolume: Codable, Hashable, Sendable {
    /// Objects in the sample, to be downloaded.
    package var objects = 0
    /// Bytes to download.
    package var bytes: Int64 = 0
    /// Objects with a receipt, from which the sample is drawn.
    package var total = 0

    /// A volume of nothing.
    init() {}
}

/// What a verification found.
package struct VerifyResult: Codable, Hashable, Sendable {
    /// What is wrong with one object, or with its file; the words stand in the JSON output.
    package enum Problem: String, Codable, Hashable, Sendable, CaseIterable {
        /// It has a receipt, and is not there.
        case missing
        /// It differs from its receipt.
        case different
        /// It has a receipt and is there, but cannot be downloaded.
        case unreadable
        /// We sent it, and it has no receipt.
        case leftover
        /// It has neither a receipt nor an attempt of ours.
        case unknown
        /// The file on this disk has other bytes than before, although its time is the same.
        case damaged
    }

    /// One problem of one object.
    package struct Finding: Codable, Hashable, Sendable {
        /// What is wrong; counted in `counts`.
        package let problem: Problem
        /// The key of the object in the bucket.
        package let key: String
        /// The details for people; a clause without a full stop.
        package let message: String

        /// A finding about the object under `key`.
        init(_ problem: Problem, key: String, message: String) {
            self.problem = problem
            self.key = key
            self.message = message
        }
    }

    /// Receipts that were compared with the bucket.
    package var checked = 0
    /// Findings by `Problem.rawValue`; counts on beyond `findingLimit`.
    private(set) var counts: [String: Int] = [:]
    /// The first findings, in the order in which they were found; at most `findingLimit`.
    package private(set) var findings: [Finding] = []
    /// Objects that were downloaded and hashed.
    package var sampled = 0
    /// Bytes of the objects that were downloaded whole.
    package var sampledBytes: Int64 = 0
    /// Objects that were queued to be stored again.
    package var queued = 0
    /// Receipts that were dropped, because their files and their objects are gone.
    package var dropped = 0
    /// Receipts of damaged objects that stay, because their files are gone.
    package var unrepairable = 0
    /// Objects without a receipt that got one.
    package var proven = 0
    /// Whether the whole bucket was compared; `false` where an error ended it early.
    package var isComplete = false

    /// Findings that are kept at most.
    static let findingLimit = 10_000

    /// A result before anything was compared.
    package init() {}

    /// How many findings are of that problem.
    package func count(_ problem: Problem) -> Int { counts[problem.rawValue, default: 0] }

    /// Objects that are not stored as they should be; leftovers and unknown objects do no harm.
    var troubled: Int { count(.missing) + count(.different) + count(.unreadable) + count(.damaged) }

    /// How a repair ends: what was neither queued nor dropped still needs a person.
    package var endingOfRepair: Ending {
        let left = troubled - queued - dropped
        return left > 0 ? .someFailed(left) : .done
    }

    mutating func add(_ finding: Finding) {
        counts[finding.problem.rawValue, default: 0] += 1
        if findings.count < Self.findingLimit { findings.append(finding) }
    }
}
