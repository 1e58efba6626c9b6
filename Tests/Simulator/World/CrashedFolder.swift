import Platform
import Simulation

/// A folder of real files whose program ended in the middle of its work.
struct CrashedFolder {
    private let path: FilePath

    init(_ path: FilePath) {
        self.path = path
    }

    /// Makes the folder that the next program finds.
    ///
    /// After a power cut each file has the length that was synchronized, or any length from there to its end.
    func copy(
        to target: FilePath, losingPower isCut: Bool, _ random: inout SplitMix,
        where isWanted: (String) -> Bool = { _ in true }
    ) throws {
        try Directory.create(at: target)
        guard try FileFacts.existing(path) != nil else { return }
        for name in try Directory(path).names() where isWanted(name.display) {
            let (source, copy) = (path.appending(name), target.appending(name))
            switch try FileFacts(of: source, followingLinks: false).kind {
            case .directory: try CrashedFolder(source).copy(to: copy, losingPower: isCut, &random)
            // SQLite makes the files that processes share anew.
            case .file where !name.display.hasSuffix("-shm"):
                try Self.copy(source, to: copy, losingPower: isCut, &random)
            default: break
            }
        }
    }

    /// Makes a folder with the same files.
    func copy(to target: FilePath, where isWanted: (String) -> Bool = { _ in true }) throws {
        var random = SplitMix(seed: 0)
        try copy(to: target, losingPower: false, &random, where: isWanted)
    }

    /// Applies a power cut to the files in place: ends that were not synchronized are removed, or zeroed.
    func cut(_ random: inout SplitMix) throws {
        guard try FileFacts.existing(path) != nil else { return }
        for name in try Directory(path).names() {
            let place = path.appending(name)
            let facts = try FileFacts(of: place, followingLinks: false)
            guard facts.kind == .file else {
                try CrashedFolder(place).cut(&random)
                continue
            }
            let length = Self.left(of: facts, &random)
            guard length < facts.size else { continue }
            try OpenFile(appending: place).truncate(to: length)
            if random.happens(0.5) { try OpenFile(appending: place).truncate(to: facts.size) }
        }
    }

    /// How many bytes of a file a power cut leaves.
    private static func left(of facts: FileFacts, _ random: inout SplitMix) -> Int64 {
        let kept = Simulation.current?.synchronized[facts.inode] ?? 0
        guard kept < facts.size else { return facts.size }
        return random.happens(0.5) ? kept : Int64.random(in: kept...facts.size, using: &random)
    }

    private static func copy(
        _ source: FilePath, to target: FilePath, losingPower isCut: Bool, _ random: inout SplitMix
    ) throws {
        let file = try OpenFile(reading: source)
        let facts = try file.facts()
        let length = isCut ? left(of: facts, &random) : facts.size
        let copy = try OpenFile(creating: target, mode: facts.mode)
        try copy.write(try file.read(at: 0, upTo: Int(length)), at: 0)
        if let row = try file.attribute(row) { try copy.setAttribute(Self.row, to: row) }
        try copy.setModified(facts.modifiedAt)
        // The next program finds these files on its disk, so they must be durable.
        try copy.synchronize()
    }

    /// The attribute in which the storage keeps an object's row.
    private static let row = "user.gallery-sync.row"
}
