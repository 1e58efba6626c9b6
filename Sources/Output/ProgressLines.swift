import FoundationEssentials
import Gallery
import Sync
import Text
import Uploading

/// Formats a progress for a terminal; pure.
struct ProgressLines {
    let progress: Progress
    let now: Date
    var paint = Paint.none
    /// The most files under way that are shown.
    var fileLimit = 6

    /// Lines of at most `width` columns: one for each step, then the bytes, then the files under way.
    func lines(width: Int) -> [String] {
        let width = max(20, width)
        var lines = progress.counts.map { line(for: $0, width: width) }
        if movesBytes { lines.append(fitted(total, width: width)) }
        if let waiting { lines.append(paint.waiting(fitted(waiting, width: width))) }
        lines += progress.current.prefix(fileLimit).map { line(for: $0, width: width) }
        let more = progress.current.count - fileLimit
        if more > 0 { lines.append(paint.dim(fitted("  and \(more) more", width: width))) }
        return lines
    }

    /// Everything on one line, for logs and pipes.
    var summary: String {
        let counts = progress.counts.map { count in
            let failed = count.failed > 0 ? " (\(Quantity.text(count: count.failed)) failed)" : ""
            return "\(count.step.label.lowercased()) \(Self.figures(count))\(failed)"
        }
        return (counts + (movesBytes ? [total] : []) + [waiting].compactMap(\.self)).joined(separator: ", ")
    }

    /// Whether bytes are sent or fetched, unlike in a comparison of listings.
    private var movesBytes: Bool { progress.counts.isEmpty || progress.counts.contains { $0.step != .record } }
}

extension ProgressLines {
    private static let labelWidth = 12

    /// `Uploaded    ████████░░░░  800 of 1,000  2 failed`.
    private func line(for count: Progress.Count, width: Int) -> String {
        let label = DisplayText.left(count.step.label, columns: Self.labelWidth)
        let (figures, failed) = (Self.figures(count), Self.failed(count))
        let room = barColumns(width: width)
        guard room >= 8 else { return fitted(label + figures + failed, width: width) }
        return label + bar(count, columns: room) + "  " + figures + paint.bad(failed)
    }

    private static func figures(_ count: Progress.Count) -> String {
        let done = Quantity.text(count: count.done)
        return count.total.map { "\(done) of \(Quantity.text(count: $0))" } ?? done
    }

    private static func failed(_ count: Progress.Count) -> String {
        count.failed > 0 ? "  \(Quantity.text(count: count.failed)) failed" : ""
    }

    /// The columns that the widest figures leave for the bars, so that all bars are equally long.
    private func barColumns(width: Int) -> Int {
        // Figures grow during a run, and bars should not shrink with each new digit.
        let figures =
            progress.counts.map { max(18, Self.figures($0).count) + max(12, Self.failed($0).count) }.max() ?? 0
        return min(24, width - Self.labelWidth - 2 - figures)
    }

    private func bar(_ count: Progress.Count, columns: Int) -> String {
        guard let total = count.total, total > 0 else { return paint.dim(String(repeating: "·", count: columns)) }
        let share = Double(min(count.done, total)) / Double(total)
        let full = share >= 1 ? columns : min(columns - 1, Int(share * Double(columns)))
        return paint.good(String(repeating: "█", count: full))
            + paint.dim(String(repeating: "░", count: columns - full))
    }

    /// `1.2 GB of 4.5 GB, 12 MB/s, 4 min 30 s left`.
    private var total: String {
        var parts = ["\(Quantity.text(bytes: progress.bytesDone)) of \(Quantity.text(bytes: progress.bytesTotal))"]
        if progress.rate >= 1 { parts.append(Quantity.text(bytesPerSecond: progress.rate)) }
        if let left = progress.timeLeft { parts.append("\(Quantity.text(left)) left") }
        return parts.joined(separator: ", ")
    }

    private var waiting: String? {
        var parts: [String] = []
        if let note = progress.note { parts.append(DisplayText.safe(note)) }
        if progress.retriesWaiting > 0 {
            let seconds = progress.nextAttempt.map { max(0, $0.timeIntervalSince(now).rounded(.up)) }
            let next = seconds.map { $0 > 0 ? " (next in \(Quantity.text(.seconds($0))))" : " (next now)" } ?? ""
            let verb = progress.retriesWaiting == 1 ? "waits" : "wait"
            parts.append("\(Quantity.text(count: progress.retriesWaiting)) \(verb) for another attempt\(next)")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// `  ↑ Pictures/2026/IMG_1.jpg   45 %  3.2 MB`; the path keeps its end.
    private func line(for file: Progress.Current, width: Int) -> String {
        let share = file.size > 0 ? Int(Double(min(file.done, file.size)) / Double(file.size) * 100) : 100
        // A provider's file may have any size: then only the number of received bytes is known.
        let isUnknown = file.size == 0 && file.done > 0
        let figures =
            DisplayText.right(isUnknown ? "" : "\(share) %", columns: 6)
            + DisplayText.right(Quantity.text(bytes: isUnknown ? file.done : file.size), columns: 9)
        let path = DisplayText.safe(file.path)
        let room = min(60, width - 4 - figures.count)
        guard room >= 8 else { return DisplayText.keepingEnd("  " + path, columns: width) }
        let name = DisplayText.left(DisplayText.keepingEnd(path, columns: room), columns: room)
        return "  \(file.step.sign) \(name)" + paint.dim(figures)
    }

    private func fitted(_ text: String, width: Int) -> String { DisplayText.keepingStart(text, columns: width) }
}

extension Progress.Step {
    /// What was done with the counted files.
    var label: String {
        switch self {
        case .scan: "Found"
        case .identify: "Read"
        case .thumbnail: "Thumbnails"
        case .upload: "Uploaded"
        case .record: "Verified"
        case .download: "Downloaded"
        case .plan: "Looked at"
        }
    }

    /// One column that shows the direction of the bytes.
    var sign: String {
        switch self {
        case .upload: "↑"
        case .download: "↓"
        case .scan, .identify, .thumbnail, .record, .plan: "·"
        }
    }
}
