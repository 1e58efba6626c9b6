import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// The script as a real bash runs it.
@Suite struct BashCompletionTests {
    /// What bash offers for the last of `words`; `<…>` stands for what bash completes by itself.
    static func offers(_ words: [String]) async throws -> [String] {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let script = directory.path.appending("completion")
        try OpenFile(creating: script).append(Array(BashCompletion(.all).lines.joined(separator: "\n").utf8))
        let output = try OpenFile(creating: directory.path.appending("output"))
        // compopt works only while readline completes, so it is replaced by a function that prints its arguments.
        let program = """
            set -u
            source "$1"; shift
            compopt() { printf '<%s>\\n' "$2"; }
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            _gallery_sync
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let bash = try ChildProcess.spawn(
            "/bin/bash", arguments: ["--norc", "-c", program, "bash", script.display, "gallery-sync"] + words,
            descriptors: [1: output.descriptor])
        #expect(try await bash.end("bash completes") == .exited(0))
        return String(decoding: try output.readAll(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(
        arguments: [
            (["s"], ["sync", "status", "serve", "service"]), (["--col"], ["--color"]),
            (["sync", "--dry"], ["--dry-run"]),
            (["sync", "--dir"], []), (["sync", "Pic"], ["<dirnames>"]), (["link", ""], ["<default>"]),
            (["sync", "--", "--dry"], ["<dirnames>"]), (["--color", ""], ["auto", "always", "never"]),
            // bash treats the equals sign as a word of its own.
            (["--color", "=", "a"], ["auto", "always"]), (["sync", "--color", "="], ["auto", "always", "never"]),
            (["sync", "--limit-rate", ""], []), (["sync", "--limit-rate", "2M", "--dry"], ["--dry-run"]),
            (["queue", "r"], ["resume"]), (["queue", "cancel", ""], ["<default>"]),
            (["--profile", "nas", "queue", "p"], ["pause"]), (["jobs", "add", "re"], ["rendio", "replicate"]),
            (["status", "--html", ""], ["<default>"]), (["thumbnail", "a.jpg", "-o", ""], ["<dirnames>"]),
            (["sync", "--set", "upload.limit"], ["<nospace>", "upload.limitRate="]),
            (["sync", "--set", "upload.limitRate", "=", ""], []),
            (["sync", "--set", "upload.limitRate", "=", "2M", "--dry"], ["--dry-run"]),
            (["rescue", "--from", "t"], ["together", "table"]), (["help", "verif"], ["verify"]),
            (["completion", "f"], ["fish"]),
            (["generate", "f"], ["fal"]), (["demo", "--k"], ["--keep"]),
        ] as [([String], [String])])
    func whatIsOffered(_ words: [String], _ expected: [String]) async throws {
        #expect(try await Self.offers(words) == expected)
    }
}

/// What applies to the scripts of all shells.
@Suite struct CompletionTests {
    @Test(arguments: CommandTable.all.forms.map(\.name))
    func everyWordIsInEveryScript(_ name: String) throws {
        let form = try #require(CommandTable.all.form(named: name))
        let lines = [BashCompletion(.all).lines, ZshCompletion(.all).lines, FishCompletion(.all).lines]
        let scripts = lines.map { $0.joined(separator: "\n") }
        for option in form.options + CommandTable.general {
            #expect(scripts[0].contains("--\(option.name)"))
            #expect(scripts[1].contains("--\(option.name)\(option.value == nil ? "" : "=")["))
            #expect(scripts[2].contains(" -l \(option.name) "))
        }
        for word in form.actions.map(\.name) + form.candidates.words(in: .all) + [name] {
            for script in scripts { #expect(script.contains(word)) }
        }
    }

    /// An apostrophe in a summary would end the quotes it stands in.
    @Test func apostrophesAreQuotedAsTheShellReadsThem() {
        #expect(ShellText.quoted("it's") == "'it'\\''s'")
        #expect(ShellText.quoted("it's", quote: "\\'") == "'it\\'s'")
    }
}
