import Catalog
package import Queue
package import Records
import Reporting
import Text
package import Uploading

/// What keeps a pass from continuing, and how it ends because of that; pure logic.
package struct Standstill: Hashable, Sendable {
    /// Items that wait for the same cause.
    package struct Hold: Hashable, Sendable {
        /// Files, not thumbnails.
        package var files = 0
        /// Why the smallest item waits.
        package var message = ""
        /// The smallest item, which is the nearest to fitting a limit.
        package var smallest: Item?
    }

    /// Why the destination as a whole cannot be used; `nil` if it can.
    package var obstacle: Circuit.Reason?
    /// What the destination said.
    package var words = ""
    /// Whether the user paused the queue.
    package var isPaused = false
    /// Why a watch holds back.
    package var restraint: Restraint?
    /// The items that wait, by cause.
    package var holds: [Item.Blocked: Hold] = [:]
    /// Whether an item waits for its next try, or was not looked at yet.
    package var isUnfinished = false
    /// Files that failed, could not be read, or are held.
    package var troubled = 0
    /// What waits, as a clause such as `3 of 12 files wait`.
    package var waiting = ""
    /// The destination's address, for the message.
    package var destination = ""
    /// The seconds that a pass would wait for the next try, for the message.
    package var patience = 0

    /// A standstill without any cause.
    package init() {}

    /// Whether only a person, or a long time, removes the obstacle.
    package static func isFinal(_ reason: Circuit.Reason) -> Bool {
        switch reason {
        case .quota, .projectPaused, .signIn, .bucketMissing, .untrusted: true
        case .offline, .overloaded: false
        }
    }

    /// How the pass ends.
    package var ending: Ending {
        switch obstacle {
        case .signIn: return .notPermitted(words)
        case .quota: return .full(words)
        case .projectPaused, .bucketMissing, .untrusted: return .needsHuman(words)
        case .offline, .overloaded, nil: break
        }
        if let hold = holds[.signIn] { return .notPermitted(hold.message) }
        if let hold = holds[.bucket] { return .needsHuman(hold.message) }
        if isPaused { return .temporary("The queue is paused: run \"gallery-sync queue resume\"") }
        if let restraint { return .temporary("Nothing is sent, since \(restraint.words). \(restraint.next)") }
        let last = words.isEmpty ? "" : " (\(words))"
        if obstacle == .offline {
            return .temporary(Sentence.text(words.isEmpty ? "Cannot reach \(destination)" : words, next: waiting))
        }
        let causes = Set(holds.keys).subtracting([.budget, .tooLarge])
        if isUnfinished || obstacle != nil || !causes.isEmpty {
            let later = "\(waiting), and the next try is more than \(patience) s away\(last)"
            return !isUnfinished && obstacle == nil && causes == [.away] ? .absent(later) : .temporary(later)
        }
        if let hold = holds[.budget] {
            // The storage's own message says that it is full, and what to do.
            if hold.smallest?.blockedCause?.isClosure == true { return .full("\(hold.message) \(waiting)") }
            return .full("\(hold.message). Raise destination.storageBudget to what the plan allows; \(waiting)")
        }
        let tooLarge = holds[.tooLarge] ?? Hold()
        if troubled == 0, tooLarge.files > 0 { return .someTooLarge(tooLarge.files, tooLarge.message) }
        return .someFailed(troubled + tooLarge.files)
    }
}

extension Standstill {
    /// The clause about what waits: files, else pictures of stored files, else the check of what was sent.
    package static func waiting(files: Int, of total: Int, pictures: Int) -> String {
        if files > 0 {
            return "\(Quantity.text(count: files)) of \(Quantity.text(total, "file")) \(files == 1 ? "waits" : "wait")"
        }
        let stored = "\(Quantity.text(total, "file")) stored"
        guard pictures > 0 else { return "\(stored), and the proof of what was sent waits" }
        return "\(stored), and \(Quantity.text(pictures, "thumbnail")) \(pictures == 1 ? "waits" : "wait")"
    }

    /// Groups pending items by cause; the smallest gives the message, because it is the nearest to fitting a limit.
    ///
    /// - Parameter elsewhere: Files that wait in the library.
    package static func holds(_ items: [Item], _ elsewhere: [BlockedSum] = []) -> [Item.Blocked: Hold] {
        var holds: [Item.Blocked: Hold] = [:]
        var waiting = elsewhere.map { (reason: $0.reason, item: $0.smallest, files: $0.files) }
        for item in items where item.status == .pending {
            waiting.append((reason: item.blocked, item: item, files: item.role == .original ? 1 : 0))
        }
        for (reason, item, files) in waiting.sorted(by: { $0.item.size < $1.item.size }) {
            guard let reason else { continue }
            let first = Hold(message: item.lastError?.message ?? reason.rawValue, smallest: item)
            holds[reason, default: first].files += files
        }
        return holds
    }
}
