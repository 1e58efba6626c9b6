import Foundation
import Platform
import TestSupport
import Testing

/// What commands write with `--json`, against the JSON Schemas that the program prints.
@Suite struct SchemaTests {
    /// Reads the documents in its standard input, and prints the name of each and what does not fit.
    ///
    /// Keys that a schema does not know are errors here, so that none goes undocumented.
    private static let validator = """
        import json, pathlib, sys
        from jsonschema import Draft202012Validator
        def strict(node):
            if isinstance(node, dict):
                if "properties" in node: node["additionalProperties"] = False
                for value in node.values(): strict(value)
            elif isinstance(node, list):
                for value in node: strict(value)
        schemas = {}
        for path in pathlib.Path(sys.argv[1]).glob("*.schema.json"):
            schema = json.loads(path.read_text())
            Draft202012Validator.check_schema(schema)
            strict(schema)
            schemas[path.name.removesuffix(".schema.json")] = Draft202012Validator(schema)
        text, place = sys.stdin.read(), 0
        while text[place:].strip():
            place += len(text[place:]) - len(text[place:].lstrip())
            document, place = json.JSONDecoder().raw_decode(text, place)
            name = document.get("schema", "gallery-sync/item/1").split("/", 1)[1].replace("/", "-")
            print(name)
            for error in schemas[name].iter_errors(document):
                print("WRONG", name, list(error.absolute_path), error.message)
        """

    @Test func whatCommandsWriteFitsTheirSchemas() async throws {
        try await ProgramFixture.local(["a.jpg": "one", "b.jpg": "two", "c.png": ""]) { fixture in
            let schemas = fixture.folder.appending("schemas").display
            #expect(try await fixture.run("help", "--schemas", schemas).code == 0)
            _ = try await fixture.hasty("1s").run("sync", fixture.gallery.display)
            let commands = [
                ["status"], ["sync", fixture.gallery.display, "--dry-run"], ["sync", fixture.gallery.display],
                ["why", fixture.gallery.appending("a.jpg").display], ["doctor"], ["config", "show"],
                ["config", "check"], ["jobs", "list"], ["queue", "list"], ["prune"], ["verify"],
                ["restore", "--to", fixture.folder.appending("back").display], ["reupload", "--dry-run"],
                ["thumbnail", fixture.gallery.appending("a.jpg").display, "-o", fixture.folder.display],
                ["version"], ["snyc"],
            ]
            var documents = ""
            for words in commands {
                let end = try await fixture.run(words + ["--json"])
                documents += end.results.isEmpty ? end.notes : end.results
            }
            let input = fixture.folder.appending("documents.json")
            try Data(documents.utf8).write(to: URL(fileURLWithPath: input.display))
            let check = try fixture.shell("/usr/bin/python3 -c '\(Self.validator)' '\(schemas)' < '\(input)'")
            let end = try await check.end()
            let lines = end.results.split(separator: "\n").map(String.init)
            #expect(end.code == 0, "\(end.notes)")
            #expect(lines.filter { $0.hasPrefix("WRONG") } == [])
            #expect(
                Set(lines).isSuperset(of: [
                    "status-1", "event-1", "preview-1", "why-1", "doctor-1", "config-1", "check-1", "jobs-1", "item-1",
                    "prune-1",
                    "reupload-plan-1", "thumbnail-1", "version-1", "error-1",
                ]))
        }
    }
}
