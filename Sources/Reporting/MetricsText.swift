import Catalog
import FoundationEssentials
import Queue
import Records
import Rescue
import Text

/// The report in the text format of Prometheus, version 0.0.4, one sample a line.
///
/// Samples are moments and not ages, because `time() - x` stays right however old the file is.
package struct MetricsText: Sendable {
    /// All lines, without line ends.
    package private(set) var lines: [String] = []
    private let profile: String

    /// A line near the beginning of every such text that this program writes.
    package static let mark = "# HELP gallery_sync_info "

    /// The whole text.
    package var text: String { lines.map { $0 + "\n" }.joined() }

    /// The metrics of `report`, each with the label of its profile.
    package init(_ report: Report) {
        profile = report.profile
        gauge("info", "The program that made this.", [(["version": report.version ?? ""], 1)])
        gauge("report_timestamp_seconds", "When this was made.", report.createdAt)
        addAgent(report)
        addAssets(report)
        addQueue(report)
        if let rescue = report.rescue { add(rescue) }
    }

    private mutating func addAgent(_ report: Report) {
        let reasons = report.reasons()
        gauge("agent_running", "Whether an agent runs.", report.agent.running)
        gauge("paused", "Whether the user paused the queue.", report.queue.paused)
        gauge("roots_away", "Folders that cannot be looked at now.", report.roots.count { $0.paused != nil })
        gauge("healthy", "Whether status --check would be content.", reasons.isEmpty)
        gauge("last_scan_timestamp_seconds", "When every folder had been looked at.", report.lastScan)
        let success = reasons.isEmpty ? report.lastScan : report.lastRun.flatMap { $0.ending == .done ? $0.ended : nil }
        gauge("last_success_timestamp_seconds", "When all was last known to be stored.", success)
    }

    private mutating func addAssets(_ report: Report) {
        let (assets, besides) = (report.assets, report.besides)
        gauge(
            "assets", "Files to store, by state.",
            [
                (["state": "stored"], assets.stored), (["state": "waiting"], assets.waiting),
                (["state": "failed"], assets.failed), (["state": "unreadable"], assets.unreadable),
            ])
        gauge(
            "other_assets", "Files that are known and not to be stored.",
            [
                (["reason": "ignored"], besides.ignored), (["reason": "gone"], besides.gone),
                (["reason": "excluded"], besides.excluded), (["reason": "remoteOnly"], besides.remoteOnly),
                (["reason": "leftOutStored"], besides.leftOutStored), (["reason": "indexed"], besides.indexed),
            ])
        gauge("assets_bytes", "Bytes of the files to store.", Double(report.bytes.total))
        gauge("stored_bytes", "Bytes of those that are stored; deriv() of it is the rate.", Double(report.bytes.stored))
        gauge("held_assets", "Changed files that the brake holds.", report.brake?.count ?? 0)
        gauge("owed_thumbnails", "Stored files that lack a thumbnail.", report.picturesOwed)
        gauge(
            "oldest_waiting_timestamp_seconds", "When the file was found that waits longest.", report.oldestWaiting)
        gauge("unscanned_assets", "Files on disk that are new since the last scan.", report.unscanned)
        gauge("settling_files", "Files that were written to lately, and are left alone for now.", report.settling)
    }

    private mutating func addQueue(_ report: Report) {
        let queue = report.queue
        gauge(
            "queue_items", "Items of the queue, by status; completed ones are the newest only.",
            [
                (["status": "pending"], queue.pending), (["status": "uploading"], queue.uploading),
                (["status": "completed"], queue.completed), (["status": "failed"], queue.failed),
            ])
        let blocked = Dictionary(report.blocked.map { ($0.reason, $0.count) }, uniquingKeysWith: +)
        gauge(
            "blocked_items", "Items that wait for something outside, by what.",
            blocked.sorted { $0.key < $1.key }.map { (["reason": $0.key], $0.value) })
        gauge("next_attempt_timestamp_seconds", "When the next item falls due.", report.nextAttempt)
    }

    private mutating func add(_ rescue: RescueSummary) {
        gauge("rescue_jobs_running", "Jobs that their provider has not finished.", rescue.running)
        gauge(
            "rescue_files", "Files of providers, by where they are.",
            [
                (["state": "open"], rescue.open), (["state": "safe"], rescue.safe),
                (["state": "stored"], rescue.stored), (["state": "failed"], rescue.failed),
            ])
        gauge(
            "rescue_endangered_files", "Files whose links expire before they are fetched.",
            rescue.files.count { $0.danger == .late })
        gauge("rescue_bytes_per_second", "Bytes of them that arrive in a second now.", rescue.rate ?? 0)
    }
}

// MARK: - The format

extension MetricsText {
    private mutating func gauge(_ name: String, _ help: String, _ samples: [([String: String], Int)]) {
        gauge(name, help, samples.map { ($0.0, Double($0.1)) })
    }

    /// A metric without samples is left out.
    private mutating func gauge(_ name: String, _ help: String, _ samples: [([String: String], Double)]) {
        guard !samples.isEmpty else { return }
        lines.append("# HELP gallery_sync_\(name) \(help)")
        lines.append("# TYPE gallery_sync_\(name) gauge")
        for (labels, value) in samples {
            let all = labels.merging(["profile": profile]) { own, _ in own }.sorted { $0.key < $1.key }
            let list = all.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
            lines.append("gallery_sync_\(name){\(list)} \(Self.number(value))")
        }
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: Int?) {
        if let value { gauge(name, help, [([:], value)]) }
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: Double) { gauge(name, help, [([:], value)]) }

    private mutating func gauge(_ name: String, _ help: String, _ isSo: Bool) { gauge(name, help, isSo ? 1 : 0) }

    private mutating func gauge(_ name: String, _ help: String, _ moment: Date?) {
        if let moment { gauge(name, help, moment.timeIntervalSince1970) }
    }

    /// Whole numbers without a fraction; sizes of any disk are exact.
    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
