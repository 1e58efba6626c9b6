import FoundationEssentials
import Rescue
package import Text

/// A report for a terminal: aligned, at most `width` columns, colours only where `paint` is on.
package struct TextReport {
    private let report: Report
    private let width: Int
    private let paint: Paint
    /// Columns of the first word of each line.
    private static let labelWidth = 13

    /// - Parameter width: Columns of the terminal; fewer than 40 count as 40.
    package init(_ report: Report, width: Int = 80, paint: Paint = .none) {
        self.report = report
        self.width = max(40, width)
        self.paint = paint
    }

    /// The lines of the report, without newlines.
    package var lines: [String] {
        head + rescue + assets + [""] + figures + blocked + brake + roots + failures + notes
    }

    private var head: [String] {
        let destination = report.destination.map(\.sentence) ?? "none. Run \"gallery-sync init\" to choose one."
        return DisplayText.wrapped("Destination: " + DisplayText.safe(destination), columns: width)
            + DisplayText.wrapped("Agent: " + agent, columns: width) + [""]
            + DisplayText.wrapped(report.headline, columns: width).map(paint.bold)
            + (report.remark.map { DisplayText.wrapped(DisplayText.safe($0), columns: width) } ?? [])
            + [""]
    }

    private var agent: String {
        let reason = report.unsaidReason.map { " (\(DisplayText.safe($0)))" } ?? ""
        switch (report.agent.running, report.agent.paused) {
        case (true, false): return "running" + reason
        case (true, true): return "paused" + reason
        case (false, false): return "not running" + reason
        case (false, true): return "not running, paused" + reason
        }
    }

    private var assets: [String] {
        let (assets, bytes) = (report.assets, report.bytes)
        let stored = "\(Quantity.text(bytes: bytes.stored)) of \(Quantity.text(bytes: bytes.total))"
        return [
            row(
                "stored", assets.stored, paint.good,
                bar.isEmpty ? DisplayText.wrapped(stored, columns: width - 27) : [bar + stored]),
            row("waiting", assets.waiting, paint.waiting, DisplayText.wrapped(waiting, columns: width - 27)),
            row("failed", assets.failed, paint.bad), row("unreadable", assets.unreadable, paint.bad),
            row("total", assets.total, paint.bold),
        ].flatMap(\.self)
    }

    /// A label and its count, with lines to their right from column 27 on.
    private func row(_ label: String, _ count: Int, _ colour: (String) -> String, _ lines: [String] = []) -> [String] {
        let number = DisplayText.right(Quantity.text(count: count), columns: 11)
        let start =
            "  " + DisplayText.left(label, columns: Self.labelWidth - 2)
            + (count == 0 ? paint.dim(number) : colour(number))
        guard let first = lines.first, !first.isEmpty else { return [start] }
        return ["\(start)   \(first)"] + lines.dropFirst().map { String(repeating: " ", count: 27) + $0 }
    }

    /// The stored share as a bar; empty where there is no room for it.
    private var bar: String {
        let cells = min(24, width - 27 - 8 - 19)
        guard cells >= 8 else { return "" }
        let full = report.percentStored * cells / 100
        let percent = DisplayText.right("\(report.percentStored) %", columns: 6)
        return paint.good(String(repeating: "█", count: full)) + paint.dim(String(repeating: "░", count: cells - full))
            + percent + "  "
    }

    private var waiting: String {
        guard report.assets.waiting > 0 else { return "" }
        var parts: [String] = []
        if let oldest = report.oldestWaiting {
            // The library keeps only the minute, so its middle is taken.
            let minutes = ((report.createdAt.timeIntervalSince(oldest) - 30) / 60).rounded(.towardZero)
            let age = minutes == 0 ? "just now" : Moment.relative(report.createdAt - minutes * 60, to: report.createdAt)
            parts.append("oldest found \(age)")
        }
        if let next = report.nextAttempt {
            // The time of an attempt that is due would only tell since when nothing has made it.
            let isDue = next <= report.createdAt
            parts.append(isDue ? "due" : "next attempt \(Moment.relative(next, to: report.createdAt))")
        }
        return parts.joined(separator: ", ")
    }

    private var figures: [String] {
        let besides = report.besides
        let queue = report.queue.entries(isRunning: report.agent.running)
        return [
            (queue.isEmpty ? ["empty"] : queue).joinedFigure("Queue", labelWidth: Self.labelWidth, width: width),
            figure(
                "Besides",
                [
                    (besides.ignored, "ignored"), (besides.gone, "gone"), (besides.excluded, "excluded"),
                    (besides.remoteOnly, "only in storage"), (besides.leftOutStored, "stored and left out now"),
                    (besides.indexed, "only indexed"),
                ]),
            figure("Left out", besides.leftOut.map { ($0.count, DisplayText.safe($0.label)) }),
            report.kinds.map { "\(Quantity.text(count: $0.total)) \($0.noun) (\(Quantity.text(bytes: $0.bytes)))" }
                .joinedFigure("Kinds", labelWidth: Self.labelWidth, width: width),
        ].flatMap(\.self)
    }

    private func figure(_ label: String, _ counts: [(Int, String)]) -> [String] {
        counts.filter { $0.0 > 0 }.map { "\(Quantity.text(count: $0.0)) \($0.1)" }
            .joinedFigure(label, labelWidth: Self.labelWidth, width: width)
    }
}

extension TextReport {
    private var roots: [String] {
        guard !report.roots.isEmpty else { return [] }
        var lines = ["", "Roots"]
        let nameWidth = min(24, width / 4, report.roots.map { DisplayText.width(DisplayText.safe($0.name)) }.max() ?? 0)
        for root in report.roots {
            let name = DisplayText.keepingStart(DisplayText.safe(root.name), columns: nameWidth)
            let counts = "\(Quantity.text(count: root.stored)) of \(Quantity.text(count: root.total))"
            let start =
                "  " + DisplayText.left(name, columns: nameWidth) + "  " + DisplayText.right(counts, columns: 15)
            let path = DisplayText.keepingEnd(
                DisplayText.safe(root.path), columns: width - DisplayText.width(start) - 2)
            lines.append(path.isEmpty ? start : "\(start)  \(path)")
            if let remark = root.remark {
                let text = indented(DisplayText.safe(remark), by: nameWidth + 4)
                lines += root.paused == nil ? text : text.map(paint.waiting)
            }
        }
        return lines
    }

    /// Why items wait, and what to do about it.
    private var blocked: [String] {
        let causes = report.blocked.filter { $0.count > 0 }
        guard !causes.isEmpty else { return [] }
        return ["", paint.bold("In the way")]
            + causes.flatMap { cause in
                indented(DisplayText.safe(cause.clause), by: 2, hanging: 2).map(paint.waiting)
                    + step(cause.next, after: cause.message)
            }
    }

    /// The providers' files that are not stored; files in danger come first.
    private var rescue: [String] {
        guard let rescue = report.rescue else { return [] }
        var lines = indented("Rescue: \(rescue.summary)", by: 0, hanging: 2).map(paint.bold)
        for sentence in rescue.blocked ?? [] {
            lines += indented("→ \(DisplayText.safe(sentence))", by: 2, hanging: 2).map(paint.bad)
        }
        for file in rescue.files.prefix(Self.namedFiles) {
            let expires = file.expires.map {
                ", expires \(file.assumed ? "about " : "")\(Moment.relative($0, to: report.createdAt))"
            }
            let end = (file.size.map { ", \(Quantity.text(bytes: $0))" } ?? "") + (expires ?? "")
            let start = "  \(DisplayText.left(file.word, columns: 9))  "
            let name = DisplayText.safe(file.file)
            let room = width - DisplayText.width(start) - DisplayText.width(end)
            let isOne = DisplayText.width(name) <= room || room >= 12
            var shown = [
                start + DisplayText.keepingEnd(name, columns: isOne ? room : width - 13) + (isOne ? end : "")
            ]
            if !isOne { shown += indented(String(end.dropFirst(2)), by: 13) }
            lines += file.danger == .none ? shown : shown.map(paint.bad)
            if let message = file.message { lines += indented(DisplayText.safe(message), by: 13, hanging: 0) }
        }
        let more = rescue.files.count - Self.namedFiles
        if more > 0 {
            lines += indented("and \(Quantity.text(count: more)) more: see \"gallery-sync jobs list\"", by: 2)
        }
        return lines + [""]
    }

    /// The first files that the brake holds, and what to do.
    private var brake: [String] {
        guard let brake = report.brake else { return [] }
        let files = Quantity.text(brake.count, "file")
        let head = "Held by the brake: \(files), \(brake.count == 1 ? "which is not" : "none of which is") sent"
        var lines = [""] + indented(head, by: 0, hanging: 2).map(paint.bold)
        lines += indented("\(DisplayText.safe(brake.reason)).", by: 2).map(paint.bad)
        for file in brake.files.prefix(Self.namedFiles) {
            lines.append("    " + DisplayText.keepingEnd(DisplayText.safe(file), columns: width - 4))
        }
        let more = brake.count - min(brake.files.count, Self.namedFiles)
        if more > 0 {
            lines += indented("and \(Quantity.text(count: more)) more: see \"gallery-sync status --json\"", by: 4)
        }
        return lines + indented("→ " + brake.next, by: 4, hanging: 2)
    }

    /// The most files that a section names.
    private static let namedFiles = 10

    private var failures: [String] {
        guard !report.failures.isEmpty else { return [] }
        var lines = ["", paint.bold("Needs attention")]
        for failure in report.failures {
            let files = Quantity.text(failure.count, failure.noun)
            let reason = DisplayText.safe(failure.message.isEmpty ? failure.code : failure.message)
            lines += indented("\(files): \(reason)", by: 2, hanging: 2).map(paint.bad)
            if !failure.path.isEmpty { lines.append("    " + example(of: failure)) }
            lines += step(failure.next, after: failure.message)
        }
        return lines
    }

    /// The path, and the number of further files.
    private func example(of failure: Report.Failure) -> String {
        let more = failure.count > 1 ? " and \(Quantity.text(count: failure.count - 1)) more" : ""
        return DisplayText.keepingEnd(DisplayText.safe(failure.path), columns: width - 4 - more.count) + more
    }

    private var notes: [String] {
        guard !report.notes.isEmpty else { return [] }
        return ["", "Notes"] + report.notes.flatMap { indented("· " + DisplayText.safe($0), by: 2, hanging: 2) }
    }

    /// What to do, where the lines above have not said it.
    private func step(_ next: String, after message: String) -> [String] {
        NextStep.remaining(DisplayText.safe(next), after: message).map { indented("→ " + $0, by: 4, hanging: 2) } ?? []
    }

    /// Lines of `text` indented by `columns`; all but the first by `hanging` more.
    private func indented(_ text: String, by columns: Int, hanging: Int = 0) -> [String] {
        DisplayText.wrapped(text, columns: width - columns - hanging).enumerated().map { index, line in
            String(repeating: " ", count: index == 0 ? columns : columns + hanging) + line
        }
    }
}

extension [String] {
    /// `Label        a · b · c`, continued below the first entry; no lines for no entries.
    fileprivate func joinedFigure(_ label: String, labelWidth: Int, width: Int) -> [String] {
        guard !isEmpty else { return [] }
        // A no-break space keeps an entry together while lines are broken; one that is too long breaks between words.
        let room = width - labelWidth - 2
        let text = map { DisplayText.width($0) > room ? $0 : $0.replacing(" ", with: "\u{A0}") }
            .joined(separator: " · ")
        return DisplayText.wrapped(text, columns: width - labelWidth).enumerated().map { index, line in
            DisplayText.left(index == 0 ? label : "", columns: labelWidth) + line.replacing("\u{A0}", with: " ")
        }
    }
}

extension Report.Kind {
    /// The name for this many: `photo`, `videos`; a word without a plural is unchanged.
    var noun: String { total == 1 || name == "audio" || name == "other" ? name : name + "s" }
}
