import Formats
import FoundationEssentials
import MediaModel
import Text

extension HTMLReport {
    /// How much is stored, as one bar, with the counts.
    var overview: String {
        guard report.assets.total > 0 || report.queue != Report.Queue() else { return "" }
        return """
            <section class="overview">
            <div class="share"><strong>\(report.percentStored)<small>%</small></strong>
            <span>\(Quantity.text(bytes: report.bytes.stored)) of \(Quantity.text(bytes: report.bytes.total))</span></div>
                <svg class="bar" viewBox="0 0 1000 14" preserveAspectRatio="none" role="img" \
            aria-label="\(report.percentStored) % stored">\(bar)</svg>
            <dl class="tiles">\(tiles)</dl>
            <dl class="figures">\(figures)</dl>
            </section>
            """
    }

    private var outcomes: [(class: String, label: String, count: Int, note: String)] {
        let assets = report.assets
        let waiting = [
            report.oldestWaiting.map { "oldest \(time($0))" }, report.nextAttempt.map { "next \(time($0))" },
        ]
        return [
            ("stored", "Stored", assets.stored, "verified in storage"),
            ("waiting", "Waiting", assets.waiting, waiting.compactMap(\.self).joined(separator: ", ")),
            ("failed", "Failed", assets.failed, ""),
            ("unreadable", "Unreadable", assets.unreadable, ""),
        ]
    }

    /// The share that is stored, then the share that failed, side by side; the empty rest is waiting.
    private var bar: String {
        let shown = outcomes.filter { $0.count > 0 && $0.class != "waiting" }
        let smallest = 4.0
        let room = 1000 - smallest * Double(shown.count)
        var x = 0.0
        return shown.map { outcome in
            let width = smallest + room * Double(outcome.count) / Double(max(1, report.assets.total))
            defer { x += width }
            return """
                <rect class="\(outcome.class)" x="\(Self.decimal(x))" width="\(Self.decimal(width - 1))" height="14">\
                <title>\(outcome.label): \(count(outcome.count))</title></rect>
                """
        }.joined()
    }

    private var tiles: String {
        outcomes.map { outcome in
            let note = outcome.count > 0 && !outcome.note.isEmpty ? "<dd class=\"note\">\(outcome.note)</dd>" : ""
            let quiet = outcome.count == 0 ? " quiet" : ""
            return
                "<div class=\"\(outcome.class)\(quiet)\"><dt>\(outcome.label)</dt><dd>\(count(outcome.count))</dd>\(note)</div>"
        }.joined(separator: "\n")
    }

    private var figures: String {
        let besides = report.besides
        let queue = report.queue.entries(isRunning: report.agent.running).map { "<span>\(escape($0))</span>" }.joined(
            separator: " ")
        return [
            "<div><dt>Queue</dt><dd>\(queue.isEmpty ? "empty" : queue)</dd></div>",
            figure(
                "Besides",
                [
                    (besides.ignored, "ignored"), (besides.gone, "gone"), (besides.excluded, "excluded"),
                    (besides.remoteOnly, "only in storage"), (besides.leftOutStored, "stored and left out now"),
                    (besides.indexed, "only indexed"),
                ].filter { $0.0 > 0 }),
            figure("Left out", besides.leftOut.map { ($0.count, escape($0.label)) }),
            figure("Kinds", report.kinds.map { ($0.total, "\(escape($0.noun)), \(Quantity.text(bytes: $0.bytes))") }),
        ].joined()
    }

    private func figure(_ label: String, _ counts: [(Int, String)]) -> String {
        guard !counts.isEmpty else { return "" }
        let entries = counts.map { "<span><b>\(count($0.0))</b> \($0.1)</span>" }.joined(separator: " ")
        return "<div><dt>\(label)</dt><dd>\(entries)</dd></div>"
    }
}

extension HTMLReport {
    /// Failures by cause with what to do, then notes.
    var attention: String {
        let causes = report.failures.map { failure in
            let more = failure.count > 1 ? " <span class=\"more\">and \(count(failure.count - 1)) more</span>" : ""
            let message = failure.message.isEmpty ? "" : "\(escape(failure.message)) "
            let path =
                failure.path.isEmpty ? "" : "<p class=\"path\"><bdi>\(escape(failure.path))</bdi>\(more)</p>"
            return """
                <li><span class="count">\(count(failure.count))</span><div>
                <p>\(message)<code>\(escape(failure.code))</code></p>
                <p class="next">\(escape(failure.next))</p>
                \(path)
                </div></li>
                """
        }
        let notes = report.notes.map { "<li>\(escape($0))</li>" }
        let causeList = causes.isEmpty ? "" : "<ul class=\"causes\">\(causes.joined(separator: "\n"))</ul>"
        let noteList = notes.isEmpty ? "" : "<ul class=\"notes\">\(notes.joined(separator: "\n"))</ul>"
        let counts = ["file", "folder"].map { noun in
            (noun, report.failures.reduce(0) { $0 + ($1.noun == noun ? $1.count : 0) })
        }
        let aside = counts.filter { $0.1 > 0 }.map { Quantity.text($0.1, $0.0) }.joined(separator: ", ")
        return section("In the way", blocked) + section("Needs attention", aside: aside, causeList)
            + section("Notes", noteList)
    }

    /// Why items wait, and what to do about it.
    private var blocked: String {
        let causes = report.blocked.filter { $0.count > 0 }.map { cause in
            let message = cause.message.isEmpty ? "" : "<p class=\"message\">\(escape(cause.message))</p>"
            let names = cause.names.isEmpty ? [cause.path].filter { !$0.isEmpty } : cause.names
            let more = cause.files > names.count ? " and \(count(cause.files - names.count)) more" : ""
            let paths = names.map { "<bdi>\(escape($0))</bdi>" }.joined(separator: ", ")
            let path = names.isEmpty ? "" : "<p class=\"path\">\(paths)<span class=\"more\">\(more)</span></p>"
            return """
                <li><span class="count held">\(count(max(cause.files, 1)))</span><div>
                <p><b>\(escape(cause.title))</b>: \(cause.quantity)</p>\(message)
                <p class="next">\(escape(cause.next))</p>
                \(path)
                </div></li>
                """
        }
        return causes.isEmpty ? "" : "<ul class=\"causes\">\(causes.joined(separator: "\n"))</ul>"
    }

    /// One row for each root.
    var roots: String {
        guard !report.roots.isEmpty else { return "" }
        let rows = report.roots.map { root in
            let share = root.total > 0 ? Double(root.stored) / Double(root.total) * 100 : 0
            let meter =
                "<svg viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\"><rect width=\"\(Self.decimal(share))\" height=\"6\"/></svg>"
            let remark =
                root.remark.map { "<p class=\"paused\">\(escape($0.prefix(1).uppercased() + $0.dropFirst()))</p>" }
                ?? ""
            return """
                <tr><th scope="row">\(escape(root.name))\(remark)</th><td class="where"><bdi>\(escape(root.path))</bdi></td>
                <td class="number">\(count(root.stored)) of \(count(root.total))</td>
                <td class="number">\(Quantity.text(bytes: root.bytes))</td>
                <td class="meter">\(meter)</td></tr>
                """
        }
        return section("Roots", "<table>\(rows.joined(separator: "\n"))</table>")
    }

    /// Thumbnails of the files stored last.
    var recent: String {
        let figures = shown.enumerated().map { index, asset in
            let picture = asset.thumbnail.map { picture in
                "<img alt=\"\" loading=\"lazy\" src=\"\(source(of: picture, index))\">"
            }
            let blank = "<span class=\"blank\">\(escape(Self.extension(of: asset.path)))</span>"
            let length = asset.duration.map { "<span class=\"length\">\(Self.clock($0))</span>" } ?? ""
            let name = asset.path.split(separator: "/").last.map(String.init) ?? asset.path
            return """
                <figure><div class="frame">\(picture ?? blank)\(length)</div>
                <figcaption title="\(escape(asset.path))"><b>\(escape(name))</b>
                <span>\(Quantity.text(bytes: asset.size)) · \(time(asset.storedAt))</span></figcaption></figure>
                """
        }
        let aside = shown.count < report.recent.count ? "newest \(count(shown.count))" : ""
        return section(
            "Recent uploads", aside: aside,
            figures.isEmpty ? "" : "<div class=\"grid\">\(figures.joined(separator: "\n"))</div>")
    }

    /// The thumbnail itself for the newest files, else the name of its file beside the page.
    private func source(of picture: Data, _ index: Int) -> String {
        guard index >= Self.inlineLimit, let folder else {
            return "data:\(Self.format(of: picture).type);base64,\(picture.base64EncodedString())"
        }
        return "\(escape(PercentEncoding.path.encoded(folder)))/\(Self.name(of: picture, index))"
    }

    /// `JPG` of `a/b.jpg`; at most five letters.
    private static func `extension`(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "FILE" }
        return String(name[dot...].dropFirst().uppercased().prefix(5))
    }

    /// `1:05` or `1:02:03`.
    private static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite, (0..<360_000).contains(seconds) else { return "" }
        let whole = Int(seconds.rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }
}
