import Text

extension HTMLReport {
    /// The files that the brake holds, and what to do.
    var brake: String {
        guard let brake = report.brake else { return "" }
        let files = brake.files.map { "<li><bdi>\(escape($0))</bdi></li>" }.joined(separator: "\n")
        let more = brake.count - brake.files.count
        let rest = more > 0 ? "<p class=\"more\">and \(count(more)) more</p>" : ""
        return section(
            "Held by the brake", aside: Quantity.text(brake.count, "file"),
            """
            <p class="message">\(escape(brake.message)).</p>
            <p class="next">\(escape(brake.next))</p>
            <ul class="notes">\(files)</ul>\(rest)
            """)
    }
}
