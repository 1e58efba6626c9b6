import Catalog
import FoundationEssentials
import Queue
import Records
import Text

/// The facts that decide when a file goes on.
struct WaitingFile {
    let state: Asset.State
    let code: FailureCode?
    let pictures: Asset.Pictures
    let items: [Item]
    let autoUpload: Bool
    let isPaused: Bool
    /// Whether an agent is working on the queue.
    var isRunning = false
}

extension WaitingFile {
    init(_ record: FileRecord, items: [Item], autoUpload: Bool, isPaused: Bool, isRunning: Bool) {
        self.init(
            state: record.asset.state, code: record.code, pictures: record.pictures,
            items: items.filter { $0.status == .pending || $0.status == .uploading }, autoUpload: autoUpload,
            isPaused: isPaused, isRunning: isRunning)
    }
}

extension Explanation {
    static let paused = "Sending is paused: \"gallery-sync queue resume\" lets it go on."

    /// What would make progress with a file that is not stored, or lacks pictures; empty if nothing waits.
    static func moves(_ file: WaitingFile, at now: Date) -> [String] {
        var sentences: [String] = []
        let waits = [.seen, .identifying, .queued].contains(file.state) || !file.items.isEmpty
        if waits, file.isPaused {
            sentences.append(paused)
        }
        switch file.state {
        // A run that was cut off may have queued the file without changing its state.
        case .seen where file.items.isEmpty, .identifying where file.items.isEmpty:
            sentences.append("\"gallery-sync sync\" reads and sends it; a running \"watch\" does so by itself.")
        case .failed, .unreadable: sentences += file.code.map { [NextStep.after(code: $0.text)] } ?? []
        case .indexed where !file.autoUpload: sentences.append("\"gallery-sync reupload FILE\" sends it.")
        case .stored where [.wanted, .lost].contains(file.pictures) && file.items.isEmpty:
            sentences.append("Its thumbnails are still owed: \"gallery-sync sync\" makes and sends them.")
        default: break
        }
        return sentences + file.items.compactMap { move($0, at: now, isRunning: file.isRunning) }
    }

    /// What one open item waits for; `nil` if its cause and the next step are told elsewhere.
    private static func move(_ item: Item, at now: Date, isRunning: Bool) -> String? {
        guard item.blocked == nil else { return nil }
        let what = item.role.subject
        if item.status == .uploading {
            guard isRunning else {
                return "\(what) was being sent when the last run was cut off: \"gallery-sync sync\" goes on with it."
            }
            return item.sent
                ? "\(what) was sent, and storage is asked whether it is whole." : "\(what) is being sent."
        }
        if let next = item.nextAttemptAt, next > now {
            let wait = Quantity.text(Duration.seconds(Int64(next.timeIntervalSince(now).rounded(.up))))
            return "\(what) is tried again by itself in \(wait), while \"watch\" or \"sync\" runs."
        }
        return "\(what) is due: \"gallery-sync sync\" sends it, a running \"watch\" by itself."
    }
}
