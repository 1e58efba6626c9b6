import CommandLine

extension CommandTable {
    static let demo = CommandForm(
        "demo", "Show all of it on made-up media, on this computer",
        options: [OptionForm("keep", "Leave what was made, and keep it running")],
        details: [
            "Makes photos and videos in a temporary folder, stores them in a storage server of its own that fails now "
                + "and then, restores them into a second folder, and compares byte for byte. Touches nothing else."
        ],
        examples: [.init("demo", "about a minute"), .init("demo --keep", "look around afterwards")]
    ) { words throws(UsageError) in DemoRequest(keeps: words.isOn("keep")) }
}
