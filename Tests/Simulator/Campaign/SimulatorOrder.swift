/// What the command line asks for.
struct SimulatorOrder {
    /// Seconds of real time to play histories for.
    var seconds: Int?
    /// How many histories to play.
    var histories: Int?
    /// The first seed; a fresh one where the command line names none.
    var seed: UInt64?
    /// If above 0, the tasks of each history run in another order, which this number selects.
    var otherOrder: UInt64 = 0
    var printsTrace = false
    var shrinks = true
    /// Whether each history has few acts and no faults, so that it ends within a second.
    var isBrief = false
    /// The length of each history; `nil` lets each seed decide.
    var length: History.Length?
    /// The theme of all histories; `nil` lets each seed decide.
    var theme: Theme?
    /// The place on the disk in memory, on which orders depend; `nil` takes the first that is free.
    var place: Int?
    /// How many processes play, each with its own seeds.
    var jobs = 1
    /// The words for each of these processes: all but the seed, the place and the number of processes.
    private(set) var words: [String] = []
    /// Whether the first problem ends the campaign.
    var stopsAtFirst = false
    /// Real seconds that one job of a history may take.
    var patience = 60
    /// Whether to start a job that never ends before each history, to test that the watchdog notices it.
    var spins = false

    static let usage = """
        gallery-sync-simulate plays histories of an agent in a simulated world and looks for what must not be.

          --seconds N     plays fresh histories for N seconds of real time
          --histories N   plays N histories
          --seed N        begins with this seed; alone, it plays this one history
          --place N       plays in this place on the disk in memory, as the words for a replay say
          --order N       plays the same acts with their tasks in another order
          --trace         prints what happened, line by line
          --first         ends at the first problem
          --brief         plays the first acts only, without faults
          --short         plays short histories only, --long only long ones
          --theme NAME    plays histories about one thing only: \(Theme.allCases.map(\.rawValue).joined(separator: ", "))
          --jobs N        plays in N processes, with seeds of their own
          --patience N    ends the process where one job takes N seconds of real time (60)
          --spin          begins with a job that never ends, to try that
          --whole         does not make a history with a problem smaller
        """

    /// The history of that seed, as this order wants it.
    func history(_ seed: UInt64) -> History {
        var history = History(seed: seed, length: length, theme: theme)
        history.order = otherOrder
        guard isBrief else { return history }
        history.faults = []
        history.acts = Array(history.acts.prefix(3))
        return history
    }

    /// The words that change what a seed means, each with a space behind it.
    var manner: String {
        (isBrief ? "--brief " : "") + (length == .short ? "--short " : length == .long ? "--long " : "")
            + (theme.map { "--theme \($0) " } ?? "") + (otherOrder > 0 ? "--order \(otherOrder) " : "")
    }

    /// Reads the words after the program's name; `nil` where they make no sense.
    init?(_ words: [String]) {
        var rest = words[...]
        while let word = rest.first {
            let start = rest.startIndex
            rest.removeFirst()
            switch word {
            case "--trace": printsTrace = true
            case "--first": stopsAtFirst = true
            case "--whole": shrinks = false
            case "--brief": isBrief = true
            case "--short": length = .short
            case "--long": length = .long
            case "--spin": spins = true
            case "--theme":
                guard let named = rest.popFirst().flatMap(Theme.init(rawValue:)) else { return nil }
                theme = named
            case "--seconds", "--histories", "--seed", "--place", "--jobs", "--patience", "--order":
                guard let number = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
                switch word {
                case "--seconds": seconds = Int(number)
                case "--histories": histories = Int(number)
                case "--order": otherOrder = number
                case "--place": place = Int(number)
                case "--jobs": jobs = max(1, Int(number))
                case "--patience": patience = max(1, Int(number))
                default: seed = number
                }
            default: return nil
            }
            if !["--seed", "--place", "--jobs"].contains(word) { self.words += words[start..<rest.startIndex] }
        }
        if seconds == nil, histories == nil {
            guard seed != nil else { return nil }
            histories = 1
        }
    }
}
