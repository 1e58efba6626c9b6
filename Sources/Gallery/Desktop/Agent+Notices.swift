import Catalog
import Configuration
import Desktop
import FoundationEssentials
import Narration
import Reporting
import Rescue
import Sync
import Text
import Uploading

extension Agent {
    /// The board of this run; it knows what was shown within the last day.
    func noticeBoard() async throws -> NoticeBoard {
        let text = try await library.fact(Self.noticesFact) ?? ""
        var shownAt: [String: Date] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let seconds = Double(parts[0]) else { continue }
            shownAt[String(parts[1])] = Date(timeIntervalSince1970: seconds)
        }
        return NoticeBoard(shownAt: shownAt)
    }

    /// The name of the fact that tells what was shown when.
    private static let noticesFact = "notices"
    private static let firstSyncFact = "firstSyncTold"

    /// Shows what the state of the watch demands, and takes back notices that no longer hold.
    func tellNotices(_ state: WatchState, _ report: Report, _ board: inout NoticeBoard) async throws {
        guard let link = setup.hooks.host, setup.settings.watch.notifications else { return }
        let known = board.shownAt
        for change in board.changes(for: state, at: setup.clock()) {
            switch change {
            case .show(let notice): link.show(notice)
            case .close(let topic): link.close(topic: topic)
            }
        }
        if board.shownAt != known {
            let lines = board.shownAt.map { "\($0.value.timeIntervalSince1970) \($0.key)" }.sorted()
            try await library.setFact(Self.noticesFact, to: lines.joined(separator: "\n"))
        }
        try await tellFirstSync(report, link)
    }

    /// Says once that everything is stored, unless an earlier run has said so.
    private func tellFirstSync(_ report: Report, _ link: any HostLink) async throws {
        guard report.assets.total > 0, report.assets.stored == report.assets.total,
            try await library.fact(Self.firstSyncFact) == nil
        else { return }
        try await library.setFact(Self.firstSyncFact, to: ISO8601.text(setup.clock()))
        guard activity.events.tally.new > 0 else { return }
        link.show(HostNotice(topic: "first", title: "The first sync is done", text: report.headline))
    }

    /// Says before a sleep which files of providers will be deleted there within a day.
    func tellDeadlines(_ link: any HostLink) async throws {
        let now = setup.clock()
        guard setup.settings.watch.notifications, let summary = RescueSummary(await rescuer.registry.all(), now: now)
        else { return }
        let ends = summary.files.compactMap(\.expires).filter { $0 > now && $0 < now + NoticeBoard.day }
        guard let first = ends.min() else { return }
        let count = Quantity.text(ends.count, "video")
        let text =
            "\(count) \(ends.count == 1 ? "ends" : "end") at the provider, the first \(Moment.relative(first, to: now)), "
            + "and \(ends.count == 1 ? "is" : "are") not on this computer yet. Nothing is fetched while it sleeps."
        link.show(
            HostNotice(topic: WatchState.Topic.late.word, title: "Videos may be lost", text: text, isUrgent: true))
    }
}
