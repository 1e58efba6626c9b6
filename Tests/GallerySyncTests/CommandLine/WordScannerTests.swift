import Platform
import Testing

@testable import CommandLine
@testable import GallerySync

@Suite struct WordScannerTests {
    static let commands: [String: [OptionForm]] = [
        "send": [
            OptionForm("to", letter: "t", value: "DIR", ""), OptionForm("all", letter: "a", ""),
            OptionForm("size", letter: "s", value: "N", "", isRepeatable: true),
        ],
        "list": [],
    ]
    static let general = [OptionForm("verbose", letter: "v", ""), OptionForm("name", value: "X", "")]

    /// What is found in words separated by spaces, such as `send(a,b) to=x`.
    static func found(_ line: String) throws(UsageError) -> String {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map { Array($0.utf8) }
        let finding = try WordScanner.scan(
            line.isEmpty ? [] : words, commands: commands, general: general,
            suggest: { $0 == "sned" ? " Suggested." : "" })
        let arguments = finding.words.arguments.map { String(decoding: $0, as: UTF8.self) }
        let options = finding.words.options.sorted { $0.key < $1.key }.map { name, values in
            " \(name)=" + values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "+")
        }
        return "\(finding.command ?? "none")(\(arguments.joined(separator: ",")))" + options.joined()
    }

    @Test(arguments: [
        ("nothing", "", "none()"), ("a command", "list", "list()"), ("arguments", "list a b", "list(a,b)"),
        ("an option's value follows", "send --to x", "send() to=x"),
        ("or stands behind =", "send --to=x", "send() to=x"),
        ("a value with =", "send --to=a=b", "send() to=a=b"),
        ("a value that is written like an option of the command", "send --to=--all", "send() to=--all"),
        ("a value that looks like an option", "send --to --al", "send() to=--al"),
        ("a value that looks like letters", "send --to -av", "send() to=-av"),
        ("a letter", "send -t x", "send() to=x"), ("a letter and its value in one", "send -tx", "send() to=x"),
        ("letters together", "send -av", "send() all= verbose="),
        ("the last letter takes a value", "send -avt x", "send() all= to=x verbose="),
        ("the rest of the letters is the value", "send -atav", "send() all= to=av"),
        ("a switch several times", "send -vvv", "send() verbose=++"),
        ("an option several times", "send -s 1 -s2 --size 3 --size=4", "send() size=1+2+3+4"),
        ("between arguments", "send a --all b", "send(a,b) all="),
        ("general before the command", "--verbose list", "list() verbose="),
        ("general after it", "list --name n", "list() name=n"),
        ("nothing is an option after --", "send -- --all -a --", "send(--all,-a,--)"),
        ("a command after --", "-- list", "list()"), ("a single dash is an argument", "send -", "send(-)"),
        ("an empty word is an argument", "send ", "send()"),
        ("a value that is a number below zero", "send --to -1", "send() to=-1"),
    ])
    func sorted(_ row: (why: String, line: String, found: String)) throws {
        #expect(try Self.found(row.line) == row.found, "\(row.why)")
    }

    @Test(arguments: [
        ("an unknown command", "sned", "Unknown command \"sned\". Suggested."),
        ("an unknown option", "send --al", "Unknown option \"--al\". Did you mean \"--all\"?"),
        ("another command's option", "list --all", "Unknown option \"--all\"."),
        ("an option before its command", "--all send", "Unknown option \"--all\"."),
        ("an unknown letter", "send -x", "Unknown option \"-x\"."),
        ("an unknown letter among known ones", "send -avx", "Unknown option \"-avx\"."),
        ("no value", "send --to", "--to needs a value: DIR."),
        ("no value for a letter", "send -t", "--to needs a value: DIR."),
        ("another option in the value's place", "send --to --all x", "--to needs a value: DIR."),
        ("a general one", "send -t --name=x", "--to needs a value: DIR."),
        ("a letter in the value's place", "send --to -v", "--to needs a value: DIR."),
        ("an empty value", "send --to=", "The value of --to is empty."),
        ("a value for a switch", "send --all=1", "--all takes no value."),
        ("twice", "send --to a -t b", "--to is given twice."),
        (
            "control characters are not repeated", "se\u{1B}[2Jnd",
            "Unknown command \"se\\u001b[2Jnd\"."
        ),
    ])
    func refused(_ row: (why: String, line: String, message: String)) {
        let error = #expect(throws: UsageError.self, "\(row.why)") { try Self.found(row.line) }
        #expect(error?.message == row.message, "\(row.why)")
    }
}

@Suite struct ParsedWordsTests {
    static let words = ParsedWords(
        options: ["a": [[]], "n": [[0x31], [0x32]], "bad": [[0xFF]]], arguments: [[0x78], [0xFF]])

    @Test func theLastOneCounts() throws {
        #expect(try Self.words.text("n") == "2")
        #expect(try Self.words.value("n", "a number", Int.init) == 2)
        #expect(Self.words.path("n") == "2")
    }

    @Test func allOfThemInOrder() throws {
        #expect(try Self.words.values("n", "a number", Int.init) == [1, 2])
        #expect(Self.words.count("n") == 2)
    }

    @Test func whatIsNotThereIsNil() throws {
        #expect(try Self.words.text("x") == nil)
        #expect(try Self.words.value("x", "a number", Int.init) == nil)
        #expect(try Self.words.values("x", "a number", Int.init) == [])
        #expect(Self.words.path("x") == nil)
        #expect(!Self.words.isOn("x") && Self.words.isOn("a"))
    }

    @Test func argumentsAreBytes() {
        #expect(Self.words.paths.map(\.bytes) == [[0x78], [0xFF]])
    }

    @Test func oneOfSeveralIsFine() {
        #expect(throws: Never.self) { try Self.words.atMostOne(of: "a", "x", "y") }
        #expect(throws: UsageError(message: "--a and --n exclude each other.")) {
            try Self.words.atMostOne(of: "x", "a", "n")
        }
    }

    @Test func aValueThatMeansNothingIsNamed() {
        #expect(throws: UsageError(message: "--n \"2\": expected a colour.")) {
            try Self.words.value("n", "a colour") { _ in Int?.none }
        }
    }
}
