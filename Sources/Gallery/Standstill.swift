/// What keeps a pass from going on, and how it ends therefore; decided once, here.
struct Standstill: Hashable, Sendable {
    /// Items that wait for the same thing.
    struct Hold: Hashable, Sendable {
        /// Files, not thumbnails.
        var files = 0
        /// Why the first of them waits.
        var message = ""
    }

    /// What the destination as a whole has against being asked, and its words.
    var obstacle: Circuit.Reason?
    var words = ""
    var isPaused = false
    var holds: [Item.Blocked: Hold] = [:]
    /// Whether something waits for its next attempt, or was not looked at yet.
    var isUnfinished = false
    /// Files that failed, could not be read, or are held.
    var troubled = 0
    /// Such as `3 of 12 files wait`.
    var waiting = ""
    /// Why time does not help: the URL that is silent, or how long nothing falls due.
    var destination = ""
    var patience = 0

    /// Whether only a person, or a long time, changes it.
    static func isFinal(_ reason: Circuit.Reason) -> Bool {
        switch reason {
        case .quota, .projectPaused, .signIn: true
        case .offline, .overloaded: false
        }
    }

    var ending: Ending {
        switch obstacle {
        case .signIn: return .notPermitted(words)
        case .quota: return .full(words)
        case .projectPaused: return .needsHuman(words)
        case .offline, .overloaded, nil: break
        }
        if let hold = holds[.signIn] { return .notPermitted(hold.message) }
        if isPaused { return .temporary("The queue is paused: run \"gallery-sync queue resume\"") }
        let last = words.isEmpty ? "" : " (\(words))"
        if obstacle == .offline { return .temporary("\(waiting): \(destination) cannot be reached\(last)") }
        if isUnfinished || obstacle != nil || holds.keys.contains(where: { $0 != .budget && $0 != .tooLarge }) {
            return .temporary("\(waiting): nothing falls due within \(patience) s\(last)")
        }
        if let hold = holds[.budget] {
            return .full("\(hold.message). Raise destination.storageBudget to what the plan allows; \(waiting)")
        }
        let tooLarge = holds[.tooLarge] ?? Hold()
        if troubled == 0, tooLarge.files > 0 { return .someTooLarge(tooLarge.files, tooLarge.message) }
        return .someFailed(troubled + tooLarge.files)
    }
}

extension Standstill {
    /// Sorts pending items by what they wait for; the smallest says why, since its size is nearest to a limit.
    static func holds(_ items: [Item]) -> [Item.Blocked: Hold] {
        var holds: [Item.Blocked: Hold] = [:]
        for item in items.sorted(by: { $0.size < $1.size }) where item.status == .pending {
            guard let reason = item.blocked else { continue }
            var hold = holds[reason] ?? Hold(message: item.lastError?.message ?? reason.rawValue)
            if item.role == .original { hold.files += 1 }
            holds[reason] = hold
        }
        return holds
    }
}
