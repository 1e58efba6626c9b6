package import Desktop
package import Reporting
import Text

/// An action in the tray's menu.
package enum TrayAction: String {
    case open, sync, pause, resume

    /// The seconds that a pause from the tray lasts.
    package static let pauseSeconds = 3_600.0

    private var label: String {
        switch self {
        case .open: "Open gallery"
        case .sync: "Sync now"
        case .pause: "Pause for an hour"
        case .resume: "Resume"
        }
    }

    /// The action's line in the menu.
    func entry(isEnabled: Bool = true) -> TrayState.Entry {
        .action(rawValue, label: label, isEnabled: isEnabled)
    }
}

extension TrayState {
    /// What the tray shows of a watch; pure logic.
    ///
    /// - Parameter hasPage: Whether there is a page to open.
    package init(_ state: WatchState, _ report: Report, hasPage: Bool) {
        let needsPerson = state.conditions.contains { $0.key.title(of: $0.value) != nil }
        let text = DisplayText.safe(report.line)
        let isPaused = state.conditions[.paused] != nil
        self.init(
            icon: Self.icon(state, report, needsPerson: needsPerson), text: text, needsAttention: needsPerson,
            menu: [
                // Only the headline, because a menu is as wide as its longest line; the tooltip has the reason.
                .text(DisplayText.safe(report.headline)), .separator, TrayAction.open.entry(isEnabled: hasPage),
                TrayAction.sync.entry(),
                (isPaused ? TrayAction.resume : .pause).entry(),
            ])
    }

    /// The icon's name, from the Icon Naming Specification where it has one, because every theme has those.
    private static func icon(_ state: WatchState, _ report: Report, needsPerson: Bool) -> String {
        if needsPerson { return "dialog-warning" }
        if state.conditions[.paused] != nil || state.conditions[.held] != nil { return "media-playback-pause" }
        if state.conditions[.destination] != nil { return "network-offline" }
        if !state.conditions.isEmpty { return "emblem-important" }
        return report.assets.waiting > 0 ? "emblem-synchronizing" : "emblem-default"
    }
}
