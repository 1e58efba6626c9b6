import Testing

@testable import CommandLine
@testable import GallerySync

/// What an unknown command is answered with.
@Suite struct SuggestionTests {
    @Test(
        arguments: [
            ("snyc", ["sync"]), ("sycn", ["sync"]), ("wach", ["watch"]), ("stats", ["status"]), ("stat", ["status"]),
            ("int", ["init"]), ("restor", ["restore"]), ("docter", ["doctor"]), ("verfy", ["verify"]),
            ("thumbnails", ["thumbnail"]), ("confg", ["config"]), ("sevre", ["serve"]), ("hlep", ["help"]),
            ("logn", ["login"]), ("lnk", ["link"]), ("qeue", ["queue"]), ("SYNC", ["sync"]),
            ("pause", ["queue pause"]), ("puase", ["queue pause"]), ("pasue", ["queue pause"]),
            ("resume", ["queue resume"]), ("resum", ["queue resume"]), ("list", ["queue list", "jobs list"]),
            ("lits", ["queue list", "jobs list"]), ("add", ["jobs add"]), ("check", ["config check"]),
            ("chekc", ["config check"]), ("show", ["config show"]), ("queue-pause", ["queue pause"]),
            ("queuepause", ["queue pause"]), ("queue pause", ["queue pause"]), ("jobs-list", ["jobs list"]),
            ("configcheck", ["config check"]), ("bash", ["completion bash"]),
        ] as [(String, [String])])
    func whatIsNear(word: String, lines: [String]) {
        let quoted = lines.map { "\"\($0)\"" }.joined(separator: " or ")
        #expect(CommandTable.all.suggestion(for: word) == " Did you mean \(quoted)?")
    }

    @Test(arguments: [
        "prun", "prune!", "purne", "prunes", "reup", "reuplaod", "re-upload", "upload", "generat", "generte", "cancel",
        "cancle", "queue-cancel", "jobscancel", "rescu", "resuce", "logot", "log-out", "signout", "delete", "remove",
        "nope", "rm", "frobnicate", "x", "",
    ])
    func nothingThatMustBeMeantAndNothingInItsPlace(word: String) {
        #expect(CommandTable.all.suggestion(for: word) == "")
    }

    /// Every spelling that is one letter away from a command line that must be meant.
    @Test func noMistypedLetterLeadsToOne() {
        let grave = CommandTable.all.forms.flatMap { form in
            (form.mustBeMeant ? [form.name] : [])
                + form.actions.filter(\.mustBeMeant).flatMap { [$0.name, form.name + " " + $0.name] }
        }
        #expect(Set(grave).isSuperset(of: ["prune", "reupload", "generate", "rescue", "logout", "queue cancel"]))
        for line in grave {
            for index in line.indices {
                for letter in ["", "e", "x"] {
                    let word = line.replacingCharacters(at: index, with: letter)
                    let suggestion = CommandTable.all.suggestion(for: word)
                    #expect(!grave.contains { suggestion.contains("\"\($0)\"") }, "\(word):\(suggestion)")
                }
            }
        }
    }
}

extension String {
    fileprivate func replacingCharacters(at index: Index, with letter: String) -> String {
        String(self[..<index]) + letter + self[self.index(after: index)...]
    }
}
