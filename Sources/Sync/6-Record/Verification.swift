import Queue
import Records
import Uploading

/// Whether what the server holds is what was sent.
enum Verification: Hashable, Sendable {
    case same(Receipt.Proof)
    case different(Item.Failure)

    /// Size and name must agree, and the eTag if it can be compared (contract, 1.3).
    ///
    /// There is no receipt yet for `ObjectFinding` to compare with, so the evidence from sending decides.
    init(of accepted: Accepted, held: HeldObject?) {
        let key = accepted.item.objectKey.text
        guard let held else {
            self = .different(
                Item.Failure(code: .verify(.missing), message: "\(key) was accepted, but is not there", retryable: true)
            )
            return
        }
        guard held.size == accepted.item.size else {
            let sizes = "\(held.size.map(String.init) ?? "unknown") instead of \(accepted.item.size) bytes"
            self = .different(
                Item.Failure(code: .verify(.size), message: "\(key) holds \(sizes)", retryable: true))
            return
        }
        switch accepted.evidence.finding(held.eTag) {
        case .proven(let proof): self = .same(proof)
        case .open: self = .same(.size)
        case .contradicted:
            self = .different(
                Item.Failure(
                    code: .verify(.hash),
                    message:
                        "\(key) holds other bytes than were sent: something on the way, or the server, changes them",
                    retryable: true))
        }
    }
}

/// Which requests prove a batch: whole pages of a listing, or one `info` for each object, whichever are fewer.
package enum VerificationPlan: Hashable, Sendable {
    case list(prefix: String)
    case ask(keys: [String])

    /// Objects that one page of a listing shows (contract, 1.6).
    package static let pageSize = 1_000

    /// Plans for `keys`; `known` tells how many objects of ours a prefix holds without them.
    static func plans(for keys: [String], known: (_ prefix: String) -> Int) -> [VerificationPlan] {
        let whole = commonFolder(of: keys)
        let all = cost(of: keys, below: whole, known: known)
        let folders = Dictionary(grouping: keys) { folder(of: $0) }.sorted { $0.key < $1.key }
        guard folders.count > 1 else { return [all.plan] }
        let each = folders.map { cost(of: $0.value, below: $0.key, known: known) }
        let separate = each.reduce(0) { $0 + $1.requests }
        return separate < all.requests ? each.map(\.plan) : [all.plan]
    }

    private struct Cost {
        let requests: Int
        let plan: VerificationPlan
    }

    private static func cost(of keys: [String], below prefix: String, known: (String) -> Int) -> Cost {
        let pages = (known(prefix) + keys.count + pageSize - 1) / pageSize
        guard pages < keys.count else {
            return Cost(requests: keys.count, plan: .ask(keys: keys))
        }
        return Cost(requests: pages, plan: .list(prefix: prefix))
    }

    private static func folder(of key: String) -> String {
        key.lastIndex(of: "/").map { String(key[...$0]) } ?? ""
    }

    /// The longest path of whole folders that all keys begin with.
    private static func commonFolder(of keys: [String]) -> String {
        guard var common = keys.first.map(folder) else { return "" }
        for key in keys.dropFirst() {
            while !key.hasPrefix(common) {
                common = folder(of: String(common.dropLast()))
            }
        }
        return common
    }
}
