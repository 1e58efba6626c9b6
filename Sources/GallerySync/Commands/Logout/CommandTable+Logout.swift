import CommandLine

extension CommandTable {
    static let logout = CommandForm(
        "logout", "End the sign-in, here and on the server",
        details: ["Nothing that is stored changes. Without a network it is forgotten here only."],
        examples: [.init("logout", "before giving the computer away")],
        documents: [.logout], mustBeMeant: true
    ) { _ throws(UsageError) in LogoutRequest() }
}
