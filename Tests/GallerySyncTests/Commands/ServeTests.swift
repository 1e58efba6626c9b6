import Output
import Platform
import TestSupport
import Testing

@testable import GallerySync

@Suite struct ServeTests {
    @Test(arguments: [
        ("{rules: [{lag: 1}]}", "faults: rule 1: \"lag\" is unknown; a rule has "),
        ("{rules: 1}", "faults: there is no list of \"rules\"."),
        ("no", "faults: is not valid JSON5, line 1: no is no value; text needs quotation marks."),
        ("{rules: [{rate: 0x0x1}]}", "faults: is not valid JSON5, line 1: 0x0x1 is no number."),
    ])
    func rulesThatCannotBeUsedNeedAHuman(text: String, sentence: String) async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        let file = fixture.home.appending("faults")
        try OpenFile(creating: file).write(Array(text.utf8), at: 0)
        #expect(await fixture.run("serve --faults \(file)") == .configuration)
        #expect(try fixture.notes.contains(sentence))
        #expect(try fixture.results.isEmpty)
    }

    @Test func usersNeedAPassword() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        #expect(await fixture.run("serve --user ada") == .usage)
        #expect(try fixture.notes.contains("add --password-file FILE, or set GALLERY_SYNC_SERVE_PASSWORD."))
        try fixture.write("p", to: fixture.home.appending("pw"), mode: 0o644)
        #expect(await fixture.run("serve --user ada --password-file pw") == .configuration)
        #expect(try fixture.results.isEmpty)
    }
}
