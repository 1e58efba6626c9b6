import Platform

/// What the command line asks for.
struct BenchmarkOrder: Sendable {
    enum Mode: Hashable, Sendable {
        case help, list, measure
    }

    private(set) var wish = Mode.measure
    private(set) var benchmarks: [Benchmark] = []
    private(set) var scale = Scale.full
    private(set) var isJSON = false
    /// The directory to work in, which keeps generated media; `nil` for a temporary one.
    private(set) var folder: FilePath?
    /// A directory of the user's media files for the row `corpus`.
    private(set) var corpus: FilePath?

    /// What is wrong with the command line, in a sentence for the user.
    struct Misuse: Error, Hashable {
        let message: String
    }

    static let usage = """
        Usage: gallery-sync-bench [ROW...] [--quick] [--json] [--list] [--folder DIR] [--corpus DIR]
                                  [--assets N] [--uploads N] [--large N] [--media N] [--transitions N] [--rounds N]

        Measures what gallery-sync promises, each row beside its peers in the same run. Without ROW, all rows:
        \(Benchmark.all.map(\.name).joined(separator: " ")).

        --quick         small sizes: a look, not a verdict
        --folder DIR    work in DIR, and keep the media made there for the next run
        --corpus DIR    the row corpus measures each format of the media files in DIR
        --assets N      files in the gallery (100,000)
        --uploads N     uploads beside curl (5,000)
        --large N       MiB of the one large upload (1,024)
        --media N       pictures of each format (48); a quarter as many videos of each kind
        --transitions N changes of the durable queue (400,000)
        --rounds N      runs of each side, of which the median counts (5)

        Exit codes: 0 all goals reached, 3 some missed, 1 a row failed, 2 usage.
        """

    /// Parses the words after the program's name.
    init(_ words: [String]) throws(Misuse) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": wish = .help
            case "--list": wish = .list
            case "--json": isJSON = true
            case "--quick": scale = .quick
            default: break
            }
        }
        rest = words[...]
        while let word = rest.popFirst() { try take(word, &rest) }
        if benchmarks.isEmpty { benchmarks = Benchmark.all }
    }

    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(Misuse) {
        switch word {
        case "--help", "-h", "--list", "--json", "--quick": break
        case "--folder": folder = FilePath(try Self.value(of: word, &rest))
        case "--corpus": corpus = FilePath(try Self.value(of: word, &rest))
        case "--assets": scale.assets = try Self.number(word, &rest, in: 200...10_000_000)
        case "--uploads": scale.uploads = try Self.number(word, &rest, in: 10...1_000_000)
        case "--large": scale.largeBytes = Int64(try Self.number(word, &rest, in: 8...1_000_000)) << 20
        case "--media": scale.media = try Self.number(word, &rest, in: 2...100_000)
        case "--transitions": scale.transitions = try Self.number(word, &rest, in: 1000...100_000_000)
        case "--rounds": scale.rounds = try Self.number(word, &rest, in: 1...100)
        default:
            guard let benchmark = Benchmark.all.first(where: { $0.name == word }) else {
                let kind = word.hasPrefix("-") ? "option" : "row"
                throw Misuse(message: "No \(kind) \"\(word)\".")
            }
            benchmarks.append(benchmark)
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Misuse) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else { throw Misuse(message: "\(option) needs a value.") }
        return value
    }

    private static func number(
        _ option: String, _ rest: inout ArraySlice<String>, in range: ClosedRange<Int>
    ) throws(Misuse) -> Int {
        guard let number = Int(try value(of: option, &rest)), range.contains(number) else {
            throw Misuse(message: "\(option) wants a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
