import CommandLine
import Output
import Platform
import Text

extension Run {
    /// `help`: explains one command or all, and writes schemas and manual pages.
    func help(_ request: HelpRequest) throws -> ExitCode {
        switch request {
        case .overview: try console.result(HelpText.overview(of: .all, columns: columns))
        case .command(let name):
            try console.result(
                CommandTable.all.form(named: name).map { HelpText.text(for: $0, columns: columns) }
                    ?? HelpText.overview(of: .all, columns: columns))
        case .documents: try console.result(HelpText.documents(of: .all, event: .event, columns: columns))
        case .document(let name):
            for form in DocumentForm.all where form.title == name {
                try console.result(json: JSONDocument.bytes(form.schema))
            }
        case .schemas(let folder): return try schemas(folder)
        case .manual(let folder): return try manual(folder)
        }
        return .success
    }

    /// `help --schemas`: a JSON Schema for each document.
    private func schemas(_ folder: FilePath) throws -> ExitCode {
        let folder = try self.folder(folder)
        try Directory.create(at: folder, mode: 0o755)
        let files = DocumentForm.all.map { form in
            let name = form.name.replacing("/", with: "-") + ".schema.json"
            return (
                OutputFile(path: folder.appending(name), mark: DocumentForm.mark, kind: "JSON Schema"), form.schema
            )
        }
        for (file, _) in files { try file.check() }
        for (file, schema) in files { try file.write(JSONDocument.bytes(schema), mode: 0o644) }
        if !invocation.isQuiet {
            console.note("Wrote \(DocumentForm.all.count) JSON Schemas into \(DisplayText.safe(folder.display))")
        }
        return .success
    }

    /// `help --man`: a page for the program and one for each command.
    private func manual(_ folder: FilePath) throws -> ExitCode {
        let folder = try self.folder(folder)
        try Directory.create(at: folder, mode: 0o755)
        let pages = ManualPage.all(of: .all)
        let files = pages.map { page in
            OutputFile(path: folder.appending("\(page.name).1"), mark: Array(page.title.utf8), kind: "manual page")
        }
        for file in files { try file.check() }
        for (file, page) in zip(files, pages) {
            try file.write(Array((page.lines.joined(separator: "\n") + "\n").utf8), mode: 0o644)
        }
        if !invocation.isQuiet {
            console.note("Wrote \(pages.count) manual pages into \(DisplayText.safe(folder.display))")
        }
        return .success
    }
}
