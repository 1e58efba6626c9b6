import Configuration
package import FoundationEssentials
package import MediaModel
import Platform
import Text

/// A report as an HTML page: no script, no font, no request to another host.
///
/// It holds the newest thumbnails itself; more of them are files in a folder beside it, so that it stays small.
package struct HTMLReport {
    let report: Report
    /// The name of the folder beside the page; `nil` for a page that is a single file.
    let folder: String?
    /// The most thumbnails that the page holds itself.
    package static let inlineLimit = 50
    /// The most files that the page shows.
    static let pictureLimit = 200

    /// A page that shows `report` unchanged; if names must not be shown, the caller redacts it first.
    ///
    /// - Parameter folder: The name of the folder beside the page that `pictures` are written to; without one the
    ///   page shows no more files than it can hold the thumbnails of.
    package init(_ report: Report, folder: String? = nil) {
        self.report = report
        self.folder = folder
    }

    /// The thumbnails that the page expects in `folder`, by name; empty if it holds all of them itself.
    package var pictures: [(name: String, bytes: Data)] {
        guard folder != nil else { return [] }
        return shown.enumerated().dropFirst(Self.inlineLimit).compactMap { index, asset in
            asset.thumbnail.map { (Self.name(of: $0, index), $0) }
        }
    }

    /// The files that the page shows, the newest first.
    var shown: ArraySlice<Report.Recent> {
        report.recent.prefix(folder == nil ? Self.inlineLimit : Self.pictureLimit)
    }

    static func name(of picture: Data, _ index: Int) -> String { "\(index + 1).\(format(of: picture).fileExtension)" }

    /// How a thumbnail is encoded.
    package static func format(of picture: Data) -> ThumbnailFormat { ThumbnailFormat(bytes: picture) ?? .jpeg }

    /// The line by which a page that this program wrote is recognised.
    package static let mark = "<meta name=\"generator\" content=\"gallery-sync\">"

    /// The whole page.
    package var text: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        \(Self.mark)
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
        <title>\(escape(title))</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main>
        \([header, warning, rescue, overview, brake, attention, history, roots, recent, footer].filter { !$0.isEmpty }
            .joined(separator: "\n"))
        </main>
        </body>
        </html>

        """
    }

    /// The policy: images from within the page and beside it, and exactly this style sheet.
    private static let policy: String = {
        let digest = Data(SHA256.hash(style.utf8)).base64EncodedString()
        return "default-src 'none'; img-src data: 'self' file:; style-src 'sha256-\(digest)'"
    }()

    func escape(_ text: String) -> String { HTMLText.escaped(text) }
    func count(_ number: Int) -> String { Quantity.text(count: number) }

    /// A titled part of the page, or nothing when it has no content.
    func section(_ title: String, aside: String = "", class name: String = "", _ content: String) -> String {
        guard !content.isEmpty else { return "" }
        let aside = aside.isEmpty ? "" : "<span class=\"aside\">\(aside)</span>"
        return """
            <section class="\(name)">
            <h2>\(escape(title))\(aside)</h2>
            \(content)
            </section>
            """
    }

    /// A moment with its exact time as a tooltip.
    func time(_ date: Date) -> String {
        """
        <time datetime="\(Moment.machine(date))" title="\(Moment.text(date))">\
        \(Moment.relative(date, to: report.createdAt))</time>
        """
    }
}

extension HTMLReport {
    private var title: String {
        report.profile == SettingSources.standardProfile ? "Gallery status" : "Gallery status: \(report.profile)"
    }

    private var header: String {
        """
        <header>
        <div>
        <h1>\(escape(report.headline))</h1>\(report.remark.map { "\n<p>\(escape($0))</p>" } ?? "")
        <p class="facts">\(facts)</p>
        </div>
        <p class="state \(agentState.class)">\(agentState.text)</p>
        </header>
        """
    }

    private var facts: String {
        let moment =
            "As of <time datetime=\"\(Moment.machine(report.createdAt))\">\(Moment.text(report.createdAt))</time>"
        var facts = [moment]
        if report.profile != SettingSources.standardProfile { facts.insert("Profile \(escape(report.profile))", at: 0) }
        if let destination = report.destination {
            facts.insert(destination.local ? "This computer" : escape(destination.sentence), at: 0)
        }
        return facts.joined(separator: "<span class=\"dot\">·</span>")
    }

    private var agentState: (class: String, text: String) {
        let reason = report.unsaidReason.map { ": " + escape($0) } ?? ""
        switch (report.agent.running, report.agent.paused) {
        case (true, false): return ("running", "Running" + reason)
        case (true, true): return ("paused", "Paused" + reason)
        case (false, false): return ("idle", "Not running" + reason)
        case (false, true): return ("paused", "Not running, paused" + reason)
        }
    }

    private var warning: String {
        if report.destination?.local == true {
            return """
                <p class="banner"><b>Destination: this computer.</b> \
                Not protected against loss of this disk.</p>
                """
        }
        if report.destination == nil {
            return """
                <p class="banner"><b>Nothing is sent yet.</b> Run <code>gallery-sync init</code> to choose where your \
                photos go, or add <code>--local</code> to keep a second copy on this computer only.</p>
                """
        }
        return ""
    }

    private var footer: String {
        "<footer>gallery-sync · <code>\(Report.schema)</code></footer>"
    }
}
