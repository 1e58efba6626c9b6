import Configuration
import Gallery
import Output
import Providers

extension ManualPage {
    /// The page of the program whose commands `table` has.
    static func program(of table: CommandTable) -> ManualPage {
        var page = ManualPage(
            name: "gallery-sync", summary: "Keeps folders of photos and videos safe in Supabase Storage")
        page.synopsis("gallery-sync", "COMMAND [OPTION…]")
        page.section("DESCRIPTION", paragraphs: description)
        page.section("COMMANDS")
        page.terms(table.forms.map { ("\($0.name) \($0.arguments)", $0.summary + ".") })
        page.section("OPTIONS", paragraphs: ["These hold for every command."])
        page.options(CommandTable.general)
        page.section("EXIT STATUS")
        page.terms(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
        page.section("FILES")
        page.terms(files)
        page.section("ENVIRONMENT", paragraphs: ["An option wins over a variable, which wins over the configuration."])
        page.terms(variables)
        page.examples([
            .init("demo", "see all of it on made-up media"), .init("init ~/Pictures", "set up"),
            .init("sync", "store everything once"), .init("status", "see what is safe"),
            .init("restore --to ~/back", "bring everything back"),
        ])
        page.section("SEE ALSO")
        page.references(table.forms.map { "gallery-sync-\($0.name)" })
        return page
    }

    private static let description = [
        "Watches folders, makes thumbnails, keeps an upload queue that can be read as JSON, uploads, asks the server for "
            + "proof, writes a receipt for every object, and tells what is safe and what is not. Brings everything back "
            + "from the bucket alone.",
        "It never changes, moves or deletes a source file, and never overwrites an object that it did not put there.",
        "Without a destination it stores nothing: gallery-sync init sets one up, and --local keeps a second copy on "
            + "this computer only.",
    ]

    private static let files = [
        ("~/.config/gallery-sync/config.json5", "The profiles and their settings; \"config show\" lists all settings."),
        ("~/.local/state/gallery-sync/PROFILE/queue.json", "The upload queue, one item a line."),
        ("~/.local/state/gallery-sync/PROFILE/library.sqlite", "What is known of each file, and the receipts."),
        ("~/.local/state/gallery-sync/PROFILE/audit.jsonl", "What was sent, replaced, moved and removed, and when."),
        ("~/.cache/gallery-sync/thumbnails/", "Thumbnails; they can be made again."),
        ("~/.local/share/gallery-sync/storage/", "What --local stores on this computer."),
    ]

    /// The variables of `Setting.otherVariables`, then those of the settings.
    static let variables =
        [
            (AccountKey.variable, "The key of the destination; never an option."),
            ("GALLERY_SYNC_JWT_SECRET", "The secret that \"serve\" signs with."),
            ("GALLERY_SYNC_CONFIG", "As --config."), ("GALLERY_SYNC_PROFILE", "As --profile."),
            ("GALLERY_SYNC_STATE_DIR", "As --state-dir."),
            ("GALLERY_SYNC_SERVE_PASSWORD", "The password of the users of \"serve --user\"."),
        ] + ProviderName.all.map { (AccountKey.variable(of: $0), "The key of the account at \($0.rawValue).") } + [
            (
                "GALLERY_SYNC_…",
                "Any setting, in capitals: upload.limitRate is GALLERY_SYNC_UPLOAD_LIMIT_RATE, and roots, separated by "
                    + "colons, is GALLERY_SYNC_ROOTS."
            ),
            ("XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME", "Where the files above lie."),
        ]
}
