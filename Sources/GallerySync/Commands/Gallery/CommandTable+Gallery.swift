import CommandLine
import Formats

extension CommandTable {
    static let gallery = CommandForm(
        "gallery", "Show the gallery page without an agent, for reading only",
        options: [OptionForm("port", value: "N", "Listen here on 127.0.0.1 (default: any free port)")],
        details: [
            "Prints a link that lets one browser in, once, and serves the page until Ctrl-C. Nothing is scanned, sent or "
                + "changed; where an agent runs, \"open\" shows its page. What is only in storage is shown from there, and "
                + "links are made, where the profile has a key or a sign-in."
        ],
        examples: [.init("gallery", "look at what is stored")],
        documents: [.gallery]
    ) { words throws(UsageError) in
        GalleryRequest(port: try words.value("port", "a number from 0 to 65535") { UInt16(digits: $0) } ?? 0)
    }
}
