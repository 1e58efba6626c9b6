import Foundation
import Reporting
import Testing

@Suite struct ReportJSONTests {
    static func object(_ report: Report) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(try report.json()))
        return try #require(object as? [String: Any])
    }

    @Test(arguments: [Reports.empty, Reports.troubled])
    func everyDocumentedKeyIsThere(_ report: Report) throws {
        let object = try Self.object(report)
        let documented: Set<String> = [
            "schema", "version", "destination", "agent", "assets", "besides", "queue", "bytes", "oldestWaiting",
            "nextAttempt", "failures",
        ]
        #expect(documented.isSubset(of: object.keys))
        for (key, members) in [
            ("agent", ["running", "paused", "reason"]),
            ("assets", ["total", "stored", "waiting", "failed", "unreadable"]),
            ("besides", ["ignored", "gone", "excluded", "remoteOnly", "leftOutStored"]),
            ("queue", ["pending", "uploading", "completed", "failed"]), ("bytes", ["total", "stored"]),
        ] {
            let group = try #require(object[key] as? [String: Any])
            #expect(Set(members).isSubset(of: group.keys), "\(key)")
        }
    }

    @Test func whatIsUnknownIsNull() throws {
        let object = try Self.object(Reports.empty)
        #expect(object["destination"] is NSNull)
        #expect(object["oldestWaiting"] is NSNull)
        #expect(object["nextAttempt"] is NSNull)
    }

    @Test func valuesStandUnderTheirKeys() throws {
        let object = try Self.object(Reports.troubled)
        #expect(object["schema"] as? String == "gallery-sync/status/1")
        #expect(object["nextAttempt"] as? String == "2026-11-20T10:02:00.000Z")
        let assets = try #require(object["assets"] as? [String: Int])
        #expect(assets == ["total": 1000, "stored": 990, "waiting": 6, "failed": 3, "unreadable": 1])
        let failures = try #require(object["failures"] as? [[String: Any]])
        #expect(failures.map { $0["code"] as? String } == ["storage.EntityTooLarge", "file.EACCES"])
        #expect(failures.map { $0["count"] as? Int } == [3, 1])
        #expect(failures[0]["path"] as? String == "Pictures/a.mp4")
        #expect(failures.allSatisfy { ($0["next"] as? String)?.isEmpty == false })
    }

    /// A script that reads the document words nothing itself, and sees what `--check` ends with.
    @Test func whatTheTextSaysIsThere() throws {
        var report = Reports.troubled
        report.queue.paused = true
        let object = try Self.object(report)
        #expect(object["headline"] as? String == report.headline && object["percent"] as? Int == 99)
        let reasons = try #require(object["reasons"] as? [[String: String]])
        #expect(reasons.map { $0["message"] } == report.reasons().map(\.message))
        #expect(
            reasons.contains([
                "ending": "temporary", "message": "The queue is paused.", "next": "Run \"gallery-sync queue resume\".",
            ]), "\(reasons)")
        let patient = try JSONSerialization.jsonObject(with: Data(try report.json(maxAge: .seconds(1))))
        let more = (patient as? [String: Any])?["reasons"] as? [[String: String]]
        #expect(more?.count == report.reasons(maxAge: .seconds(1)).count && more?.count != reasons.count)
    }

    @Test func picturesStayOut() throws {
        let text = String(decoding: try Reports.troubled.json(), as: UTF8.self)
        #expect(!text.contains("thumbnail"))
        #expect(text.hasSuffix("}\n"))
    }

    @Test func aReportSurvivesEncoding() throws {
        let copy = try JSONDecoder().decode(Report.self, from: JSONEncoder().encode(Reports.troubled))
        #expect(copy == Reports.troubled)
    }
}
