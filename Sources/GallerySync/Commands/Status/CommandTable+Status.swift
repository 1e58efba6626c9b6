import CommandLine
import Output
import Text

extension CommandTable {
    static let status = CommandForm(
        "status", "What is stored, what waits, what failed",
        options: [
            OptionForm("html", value: "FILE", "Write a page; many pictures are files beside it; - is standard output"),
            OptionForm("prometheus", "Write metrics for Prometheus"),
            OptionForm("redact", "Leave out names and pictures"),
            OptionForm("follow", "Show it again whenever it changes"),
            OptionForm("check", "Exit 0 only when all is stored and was looked at lately"),
            OptionForm("max-age", value: "TIME", "How old a look or a waiting file may be for --check (default: 24h)"),
        ],
        details: [
            "With --check one sentence on standard error says what is wrong, and the exit code of what it is: 3 some "
                + "files failed, 5 something waits or was not looked at, 6, 7 or 78 it needs a human. Without an agent "
                + "it looks for new files itself."
        ],
        examples: [
            .init("status", "at a glance"), .init("status --json", "for programs"),
            .init("status --html report.html --redact", "to show to others"),
            .init("status --check --max-age 2d -q", "from cron"),
        ],
        documents: [.status]
    ) { words throws(UsageError) in
        try words.atMostOne(of: "json", "html")
        try words.atMostOne(of: "follow", "html")
        for other in ["json", "html", "follow", "check"] { try words.atMostOne(of: "prometheus", other) }
        try words.atMostOne(of: "follow", "check")
        if words.isOn("max-age"), !words.isOn("check") { throw UsageError(message: "--max-age needs --check.") }
        var request = StatusRequest(
            html: words.path("html"), follows: words.isOn("follow"), checks: words.isOn("check"),
            isRedacted: words.isOn("redact"))
        request.isPrometheus = words.isOn("prometheus")
        request.maxAge = try words.value("max-age", "a duration like 24h or 2d", Quantity.duration) ?? request.maxAge
        return request
    }
}
