import CommandLine

extension CommandTable {
    static let open = CommandForm(
        "open", "Show the gallery page of the running agent in the browser",
        options: [OptionForm("print", "Print the link in place of starting a browser")],
        details: [
            "\"watch\" serves the page, on this computer only. The link works once, for five minutes; the browser that "
                + "followed it is let in until the agent ends. Without an agent, \"gallery\" shows what is known.",
            "Where nothing is set up yet, the page asks what \"init\" asks on a terminal, with the same checks, until "
                + "an agent runs.",
        ],
        examples: [.init("open", "look at your photos"), .init("open --print", "for another browser of yours")],
        documents: [.open]
    ) { words throws(UsageError) in OpenRequest(prints: words.isOn("print")) }
}
