/// How likely the conditions are in which a history takes place; a theme has those in which its deeds do harm.
struct Likelihoods {
    /// That the agent watches, and that it is then told of changes by the kernel, too.
    var (watching, events) = (0.6, 0.6)
    /// That there are two roots.
    var twoRoots = 0.4
    /// That videos are ordered from providers.
    var providers = 0.0
    /// That every file call may take seconds, and that only those for the queue's journal do.
    var (slowness, slowJournal) = (0.15, 0.05)
    /// That a picture takes longer than an original waits for its facts, so that it comes while that is sent; else, that
    /// it takes less time than a disk.
    var (slowDecoder, quickDecoder) = (0.25, 0.1)
    /// That several pictures are made of each file, which are enqueued one after another: if the file changes in between,
    /// its new content overtakes the last of them.
    var manySizes = 0.05
    /// That storage may hold only so much, which also lets an attempt look at what is stored before its end is written
    /// down.
    var budget = 0.1
    /// That former contents stay stored.
    var keptContents = 0.1
    /// That a deed happens at a certain moment of the agent's work, and not at any time.
    var moments = 0.75

    /// The likelihoods of `theme`; `nil` for a history without one.
    init(of theme: Theme?) {
        switch theme {
        case nil: providers = 0.25
        case .bursting: (watching, events) = (0.9, 0.9)
        case .changing:
            (slowness, slowJournal, quickDecoder) = (0.5, 0.4, 0.5)
            (manySizes, keptContents) = (0.4, 0.3)
        // More of an agent's work is then not yet durable when it dies.
        case .dying, .sickDisk, .sickState: slowness = 0.5
        case .flickering: (slowness, budget) = (0.5, 0.4)
        case .late: keptContents = 0.3
        case .missing: slowDecoder = 0.75
        case .ordering: (providers, slowness) = (1, 0.5)
        // Only the order of deeds matters, and a deed whose moment never comes would not be done.
        case .reusing, .shuffling: moments = 0.25
        case .scrambling: twoRoots = 1
        case .tight: budget = 1
        default: break
        }
    }
}
