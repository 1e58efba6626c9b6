import Configuration
import Testing
import Text

@testable import CommandLine
@testable import GallerySync

@Suite struct ManualPageTests {
    @Test func aPage() throws {
        let form = CommandForm(
            "show", "Show \"it\"", arguments: "[FILE…]", count: 0...9,
            options: [
                OptionForm("all", letter: "a", "Also .hidden ones"), OptionForm("in", value: "DIR", "Where"),
            ],
            details: [".htaccess isn't read.", "A \\ stays."], examples: [.init("show --all ~/x", "everything")]
        ) { _ throws(UsageError) in VersionRequest() }
        let expected = #"""
            .TH "GALLERY\-SYNC\-SHOW" 1 DAY "gallery\-sync VERSION" "gallery\-sync"
            .nh
            .ad l
            .SH NAME
            gallery\-sync\-show \- show \(dqit\(dq
            .SH "SYNOPSIS"
            \fBgallery\-sync show\fR [FILE\&.\|.\|.\&] [OPTION\&.\|.\|.\&]
            .SH "DESCRIPTION"
            Show \(dqit\(dq.
            .PP
            \&.htaccess isn\(aqt read.
            .PP
            A \e stays.
            .SH "OPTIONS"
            .TP
            \fB\-a\fR, \fB\-\-all\fR
            Also .hidden ones.
            .TP
            \fB\-\-in\fR \fIDIR\fR
            Where.
            .PP
            Options of every command are in gallery\-sync(1).
            .SH "EXIT STATUS"
            0 when all is done; gallery\-sync(1) lists the others.
            .SH "EXAMPLES"
            Everything:
            .RS 4
            .EX
            gallery\-sync show \-\-all \(ti/x
            .EE
            .RE
            .SH "SEE ALSO"
            .BR gallery\-sync (1)
            """#.replacing("DAY", with: Version.day).replacing("VERSION", with: Version.text)
        #expect(ManualPage(form).lines.joined(separator: "\n") == expected)
    }

    @Test func everyCommandHasAPage() {
        #expect(
            ManualPage.all(of: .all).map(\.name) == ["gallery-sync"]
                + CommandTable.all.forms.map { "gallery-sync-\($0.name)" })
    }

    static func page(_ name: String) throws -> ManualPage {
        try #require(ManualPage.all(of: .all).first { $0.name == name })
    }

    @Test(arguments: ManualPage.all(of: .all).map(\.name))
    func everyPageHasTheUsualSections(_ name: String) throws {
        let page = try Self.page(name)
        let sections = page.lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4).filter { $0 != "\"" } }
        let usual = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]
        #expect(sections.filter(usual.contains) == usual)
        let more = Set(sections).subtracting(usual)
        #expect(more == (page.name == "gallery-sync" ? ["COMMANDS", "FILES", "ENVIRONMENT"] : []))
    }

    /// troff drops a line that begins with a request it does not know, and what follows an unknown escape.
    @Test(arguments: ManualPage.all(of: .all).map(\.name))
    func nothingIsLostInTroff(_ name: String) throws {
        let requests: Set<Substring> = [
            ".TH", ".SH", ".PP", ".TP", ".RS", ".RE", ".EX", ".EE", ".BR", ".nh", ".ad",
        ]
        for line in try Self.page(name).lines {
            if line.hasPrefix(".") { #expect(requests.contains(line.prefix { $0 != " " }), "\(line)") }
            #expect(!line.hasPrefix("'") && !line.isEmpty, "\(line)")
            let rest = line.replacing(/\\(e|-|&|\||\((dq|aq|ga|ha|ti)|f[BIR])/, with: "")
            #expect(!rest.contains("\\"), "\(line)")
            let isPlain = rest.allSatisfy(\.isASCII)
            #expect(isPlain, "\(line)")
        }
    }

    @Test func everyVariableIsExplained() {
        let names = Set(ManualPage.variables.map(\.0))
        #expect(names.isSuperset(of: Setting.otherVariables))
        #expect(names.subtracting(Setting.otherVariables).count == 2)
    }
}
