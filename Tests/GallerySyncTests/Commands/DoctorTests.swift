import Catalog
import Diagnosis
import Foundation
import Gallery
import Output
import Platform
import Records
import Testing
import Text

@testable import GallerySync

@Suite struct DoctorTests {
    @Test func withoutADestinationThatIsTheFinding() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        #expect(await fixture.run("doctor --set thumbnails.enabled=false") == .configuration)
        let lines = try fixture.results.split(separator: "\n")
        #expect(lines.first?.hasPrefix("wrong  destination  No destination.") == true)
        #expect(lines.contains { $0.contains("state") })
    }

    @Test func withoutAKeyThatIs() async throws {
        var fixture = try CommandFixture()
        defer { fixture.remove() }
        fixture.environment["GALLERY_SYNC_DESTINATION_URL"] = "https://a.example"
        #expect(await fixture.run("doctor --set thumbnails.enabled=false") == .denied)
        fixture.environment["GALLERY_SYNC_DESTINATION_KEY_FILE"] = "/none"
        #expect(await fixture.run("doctor --set thumbnails.enabled=false") == .configuration)
    }

    /// The second copy's folder cannot be opened: that is what doctor is for, and no reason to end without a finding.
    @Test func aStorageThatCannotBeOpenedIsAFinding() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        let storage = fixture.home.appending(".local/share/gallery-sync/storage")
        try Directory.create(at: storage.parent)
        // As no directory, it cannot be entered.
        try OpenFile(creating: storage).append([1])
        #expect(await fixture.run("doctor --local --set thumbnails.enabled=false") == .configuration)
        let lines = try fixture.results.split(separator: "\n")
        #expect(lines.first?.hasPrefix("wrong  destination  ") == true, "\(lines)")
        #expect(lines.contains { $0.contains("state") })
    }

    @Test func aDestinationThatDoesNotAnswerIsTemporary() async throws {
        try await CommandFixture.with(environment: [
            "GALLERY_SYNC_DESTINATION_URL": "http://127.0.0.1:1", "GALLERY_SYNC_KEY": "k",
        ]) { fixture async throws in
            #expect(await fixture.run("doctor --set thumbnails.enabled=false") == .temporary)
            #expect(try fixture.results.contains("wrong  connection"))
        }
    }

    @Test func onThisComputerTheBucketIsStillToBeMade() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        let words = "doctor --json --local --set thumbnails.enabled=false"
        #expect(await fixture.run(words) == .success)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(try fixture.results.utf8)) as? [String: Any])
        #expect(document["schema"] as? String == "gallery-sync/doctor/1")
        #expect(document["fine"] as? Bool == true)
        let findings = try #require(document["findings"] as? [[String: Any]])
        #expect(findings.first?["name"] as? String == "destination")
        let bucket = findings.first { $0["name"] as? String == "bucket" }
        #expect((bucket?["sentence"] as? String)?.hasPrefix("media does not exist yet") == true)
        // It runs beside other processes that write, so it takes no lock and creates no state.
        #expect(try FileFacts.existing(fixture.home.appending(".local/state")) == nil)
    }

    @Test(
        arguments: [
            ([.fine("a", "")], .success), ([.doubtful("a", "")], .success), ([.wrong("a", "")], .someFailed),
            ([.wrong("a", "", ending: .notPermitted(""))], .denied), ([], .success),
        ] as [([Finding], ExitCode)])
    func whatIsWrongDecidesTheEnd(findings: [Finding], code: ExitCode) {
        #expect(ExitCode(findings) == code)
    }

    /// A script reads one code, wherever in the list the gravest finding stands.
    @Test func theGravestFindingDecidesTheEnd() {
        let grave: [(Finding, ExitCode)] = [
            (.wrong("a", "", ending: .needsHuman("")), .configuration),
            (.wrong("b", "", ending: .notPermitted("")), .denied),
            (.wrong("c", "", ending: .full("")), .full), (.wrong("d", "", ending: .disk("")), .disk),
            (.wrong("e", "", ending: .temporary("")), .temporary), (.wrong("f", ""), .someFailed),
            (.fine("g", ""), .success),
        ]
        for (index, (_, code)) in grave.enumerated() {
            let findings = grave[index...].map(\.0)
            #expect(ExitCode(findings) == code && ExitCode(findings.reversed()) == code)
        }
    }

    @Test func aLongSentenceGoesOnBelowItsBeginning() {
        let long = String(repeating: "word ", count: 30) + "end"
        let lines = FindingLines.text([.fine("first", long), .wrong("b", "short")], .none)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.first?.hasPrefix("ok     first  word word") == true)
        #expect(lines.dropFirst().first?.hasPrefix("              word") == true)
        #expect(lines.last == "wrong  b      short")
    }

    /// Beside a long name a narrow terminal leaves too little room.
    @Test(arguments: [(44, "ok     media worker"), (60, "ok     media worker  word word word")])
    func aSentenceFitsTheTerminal(columns: Int, start: String) {
        let long = String(repeating: "word ", count: 30) + "end"
        let lines = FindingLines.text([.fine("media worker", long), .wrong("b", "short")], .none, columns: columns)
        #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
        #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
        #expect(lines.last?.hasSuffix("  short") == true)
    }

    @Test func eachStatementIsPrintedOnce() {
        let findings: [Finding] = [
            .wrong("a", "", sql: "one;"), .wrong("b", "", sql: "begin; one; two;"), .fine("c", ""),
            .wrong("d", "", sql: "three;"), .wrong("e", "", sql: "three;"), .wrong("f", "", sql: "begin; one; two;"),
        ]
        #expect(FindingLines.sql(findings) == "begin; one; two;\n\nthree;")
    }
}
