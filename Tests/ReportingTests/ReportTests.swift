import Foundation
import Testing

@testable import Reporting

@Suite struct ReportTests {
    @Test func theTotalIsTheSum() {
        #expect(Report.Assets(stored: 1, waiting: 20, failed: 300, unreadable: 4000).total == 4321)
    }

    @Test(arguments: [
        ("nothing chosen", Reports.empty, "No destination yet."),
        ("nothing found", with(.init()), "Nothing to store yet."),
        ("one file", with(.init(stored: 1)), "The one file is stored."),
        ("all", with(.init(stored: 1200)), "All 1,200 files are stored."),
        ("some wait", with(.init(stored: 1, waiting: 2)), "1 of 3 files stored, 2 waiting."),
        (
            "all, and one changes", with(.init(stored: 2), settling: 1),
            "All 2 files are stored; 1 file may still be written to."
        ),
        (
            "some wait, and two change", with(.init(stored: 1, waiting: 2), settling: 2),
            "1 of 3 files stored, 2 waiting, 2 files may still be written to."
        ),
        (
            "some failed, some cannot be read", with(.init(stored: 1, failed: 2, unreadable: 1)),
            "1 of 4 files stored, 3 with problems."
        ),
    ])
    func headline(_ row: (why: String, report: Report, sentence: String)) {
        #expect(row.report.headline == row.sentence, "\(row.why)")
    }

    @Test(arguments: [
        (Report.Assets(stored: 1), "The one file is stored, but the queue is paused."),
        (Report.Assets(stored: 1, waiting: 2), "1 of 3 files stored, 2 waiting. Paused."),
    ])
    func oneLineSaysOnceThatItIsPaused(assets: Report.Assets, line: String) {
        var report = Self.with(assets)
        (report.queue.paused, report.lastScan) = (true, report.createdAt)
        #expect(report.line == line)
    }

    /// The reason for a pause is said in the headline, or beside the agent.
    @Test(arguments: [
        (0, "paused"), (2, "paused (/mnt/camera is not mounted)"),
    ])
    func theReasonForAPauseIsSaidOnce(waiting: Int, agent: String) {
        let absence = "/mnt/camera is not mounted"
        var report = Self.with(.init(stored: 1, waiting: waiting))
        report.agent = .init(running: true, paused: true, reason: absence)
        report.roots = [.init(name: "camera", path: "/mnt/camera", paused: absence)]
        report.lastScan = report.createdAt
        let head = TextReport(report).lines.prefix { !$0.hasPrefix("  stored") }.joined(separator: "\n")
        #expect(head.contains("Agent: \(agent)\n"), "\(head)")
        #expect([head, report.line].allSatisfy { $0.matches(of: /is not mounted/).count == 1 }, "\(report.line)")
    }

    static func with(_ assets: Report.Assets, waitingFor seconds: Double? = nil, settling: Int? = nil) -> Report {
        var report = Report(
            createdAt: Reports.now, destination: Reports.destination, assets: assets,
            oldestWaiting: seconds.map { Reports.now - $0 })
        report.settling = settling
        return report
    }

    @Test(arguments: [(0, 10, 0), (1, 999, 1), (998, 2, 99), (10, 0, 100), (0, 0, 0), (5, 5, 50)])
    func percentNeverRoundsToAll(_ stored: Int, _ waiting: Int, _ percent: Int) {
        #expect(Self.with(.init(stored: stored, waiting: waiting)).percentStored == percent)
    }

    @Test(arguments: [
        ("an exact code", "storage.EntityTooLarge", "Raise the size limit"),
        ("every 5xx", "http.503", "Nothing at first"),
        ("the longer code wins", "http.507", "Make room at the destination"),
        ("another errno", "file.ELOOP", "Make the file readable"),
        ("a full disk of this computer", "file.ENOSPC", "Make room on this computer's disk"),
        ("a used-up quota on it", "file.EDQUOT", "Make room on this computer's disk"),
        ("a disk that takes nothing", "file.EROFS", "Let this user write to the disk"),
        ("too many open files", "file.EMFILE", "Nothing; it is tried again by itself"),
        ("too many of all programs", "file.ENFILE", "Nothing; it is tried again by itself"),
        ("no memory", "file.ENOMEM", "Nothing; it is tried again by itself"),
        ("an unknown code", "weird", "See \"gallery-sync why FILE\""),
    ])
    func nextStep(_ row: (why: String, code: String, start: String)) {
        #expect(NextStep.after(code: row.code).hasPrefix(row.start), "\(row.why)")
    }

    @Test func failuresOfOneCauseAreOne() {
        let groups = Report.Failure.grouped([
            .init(path: "a", code: "x", message: "1"), .init(path: "b", code: "y", message: "2"),
            .init(path: "c", code: "y", message: "3", count: 4), .init(path: "d", code: "z", message: "4"),
        ])
        #expect(groups.map(\.code) == ["y", "x", "z"])
        #expect(groups.map(\.count) == [5, 1, 1])
        #expect(groups.map(\.path) == ["b", "a", "d"])
    }

    @Test func theRedactedReportHoldsNoNameAndNoPicture() throws {
        let report = Reports.troubled.redacted
        let html = HTMLReport(report).text
        let text = TextReport(report).lines.joined(separator: "\n")
        let json = String(decoding: try report.json(), as: UTF8.self)
        for document in [html, text, json] {
            for secret in ["Pictures", "Camera", "東京", "abc.supabase", "laptop", "/mnt", "a.mp4", "new.jpg", "base64"] {
                #expect(!document.contains(secret), "\(secret)")
            }
        }
        #expect(report.assets == Reports.troubled.assets)
        #expect(report.failures.map(\.count) == [3, 1])
    }

    @Test func thisComputerIsStillNamedWhenRedacted() {
        var report = Reports.done
        report.destination = .init(url: nil, bucket: "media", local: true)
        #expect(report.redacted.destination?.sentence.hasPrefix("this computer.") == true)
    }

    @Test(arguments: [
        (0.0, "now"), (-1, "1 s ago"), (30, "in 30 s"), (-7500, "2 h 5 min ago"), (0.4, "now"), (90000, "in 1 day 1 h"),
    ])
    func momentsAreToldFromNow(_ seconds: Double, _ text: String) {
        #expect(Moment.relative(Reports.now + seconds, to: Reports.now) == text)
    }

    @Test func momentsAreWritten() {
        #expect(Moment.text(Reports.now) == "2026-11-20 10:00 UTC")
        #expect(Moment.day(Reports.now) == "20 Nov")
        #expect(Moment.machine(Reports.now) == "2026-11-20T10:00:00Z")
    }

    @Test(arguments: [
        ("the network is metered", "Waiting: the network is metered."),
        ("The plan is used up.", "Waiting: The plan is used up."),
    ])
    func whatItWaitsForEndsInOneFullStop(_ reason: String, _ end: String) {
        var report = Report(createdAt: Reports.now)
        report.agent.reason = reason
        #expect(report.line.hasSuffix(" " + end))
    }

    /// Every code that stages and storage give, with the beginning of the advice.
    @Test(arguments: [
        ("file.EACCES", "Let this user read"), ("file.EPERM", "Let this user read"), ("file.EIO", "The disk could not"),
        ("file.ENOENT", "The file went away"), ("file.ESTALE", "The network disk"), ("file.EISDIR", "Make the file"),
        ("storage.EntityTooLarge", "Raise the size"), ("storage.NoSuchBucket", "Make the bucket"),
        ("storage.InvalidMimeType", "Let the bucket take this type of file, then run \"gallery-sync sync\""),
        ("storage.InvalidKey", "Rename the file"),
        ("storage.InvalidJWT", "Sign in again"), ("storage.AccessDenied", "Give the key"),
        ("storage.KeyAlreadyExists", "The name is taken"), ("storage.ResourceAlreadyExists", "The name is taken"),
        ("storage.QuotaExceeded", "Make room"), ("storage.SlowDown", "Nothing; it is tried"),
        ("storage.DatabaseTimeout", "Nothing at first"), ("storage.InternalError", "Nothing at first"),
        ("storage.TenantNotFound", "Check destination.url"), ("storage.InvalidBucketName", "Choose another"),
        ("storage.Unheard", "See \"gallery-sync why"), ("http.400", "See \"gallery-sync why"),
        ("http.401", "Sign in again"), ("http.403", "Give the key"), ("http.404", "Check destination.url"),
        ("http.413", "Raise the size"), ("http.429", "Nothing; it is tried"), ("http.500", "Nothing at first"),
        ("http.502", "Nothing at first"), ("http.507", "Make room"), ("network.lost", "Check the network"),
        ("verify.size", "What storage holds"),
        ("directory.unreadable", "Let this user list and enter"), ("directory.away", "Mount its disk"),
        ("storage.Duplicate", "The name is taken"),
        ("object.foreign", "The name is taken"), ("", "See \"gallery-sync why"),
    ])
    func advice(_ code: String, _ start: String) {
        let advice = NextStep.after(code: code)
        #expect(advice.hasPrefix(start))
        #expect(advice.hasSuffix("."))
    }
}
