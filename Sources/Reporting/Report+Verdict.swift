import FoundationEssentials
import Text

extension Report {
    /// The overall state, for a monitor.
    package enum Verdict: Hashable, Sendable {
        case fine
        /// Some assets failed or could not be read.
        case someFailed
        /// An asset has been waiting for longer than allowed, or a root could not be scanned.
        case late
        /// There is no destination, or the user has to sign in.
        case needsHuman
    }

    /// The verdict; `maxAge` is how long an asset may wait.
    package func verdict(maxAge: Duration) -> Verdict {
        if destination == nil { return .needsHuman }
        if blocked.contains(where: { $0.reason == "signIn" && $0.count > 0 }) { return .needsHuman }
        // Files in a root that could not be scanned may have changed.
        if roots.contains(where: { $0.paused != nil }) { return .late }
        if let oldestWaiting, createdAt.timeIntervalSince(oldestWaiting) > maxAge / .seconds(1) { return .late }
        if brake != nil { return .someFailed }
        return assets.failed + assets.unreadable + picturesOwed > 0 ? .someFailed : .fine
    }

    /// The overall state in one sentence.
    package var headline: String {
        let problems = assets.failed + assets.unreadable
        if destination == nil { return "No destination yet." }
        if assets.total == 0 { return "Nothing to store yet." }
        if assets.stored == assets.total {
            return assets.total == 1
                ? "The one file is stored." : "All \(Quantity.text(count: assets.total)) files are stored."
        }
        var parts = ["\(Quantity.text(count: assets.stored)) of \(Quantity.text(count: assets.total)) files stored"]
        if assets.waiting > 0 { parts.append("\(Quantity.text(count: assets.waiting)) waiting") }
        if problems > 0 { parts.append("\(Quantity.text(count: problems)) with problems") }
        return parts.joined(separator: ", ") + "."
    }

    /// The stored share in whole percent; 100 only when everything is stored, 0 only when nothing is.
    package var percentStored: Int {
        guard assets.total > 0 else { return 0 }
        if assets.stored == assets.total { return 100 }
        return assets.stored == 0 ? 0 : min(99, max(1, assets.stored * 100 / assets.total))
    }
}
