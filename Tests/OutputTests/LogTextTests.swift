import Cleansing
import Configuration
import Foundation
import Platform
import Rescue
import TestSupport
import Testing
import Text

@testable import Output

@Suite struct LogTextTests {
    static let at = Date(timeIntervalSince1970: 1_795_168_800)

    static func line(
        _ level: LogLevel, _ message: String, _ details: [Log.Detail] = [], format: LogFormat = .text,
        secrets: [String] = []
    ) -> String {
        LogText(format: format, paint: .none, cleanser: Cleanser(hiding: secrets))
            .line(Log.Line(at: at, level: level, message: message, details: details))
    }

    @Test(
        arguments: [
            (LogLevel.info, "Stored.", [], "10:00:00 Stored."),
            (.error, "Disk full.", [], "10:00:00 error: Disk full."),
            (.warning, "Slow.", [], "10:00:00 warning: Slow."), (.debug, "d", [], "10:00:00 debug: d"),
            (
                .info, "Stored.", [Log.Detail("path", "a b.jpg"), Log.Detail("bytes", "12")],
                "10:00:00 Stored. path=\"a b.jpg\" bytes=12"
            ),
            (.info, "x", [Log.Detail("empty", "")], "10:00:00 x empty=\"\""),
            (.info, "a\u{1B}[2J\nb", [Log.Detail("p", "\u{1B}")], "10:00:00 a·[2J b p=·"),
        ] as [(LogLevel, String, [Log.Detail], String)])
    func text(_ row: (level: LogLevel, message: String, details: [Log.Detail], line: String)) {
        #expect(Self.line(row.level, row.message, row.details) == row.line)
    }

    @Test(arguments: [
        (LogLevel.error, "<3>error: m"), (.warning, "<4>warning: m"), (.info, "<6>m"), (.debug, "<7>debug: m"),
        (.trace, "<7>trace: m"),
    ])
    func theJournalGetsPrioritiesAndNoClock(_ level: LogLevel, _ text: String) {
        let line = Log.Line(at: Self.at, level: level, message: "m")
        let cleanser = Cleanser(hiding: [])
        #expect(LogText(format: .text, paint: .none, cleanser: cleanser, isForJournal: true).line(line) == text)
        let json = LogText(format: .json, paint: .none, cleanser: cleanser, isForJournal: true).line(line)
        #expect(json.hasPrefix(text.prefix(3) + "{"))
    }

    @Test(arguments: [
        (nil, false), ("7:12", true), ("7:13", false), ("8:12", false), ("", false), ("7:12:1", false),
    ])
    func theJournalIsKnownByItsDeviceAndInode(_ variable: String?, _ isJournal: Bool) {
        let stream = FileFacts(kind: .other, size: 0, modifiedAt: FileTime(nanoseconds: 0), inode: 12, device: 7)
        #expect(JournalStream.isNamed(by: variable, stream) == isJournal)
        #expect(!JournalStream.isNamed(by: variable, nil))
    }

    @Test func jsonIsOneObjectALine() throws {
        let line = Self.line(.warning, "a\"\n写", [Log.Detail("path", "x\\y")], format: .json)
        #expect(!line.contains("\n"))
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["at"] as? String == "2026-11-20T10:00:00.000Z")
        #expect(object?["level"] as? String == "warning")
        #expect(object?["message"] as? String == "a\" 写")
        #expect(object?["details"] as? [String: String] == ["path": "x\\y"])
    }

    @Test(arguments: [
        ("a token", "sent eyJhbGciOi.eyJzdWIiOi.abc_-1 now", "sent … now"),
        ("a bearer", "Authorization: Bearer abc123 x", "Authorization: Bearer … x"),
        ("a service key", "with sb_secret_abcDEF-1", "with …"),
        ("a signed address", "GET /object/sign/a.jpg?token=abc.def&x=1", "GET /object/sign/a.jpg?token=…&x=1"),
        ("a signature", "https://s3/x?X-Amz-Signature=00ff", "https://s3/x?…"),
        ("a header", "apikey: abcdef", "apikey: …"),
        ("known by its value", "using hunter2hunter2!", "using …!"),
        ("nothing secret", "stored eyelid.jpg, 12 of 13 = fine", "stored eyelid.jpg, 12 of 13 = fine"),
    ])
    func secretsAreNeverWritten(_ row: (why: String, message: String, shown: String)) {
        let known = ["hunter2hunter2", "abc"]
        #expect(Self.line(.info, row.message, secrets: known) == "10:00:00 " + row.shown, "\(row.why)")
        let detail = Self.line(.info, "m", [Log.Detail("d", row.message)], format: .json, secrets: known)
        #expect(detail.contains(row.shown), "\(row.why)")
    }

    @Test func aLogIsWrittenToStandardError() throws {
        let recorded = try RecordedStreams()
        defer { recorded.directory.remove() }
        var settings = Settings().log
        settings.format = .json
        let log = recorded.console().log(settings, cleanser: Cleanser(hiding: ["hunter2hunter2"]))
        log.info("with hunter2hunter2")
        log.debug("not at this level")
        #expect(try recorded.resultText == "")
        #expect(try recorded.noteText.hasSuffix("\"message\":\"with …\"}\n"))
        #expect(try recorded.noteText.split(separator: "\n").count == 1)
    }
}
