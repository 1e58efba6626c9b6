import Configuration
import Platform
import Testing
import Text

@testable import CommandLine
@testable import GallerySync

@Suite struct HelpTextTests {
    @Test(arguments: CommandTable.all.forms.map(\.name))
    func everyCommandHasExamplesThatParse(_ name: String) throws {
        let form = try #require(CommandTable.all.form(named: name))
        #expect(!form.examples.isEmpty)
        for example in form.examples {
            #expect(example.words.split(separator: " ").contains { $0 == name })
            _ = try InvocationTests.invocation(example.words)
        }
    }

    @Test(arguments: CommandTable.all.forms.map(\.name))
    func everyLineFitsATerminal(_ name: String) throws {
        let form = try #require(CommandTable.all.form(named: name))
        for line in HelpText.text(for: form) + HelpText.overview(of: .all) {
            #expect(DisplayText.width(line) <= 80, "\(line)")
        }
    }

    /// Only what may be copied is longer: an example, or an option with its value.
    @Test(arguments: CommandTable.all.forms.map(\.name), [40, 60])
    func helpFitsANarrowTerminal(_ name: String, columns: Int) throws {
        let form = try #require(CommandTable.all.form(named: name))
        let documents = HelpText.documents(of: .all, event: .event, columns: columns)
        for line in HelpText.text(for: form, columns: columns) + HelpText.overview(of: .all, columns: columns)
            + documents
        {
            let isCopied = line.hasPrefix("  gallery-sync ")
            #expect(DisplayText.width(line) <= columns || isCopied, "\(line)")
        }
    }

    /// What is newer is told by other times in each.
    @Test(arguments: [
        ("reupload", "was found or changed"), ("restore", "was changed"), ("rescue", "was finished"),
    ])
    func sinceSaysWhatCounts(_ name: String, happened: String) throws {
        let form = try #require(CommandTable.all.form(named: name))
        let text = HelpText.text(for: form).flatMap { $0.split(separator: " ") }.joined(separator: " ")
        #expect(text.contains("--since DATE Only what \(happened) since: 2026-11-20, or an age like 7d"), "\(text)")
    }

    @Test(arguments: CommandTable.all.forms.map(\.name))
    func everyOptionIsExplained(_ name: String) throws {
        let form = try #require(CommandTable.all.form(named: name))
        let help = HelpText.text(for: form).joined(separator: "\n")
        for option in form.options { #expect(help.contains("--\(option.name)")) }
    }

    @Test func noNameMeansTwoThings() {
        for form in CommandTable.all.forms {
            let options = form.options + CommandTable.general
            #expect(Set(options.map(\.name)).count == options.count, "\(form.name)")
            let letters = options.compactMap(\.letter)
            #expect(Set(letters).count == letters.count, "\(form.name)")
        }
        #expect(Set(CommandTable.all.forms.map(\.name)).count == CommandTable.all.forms.count)
    }

    @Test func optionsOfSettingsNameSettings() {
        for option in CommandTable.all.forms.flatMap(\.options) + CommandTable.general {
            if let key = option.setting { #expect(Setting.named(key) != nil, "\(key)") }
        }
    }

    @Test func theOverview() {
        let expected = """
            gallery-sync keeps folders of photos and videos safe in Supabase Storage.

            Usage: gallery-sync COMMAND [OPTION…]

            Commands:
              init        Set up a profile: what to keep safe, and where
              sync        Store everything once, then exit
              watch       Keep everything stored until stopped
              open        Show the gallery page of the running agent in the browser
              gallery     Show the gallery page without an agent, for reading only
              status      What is stored, what waits, what failed
              reupload    Send again what failed, is missing, or everything
              restore     Bring objects back as files
              link        A URL that shows a stored file
              queue       Look into and steer what is being sent
              verify      Compare what storage holds with what was stored
              prune       Objects whose files are gone
              why         What was decided about a file, and when
              rescue      Bring finished videos of providers into storage
              jobs        Video generations that are followed until they are stored
              generate    Order a video from fal, rendio or storytovideo
              thumbnail   Make thumbnails only
              serve       Run the storage server on this computer
              demo        Show all of it on made-up media, on this computer
              login       Sign in as a user of the project
              logout      End the sign-in, here and on the server
              doctor      Find out what stands in the way
              service     Run watch at every login, as a systemd service of yours
              config      Show every setting and its origin, or check them
              completion  Print what makes a shell complete these commands
              help        Explain a command
              version     Print the version

            Options of every command:
                  --config FILE        Read this configuration
                  --profile NAME       Use this profile of it (default: default)
                  --state-dir DIR      Keep state, cache, runtime files and local storage
                                       below DIR
                  --local              Keep a second copy on this computer only
                  --set KEY=VALUE      Set any setting, such as upload.concurrency=2
                  --json               Write results as JSON
              -v, --verbose            Say more; -vv says everything
              -q, --quiet              Say only what went wrong
                  --color WHEN         auto, always or never
                  --log-format FORMAT  text or json
              -h, --help               Explain the command
                  --version            Print the version

            Start with "gallery-sync init", or see it all with "gallery-sync demo".
            "gallery-sync help COMMAND" explains one.
            """
        #expect(HelpText.overview(of: .all).joined(separator: "\n") == expected)
    }

    @Test func oneCommand() {
        let expected = """
            Show all of it on made-up media, on this computer.

            Usage: gallery-sync demo [OPTION…]

            Makes photos and videos in a temporary folder, stores them in a storage server
            of its own that fails now and then, restores them into a second folder, and
            compares byte for byte. Touches nothing else.

            Options:
                  --keep  Leave what was made, and keep it running

            Examples:
              # about a minute
              gallery-sync demo
              # look around afterwards
              gallery-sync demo --keep

            "gallery-sync help" lists the options of every command.
            """
        #expect(HelpText.text(for: CommandTable.demo).joined(separator: "\n") == expected)
    }
}
