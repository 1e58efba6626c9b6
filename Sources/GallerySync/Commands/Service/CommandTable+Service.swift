import CommandLine

extension CommandTable {
    static let service = CommandForm(
        "service", "Run watch at every login, as a systemd service of yours",
        arguments: "install|remove|status|logs", count: 1...1,
        actions: [.init("install"), .init("remove", mustBeMeant: true), .init("status"), .init("logs")],
        options: [
            OptionForm("print", "With install: print the unit, and do nothing"),
            OptionForm("follow", "With logs: go on with what comes"),
        ],
        details: [
            "install writes the unit with this program, the profile and the options given, starts it, and starts it "
                + "again at every login; remove takes it away, and nothing else. It waits for disks, the keyring and "
                + "the network by itself.",
            "status exits 0 only when it runs.",
        ],
        examples: [
            .init("service install", "from now on"), .init("service install --profile nas", "one more, for a profile"),
            .init("service logs --follow", "what it says"),
        ],
        documents: [.service]
    ) { words throws(UsageError) in
        let name = words.arguments.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard let action = ServiceRequest.Action(rawValue: name) else {
            throw UsageError(message: "\"service\" needs one of: install, remove, status, logs.")
        }
        if words.isOn("print"), action != .install { throw UsageError(message: "--print needs install.") }
        if words.isOn("follow"), action != .logs { throw UsageError(message: "--follow needs logs.") }
        return ServiceRequest(action: action, prints: words.isOn("print"), follows: words.isOn("follow"))
    }
}
