import Testing

@testable import CommandLine
@testable import GallerySync

/// The messages for invalid command lines.
@Suite struct UsageTests {
    private static let textOnly = "What this prints is text, also for programs: leave out --json."

    private static let moment =
        "a date like 2026-11-20 or an age like 7d, 30d for a month and 30m for half an hour."

    @Test(
        arguments: [
            ("snyc", "Unknown command \"snyc\". Did you mean \"sync\"?", nil),
            ("frobnicate", "Unknown command \"frobnicate\".", nil),
            ("help snyc", "Unknown command \"snyc\". Did you mean \"sync\"?", "help"),
            ("--limit-rate 2M sync", "Unknown option \"--limit-rate\".", nil),
            ("sync --limitrate 2M", "Unknown option \"--limitrate\". Did you mean \"--limit-rate\"?", "sync"),
            ("sync --dryrun", "Unknown option \"--dryrun\". Did you mean \"--dry-run\"?", "sync"),
            ("sync --frobnicate", "Unknown option \"--frobnicate\".", "sync"),
            ("sync -x", "Unknown option \"-x\".", "sync"), ("sync -vx", "Unknown option \"-vx\".", "sync"),
            ("sync --limit-rate", "--limit-rate needs a value: RATE.", "sync"),
            ("sync --limit-rate=", "The value of --limit-rate is empty.", "sync"),
            ("sync --limit-rate 1 --limit-rate 2", "--limit-rate is given twice.", "sync"),
            ("sync --dry-run=yes", "--dry-run takes no value.", "sync"),
            ("sync -v -q", "--verbose and --quiet exclude each other.", "sync"),
            ("sync --color pink", "--color \"pink\": expected auto, always or never.", "sync"),
            ("sync --set upload", "--set \"upload\": expected KEY=VALUE.", "sync"),
            (
                "sync --set uplod.limitRate=1",
                "--set uplod.limitRate is not a setting. Did you mean \"upload.limitRate\"?", "sync"
            ),
            ("status --json --html f", "--json and --html exclude each other.", "status"),
            ("status --follow --check", "--follow and --check exclude each other.", "status"),
            ("status --max-age 1h", "--max-age needs --check.", "status"),
            ("status --check --max-age soon", "--max-age \"soon\": expected a duration like 24h or 2d.", "status"),
            ("status extra", "\"status\" does not take \"extra\".", "status"),
            ("reupload --all --missing", "--missing and --all exclude each other.", "reupload"),
            ("reupload --missing --code c", "--code and --missing exclude each other.", "reupload"),
            ("reupload --changed --code c", "--code and --changed exclude each other.", "reupload"),
            ("reupload --since yesterday", "--since \"yesterday\": expected \(moment)", "reupload"),
            ("reupload --since 7", "--since \"7\": expected \(moment)", "reupload"),
            ("restore --to x --since 1M", "--since \"1M\": expected \(moment)", "restore"),
            ("rescue --since 3d", "--since needs --from PROVIDER.", "rescue"),
            ("rescue --from table", "--from table needs the name of one table.", "rescue"),
            ("rescue --from fal a", "--from fal lists the jobs itself: leave out a.", "rescue"),
            (
                "rescue a --expires soon",
                "--expires \"soon\": expected a date like 2026-11-22T10:00:00Z or an age like 3h.", "rescue"
            ),
            ("jobs", "\"jobs\" needs one of: add, list, cancel.", "jobs"),
            ("jobs add fal", "\"jobs add\" needs a provider and a job's id.", "jobs"),
            ("jobs cancel", "\"jobs cancel\" needs a job, as \"jobs list\" shows it.", "jobs"),
            ("jobs list x", "\"jobs list\" takes nothing more.", "jobs"),
            ("generate fal m", "\"generate\" needs a --prompt, or an --input that holds one.", "generate"),
            (
                "generate fal m --prompt p --cost -1", "--cost \"-1\": expected an amount like 1.20.", "generate"
            ),
            ("restore", "\"restore\" needs --to DIR.", "restore"),
            ("queue", "\"queue\" needs one of: list, pause, resume, cancel.", "queue"),
            ("queue lits", "\"queue\" has no action \"lits\". Did you mean \"list\"?", "queue"),
            ("queue cancl", "\"queue\" has no action \"cancl\".", "queue"),
            ("queue pause a", "\"queue pause\" does not take \"a\".", "queue"),
            ("queue cancel", "\"queue cancel\" needs FILE….", "queue"),
            ("config", "\"config\" needs one of: show, check.", "config"),
            ("completion", "\"completion\" needs one of: bash, zsh, fish.", "completion"),
            ("completion basch", "\"completion\" has no action \"basch\". Did you mean \"bash\"?", "completion"),
            ("help sync --man d", "--man writes the pages of all commands.", "help"),
            ("config show me", "\"config\" does not take \"me\".", "config"),
            ("why", "\"why\" needs FILE….", "why"),
            ("thumbnail a", "\"thumbnail\" needs --output DIR.", "thumbnail"),
            ("thumbnail a -o d --size 15", "--size \"15\": expected a number from 16 to 4096.", "thumbnail"),
            ("thumbnail -o", "--output needs a value: DIR.", "thumbnail"),
            ("thumbnail a -o d --size 64 --size 64", "--size names 64 twice.", "thumbnail"),
            ("serve --port 65536", "--port \"65536\": expected a number from 0 to 65535.", "serve"),
            ("serve --session-time 30s", "--session-time needs --user NAME.", "serve"),
            ("serve --password-file f", "--password-file needs --user NAME.", "serve"),
            ("serve --user a\u{A0}b", "--user \"a\u{A0}b\": expected a name or an address, without spaces.", "serve"),
            (
                "serve --user a --session-time 0s",
                "--session-time \"0s\": expected a duration from 1s up, such as 30s.", "serve"
            ),
            ("completion bash --json", textOnly, "completion"), ("help --json", textOnly, "help"),
            ("--json help sync", textOnly, "help"), ("help json --json", textOnly, "help"),
            ("sync --help --json", textOnly, nil), ("demo --json", textOnly, "demo"),
            ("service install --print --json", textOnly, "service"), ("service logs --json", textOnly, "service"),
            ("queue cancel a --now", "--now needs resume.", "queue"),
            ("queue list --now", "--now needs resume.", "queue"),
            ("queue pause --now", "--now needs resume.", "queue"),
            ("jobs list --model m", "--model needs add.", "jobs"),
            ("jobs cancel fal:x --model m", "--model needs add.", "jobs"),
            ("rescue --column c", "--column needs --from table NAME.", "rescue"),
            ("rescue --from fal --column c", "--column needs --from table NAME.", "rescue"),
            ("rescue a.csv --thumbnail-column -", "--thumbnail-column needs --from table NAME.", "rescue"),
            ("rescue --expires 3h", "--expires needs links, or a list of them.", "rescue"),
            ("rescue --from fal --expires 3h", "--expires needs links, or a list of them.", "rescue"),
            ("rescue --from table t --expires 3h", "--expires needs links, or a list of them.", "rescue"),
            ("rescue --from table t u", "--from table needs the name of one table.", "rescue"),
            ("rescue --from table t --since 7d", "--since needs --from PROVIDER.", "rescue"),
            ("sync --set =x", "--set \"=x\": expected KEY=VALUE.", "sync"),
            ("sync --set =", "--set \"=\": expected KEY=VALUE.", "sync"),
            ("status --prometheus --json", "--prometheus and --json exclude each other.", "status"),
            ("status --prometheus --html f", "--prometheus and --html exclude each other.", "status"),
            ("status --prometheus --check", "--prometheus and --check exclude each other.", "status"),
            ("status --follow --html f", "--follow and --html exclude each other.", "status"),
            ("login --code --password-file f", "--code and --password-file exclude each other.", "login"),
            ("login --email ada", "--email \"ada\": expected an address like ada@example.org.", "login"),
            ("login --email @", "--email \"@\": expected an address like ada@example.org.", "login"),
            ("help --man d --schemas d", "--man and --schemas exclude each other.", "help"),
            ("help --schemas d sync", "--schemas writes those of all documents.", "help"),
            ("help json nothing", "Unknown document \"nothing\".", "help"),
            ("help sync queue", "\"help\" does not take \"queue\".", "help"),
            ("help json status x", "\"help\" does not take \"x\".", "help"),
            ("service", "\"service\" needs one of: install, remove, status, logs.", "service"),
            ("service remove --print", "--print needs install.", "service"),
            ("service status --follow", "--follow needs logs.", "service"),
            ("service rmove", "\"service\" has no action \"rmove\".", "service"),
            ("verify --deep 0", "--deep \"0\": expected a percentage above 0, up to 100.", "verify"),
            ("verify --deep 100.1%", "--deep \"100.1%\": expected a percentage above 0, up to 100.", "verify"),
            ("verify --deep nan", "--deep \"nan\": expected a percentage above 0, up to 100.", "verify"),
            ("verify --deep %", "--deep \"%\": expected a percentage above 0, up to 100.", "verify"),
            ("link a --expires 0s", "--expires \"0s\": expected a duration from 1s on, like 2h or 7d.", "link"),
            ("link a --expires 999ms", "--expires \"999ms\": expected a duration from 1s on, like 2h or 7d.", "link"),
            ("link", "\"link\" needs FILE….", "link"),
            ("gallery --port 99999", "--port \"99999\": expected a number from 0 to 65535.", "gallery"),
            ("generate fal", "\"generate\" needs another PROVIDER MODEL.", "generate"),
            ("generate fal m n --prompt p", "\"generate\" does not take \"n\".", "generate"),
            ("generate fal m --prompt p --cost nan", "--cost \"nan\": expected an amount like 1.20.", "generate"),
            ("generate fal m --prompt p --cost inf", "--cost \"inf\": expected an amount like 1.20.", "generate"),
            ("thumbnail a -o d --size 4097", "--size \"4097\": expected a number from 16 to 4096.", "thumbnail"),
            (
                "serve --etag multipart:4",
                "--etag \"multipart:4\": expected md5, multipart or multipart:N[:N] with N from 5 to 5120.", "serve"
            ),
            ("demo x", "\"demo\" does not take \"x\".", "demo"),
            ("version x", "\"version\" does not take \"x\".", "version"),
            ("serve --port +80", "--port \"+80\": expected a number from 0 to 65535.", "serve"),
            ("gallery --port +80", "--port \"+80\": expected a number from 0 to 65535.", "gallery"),
            ("thumbnail a -o d --size +64", "--size \"+64\": expected a number from 16 to 4096.", "thumbnail"),
            ("verify --deep +5%", "--deep \"+5%\": expected a percentage above 0, up to 100.", "verify"),
            ("verify --deep 0x5", "--deep \"0x5\": expected a percentage above 0, up to 100.", "verify"),
            ("generate fal m --prompt p --cost +1", "--cost \"+1\": expected an amount like 1.20.", "generate"),
            ("serve --port -1", "--port \"-1\": expected a number from 0 to 65535.", "serve"),
        ] as [(String, String, String?)])
    func refusals(_ row: (line: String, message: String, command: String?)) {
        let error = #expect(throws: UsageError.self) { try InvocationTests.invocation(row.line) }
        #expect(error?.message == row.message)
        #expect(error?.command == row.command)
    }

    @Test(arguments: [("sync", "help sync"), (nil, "help"), ("help", "help")] as [(String?, String)])
    func theAnswerSaysWhereToRead(command: String?, words: String) {
        let error = UsageError(message: "No.", command: command)
        #expect(error.description == "No.\nRun \"gallery-sync \(words)\" to see what can be written.")
    }

    @Test func anOptionsValueMustBeText() {
        let words = [Array("sync".utf8), Array("--profile".utf8), [0xFF]]
        let error = #expect(throws: UsageError.self) { try Invocation(words) }
        #expect(error?.message == "The value of --profile is not UTF-8 text.")
    }
}
