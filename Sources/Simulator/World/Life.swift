import Configuration
import Gallery
import Platform
import Simulation

/// One process of the agent: from its start until it ends, crashes or is stopped.
final class Life: Sendable {
    /// How it ended.
    enum End: Sendable {
        case byItself
        /// A crash; this is what is left on the disk.
        case crash(Life)
    }

    let number: Int
    /// Below it lie state and cache.
    let folder: FilePath
    /// The state's directory, except for the database.
    let state: ModelDisk
    let quarantine: ModelDisk
    /// Whether nothing it sends goes out any more.
    let isCut = Simulated(false)
    let end = Outcome<End>()
    let task = Simulated<Task<Void, Never>?>(nil)
    let agent = Simulated<Agent?>(nil)

    init(
        number: Int, below folder: FilePath, state: [String: [UInt8]] = [:], quarantine: [String: [UInt8]] = [:],
        diskFails: @escaping @Sendable () -> Double
    ) throws {
        self.number = number
        self.folder = folder.appending("life\(number)")
        self.state = ModelDisk(state, fails: diskFails)
        self.quarantine = ModelDisk(quarantine, fails: diskFails)
        try Directory.create(at: self.folder)
    }

    func locations() throws -> Locations {
        try Locations(
            for: LocationRequest(
                environment: ["HOME": folder.parent.display], stateDirectory: folder, user: 0))
    }

    /// Opens the directory of the state, or the quarantine in it.
    func disk(_ path: FilePath) -> any Disk {
        FilePath(bytes: path.name).display == "quarantine" ? quarantine : state
    }

    /// What a process finds that starts after this one crashed at this moment.
    func heir(after crash: Deed.Crash, _ random: inout SplitMix) throws -> Life {
        let isCut = crash == .powerCut
        let heir = try Life(
            number: number + 1, below: folder.parent, state: isCut ? state.survivors(&random) : state.files,
            quarantine: isCut ? quarantine.survivors(&random) : quarantine.files, diskFails: state.fails)
        let (old, new) = (try locations(), try heir.locations())
        try Self.copy(old.state, to: new.state) {
            $0.hasPrefix("library.sqlite") && !$0.hasSuffix("-shm") || $0.hasPrefix("audit")
        }
        guard try FileFacts.existing(old.thumbnails) != nil else { return heir }
        for folder in try Directory(old.thumbnails).names().sorted() {
            try Self.copy(old.thumbnails.appending(folder), to: new.thumbnails.appending(folder)) { _ in true }
        }
        if isCut {
            try Self.cut(new.state, as: old.state, &random)
            for folder in try Directory(new.thumbnails).names().sorted() {
                try Self.cut(new.thumbnails.appending(folder), as: old.thumbnails.appending(folder), &random)
            }
        }
        return heir
    }

    private static func copy(_ old: FilePath, to new: FilePath, _ isWanted: (String) -> Bool) throws {
        try Directory.create(at: new)
        guard try FileFacts.existing(old) != nil else { return }
        for name in try Directory(old).names().sorted() where isWanted(name.display) {
            let source = try OpenFile(reading: old.appending(name))
            let copy = try OpenFile(creating: new.appending(name))
            try copy.write(try source.readAll(), at: 0)
            try copy.setModified(try source.facts().modifiedAt)
            // What the heir starts with is on its disk.
            try copy.synchronize()
        }
    }

    /// Shortens real files to what was synchronized of them, or to anything between that and their end.
    private static func cut(_ new: FilePath, as old: FilePath, _ random: inout SplitMix) throws {
        for name in try Directory(new).names().sorted() {
            let facts = try FileFacts(of: old.appending(name))
            let kept = Simulation.current?.synchronized[facts.inode] ?? 0
            guard kept < facts.size else { continue }
            let file = try OpenFile(appending: new.appending(name))
            try file.truncate(to: random.happens(0.5) ? kept : Int64.random(in: kept...facts.size, using: &random))
            try file.setModified(facts.modifiedAt)
        }
    }
}
