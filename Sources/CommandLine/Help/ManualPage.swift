import Gallery
import Text

/// A page of the manual, section 1, from the same table that the parser uses.
package struct ManualPage: Hashable, Sendable {
    /// Without the section, such as `gallery-sync-sync`.
    package let name: String
    /// One line without a full stop.
    let summary: String
    private var body: [String] = []

    /// The page of the program, then one for each command.
    package static func all(of table: CommandTable) -> [ManualPage] {
        [program(of: table)] + table.forms.map(ManualPage.init)
    }

    /// How the page's source begins, whatever version wrote it.
    package var title: String { ".TH \(Roff.quoted(name.uppercased())) 1" }

    /// The page's source.
    package var lines: [String] {
        let start = summary.prefix(1).lowercased() + summary.dropFirst()
        return [
            "\(title) \(Version.day) \(Roff.quoted("gallery-sync \(Version.text)")) "
                + "\(Roff.quoted("gallery-sync"))",
            // No hyphenation, so that names of settings stay whole; no justification.
            ".nh", ".ad l",
            ".SH NAME", "\(Roff.escaped(name)) \\- \(Roff.escaped(start))",
        ] + body
    }

    init(name: String, summary: String) {
        self.name = name
        self.summary = summary
    }

    /// The page of one command.
    init(_ form: CommandForm) {
        self.init(name: "gallery-sync-\(form.name)", summary: form.summary)
        synopsis("gallery-sync \(form.name)", form.arguments + (form.options.isEmpty ? "" : " [OPTION…]"))
        section("DESCRIPTION", paragraphs: ["\(form.summary)."] + form.details)
        let general = "Options of every command are in gallery-sync(1)."
        section("OPTIONS", paragraphs: form.options.isEmpty ? [general] : [])
        if !form.options.isEmpty {
            options(form.options)
            paragraph(general)
        }
        section("EXIT STATUS", paragraphs: ["0 when all is done; gallery-sync(1) lists the others."])
        examples(form.examples)
        section("SEE ALSO")
        references(["gallery-sync"])
    }
}

extension ManualPage {
    /// Begins a section; its first paragraph needs no macro.
    mutating func section(_ title: String, paragraphs: [String] = []) {
        body.append(".SH \(Roff.quoted(title))")
        body += paragraphs.prefix(1).map(Roff.line)
        paragraphs.dropFirst().forEach { paragraph($0) }
    }

    mutating func paragraph(_ text: String) { body += [".PP", Roff.line(text)] }

    mutating func synopsis(_ words: String, _ arguments: String) {
        section("SYNOPSIS")
        body += ["\(Roff.bold(words)) \(Roff.escaped(arguments))".trimmingSuffix { $0 == " " }]
    }

    /// Terms, each with what it means.
    mutating func terms(_ rows: [(String, String)]) {
        for (term, meaning) in rows { body += [".TP", Roff.bold(term), Roff.line(meaning)] }
    }

    mutating func options(_ options: [OptionForm]) {
        for option in options {
            let names = (option.letter.map { ["-\($0)"] } ?? []) + ["--" + option.name]
            let value = option.value.map { " " + Roff.italic($0) } ?? ""
            body += [".TP", names.map(Roff.bold).joined(separator: ", ") + value, Roff.line(option.summary + ".")]
        }
    }

    mutating func examples(_ examples: [CommandForm.Example]) {
        section("EXAMPLES")
        for (index, example) in examples.enumerated() {
            let purpose = example.purpose.prefix(1).uppercased() + example.purpose.dropFirst()
            if index > 0 { body.append(".PP") }
            body += [Roff.line(purpose + ":"), ".RS 4", ".EX"]
            body += [Roff.line("gallery-sync \(example.words)"), ".EE", ".RE"]
        }
    }

    /// Other pages of section 1.
    mutating func references(_ names: [String]) {
        for (index, name) in names.enumerated() {
            body.append(".BR \(Roff.escaped(name)) (1)\(index + 1 < names.count ? "," : "")")
        }
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while isSuperfluous: (Character) -> Bool) -> String {
        var rest = self[...]
        while let last = rest.last, isSuperfluous(last) { rest = rest.dropLast() }
        return String(rest)
    }
}
