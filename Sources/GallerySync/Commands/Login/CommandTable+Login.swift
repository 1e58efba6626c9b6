import CommandLine
import SetUp

extension CommandTable {
    static let login = CommandForm(
        "login", "Sign in as a user of the project",
        options: [
            OptionForm("email", value: "ADDRESS", "Who signs in"),
            OptionForm("password-file", value: "FILE", "Read the password there; - is standard input"),
            OptionForm("code", "Have a code or a link sent by e-mail instead of a password"),
        ],
        details: [
            "Asks for what is not given; without a terminal, the password or the code is the next line of standard "
                + "input. Policies of the project then decide what may be done, and names in storage begin with the "
                + "user's id. The password is kept nowhere; session.json (0600) holds what renews the sign-in.",
            "The project's own key is needed too, for its gateway: the anon or publishable one will do.",
        ],
        examples: [
            .init("login", "asks for e-mail and password"),
            .init("login --email ada@example.org --code", "type the code, or paste the link, from the e-mail"),
            .init("login --email ada@example.org --password-file -", "the password from a pipe"),
        ],
        documents: [.login]
    ) { words throws(UsageError) in
        try words.atMostOne(of: "code", "password-file")
        let email = try words.value("email", "an address like ada@example.org") { text in
            if case .taken(let email) = AnswerReading.email(text) { email } else { nil }
        }
        return LoginRequest(email: email, passwordFile: words.path("password-file"), sendsCode: words.isOn("code"))
    }
}
