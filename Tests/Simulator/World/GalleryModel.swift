import FoundationEssentials
import Platform
import Queue
import Simulation
import Text

/// One root of the user's files: real files on a disk in memory, and the facts that the world knows about them.
///
/// Every change is one step, so that no call of the agent comes in the middle of it.
final class GalleryModel: Sendable {
    /// The names of all possible roots; `CSimulation` tells them apart by their first letter.
    static let roots = ["Pictures", "Portable"]
    /// The file on another disk in the place of a root's.
    static let stranger: FilePath = "stranger.txt"
    /// Numbers of files that belong to one root; the same names are in each.
    static let numbers = 100
    /// The root's name.
    let root: String
    private let folder: FilePath
    /// The name of its directory.
    private let directory: Simulated<FilePath>
    private let elsewhere: FilePath
    /// The contents of the files, by name below the root.
    private let files = Simulated<[FilePath: [UInt8]]>([:])
    /// Names whose file was ever deleted, renamed or replaced by a rename.
    private let unsteady = Simulated<Set<FilePath>>([])
    private let isAway = Simulated(false)
    /// Whether its files are lost with their disk, and not restored yet.
    private let isEmptied = Simulated(false)
    /// What each file held before, the latest last.
    private let versions = Simulated<[FilePath: [(bytes: [UInt8], time: FileTime)]]>([:])
    /// The file that was deleted last.
    private let trash = Simulated<(number: Int, bytes: [UInt8], time: FileTime)?>(nil)
    /// Whether an absent disk left its directory, without the content.
    private let isBared = Simulated(false)
    /// The time of the last write; times grow with each write, as on a disk with a fine clock.
    private let lastTime = Simulated<Int64>(0)

    init(_ root: String, below folder: FilePath) throws {
        self.root = root
        self.folder = folder
        directory = Simulated(FilePath(root))
        elsewhere = FilePath("elsewhere-" + root)
        try Directory.create(at: path)
    }

    /// Where it is now.
    var path: FilePath { folder.appending(directory.value) }

    /// The key of the object of the file with that name.
    func key(_ name: FilePath) -> String { ObjectKey(root: root, path: name).text }

    /// The files by name, whether or not their disk is there.
    var all: [(name: FilePath, bytes: [UInt8])] {
        files.value.sorted { $0.key < $1.key }.map { (name: $0.key, bytes: $0.value) }
    }

    /// Names whose file has been there, under that name, ever since it appeared.
    var steady: [FilePath] { files.value.keys.filter { !unsteady.value.contains($0) }.sorted() }

    /// Names that are a file's, or were one's that was moved, deleted or replaced.
    var everNamed: Set<FilePath> { unsteady.value.union(files.value.keys) }

    var isPresent: Bool { !isAway.value && !isEmptied.value }

    var isLost: Bool { isEmptied.value }

    /// Whether its disk may come back at once: a directory that is bare and full again within one walk looks like a
    /// user who deletes and restores all files.
    var mayReturn: Bool { !isBared.value }

    /// Whether the root contains nothing at all.
    var isBare: Bool { get throws { try Directory(path).names().isEmpty } }

    func bytes(_ number: Int) -> [UInt8]? { bytes(of: Self.name(number)) }

    private func bytes(of name: FilePath) -> [UInt8]? { files.value[name] }

    /// The file with that number, in one of a few directories.
    static func name(_ number: Int) -> FilePath { names[number % numbers] }

    private static let names: [FilePath] = (0..<numbers).map { number in
        if let odd = oddName(number) { return odd }
        let isRenamed = movable.upperBound <= number && renamed(number) != nil
        let name = "IMG_\(isRenamed ? number - movable.count : number)"
        return FilePath(folder(number) + name + [".jpg", ".png", ".mp4", ".JPG"][number % 4])
    }

    /// The names that people are shown alike; more than one only if bytes are not UTF-8.
    static func names(shownAs text: some StringProtocol) -> [FilePath] { shown[FilePath(String(text))] ?? [] }

    private static let shown = Dictionary(grouping: names) { FilePath($0.display) }

    /// The number of a name with the same extension that no history draws.
    static func hiding(_ number: Int) -> Int {
        number / numbers * numbers + (format(number) < sidecar ? 44 : related.upperBound - 2 - sidecar) + format(number)
    }
}

// MARK: - What the user and other programs do

extension GalleryModel {
    /// Performs `deed`, if it is about files; returns whether the disk was there.
    func perform(_ deed: Deed) throws -> Bool {
        guard isPresent else { return false }
        switch deed {
        case .create(let number, let content, let size), .overwrite(let number, let content, let size),
            .grow(let number, let content, let size, _):
            try write(number, Self.content(number, content, size: size), isNew: false)
        case .replace(let number, let content, let size):
            try write(number, Self.content(number, content, size: size), isNew: true)
        case .rename(let number, let other):
            try rename(number, to: other)
        case .delete(let number):
            try delete(number)
        default: return false
        }
        return true
    }

    /// Writes the first `count` bytes of the future file.
    func begin(_ number: Int, _ bytes: [UInt8], count: Int) throws {
        guard isPresent else { return }
        try write(number, Array(bytes.prefix(count)), isNew: false)
    }

    /// Renames the folder of these files, whose names after that are known.
    func renameFolder(_ moves: [(from: Int, to: Int)]) throws {
        guard isPresent, let first = moves.first else { return }
        let (old, new) = (Self.folder(first.from).dropLast(), Self.folder(first.to).dropLast())
        let target = path.appending(String(new))
        try Directory.create(at: target)
        try Directory(path).rename(FilePath(String(old)), to: FilePath(String(new)))
        for (old, new) in moves.map({ (Self.name($0.from), Self.name($0.to)) }) {
            files.value[new] = files.value.removeValue(forKey: old)
            (versions.value[old], versions.value[new]) = (nil, nil)
            unsteady.value.formUnion([old, new])
        }
    }

    /// Gives the root's own directory its other name, whose first letter is the same.
    func move() throws {
        guard isPresent else { return }
        let other = directory.value == FilePath(root) ? FilePath(root + " of mine") : FilePath(root)
        try Directory(folder).rename(directory.value, to: other)
        directory.value = other
    }

    /// Deletes a folder that holds no file any more.
    func removeFolder(of number: Int) throws {
        let folder = String(Self.folder(number).dropLast())
        guard isPresent, !folder.isEmpty else { return }
        try Directory(path).remove(directory: FilePath(folder))
    }

    private func write(_ number: Int, _ bytes: [UInt8], isNew: Bool, modifiedAt time: FileTime? = nil) throws {
        try write(Self.name(number), bytes, isNew: isNew, modifiedAt: time)
    }

    private func write(_ name: FilePath, _ bytes: [UInt8], isNew: Bool, modifiedAt time: FileTime? = nil) throws {
        let target = path.appending(name)
        try clear(name)
        try Directory.create(at: target.parent)
        try keepVersion(of: name)
        let file = try OpenFile(creating: isNew ? path.appending(".new") : target)
        try file.write(bytes, at: 0)
        try file.setModified(time ?? nextTime())
        if isNew { try Directory(path).rename(FilePath(".new"), to: name) }
        files.value[name] = bytes
    }

    private func keepVersion(of name: FilePath) throws {
        guard let bytes = files.value[name] else { return versions.value[name] = nil }
        let time = try FileFacts(of: path.appending(name), followingLinks: false).modifiedAt
        versions.value[name, default: []].append((bytes, time))
    }

    /// What the file held before its last change, or before the last but one; `nil` if it is not known.
    func former(_ number: Int, steps: Int) -> [UInt8]? { version(number, steps: steps)?.bytes }

    private func version(_ number: Int, steps: Int) -> (bytes: [UInt8], time: FileTime)? {
        let name = Self.name(number)
        guard files.value[name] != nil, let former = versions.value[name], former.count >= steps else { return nil }
        return former[former.count - steps]
    }

    /// Gives the file what it held before, with the time it had then, as a program that restores a backup does.
    func revert(_ number: Int, steps: Int) throws {
        guard isPresent, let former = version(number, steps: steps) else { return }
        try write(number, former.bytes, isNew: true, modifiedAt: former.time)
    }

    /// Gives the file another time, as programs do that write the same bytes again.
    func touch(_ number: Int) throws {
        let name = Self.name(number)
        guard isPresent, files.value[name] != nil else { return }
        try OpenFile(appending: path.appending(name)).setModified(nextTime())
    }

    private func nextTime() -> FileTime {
        // Roots share no times: a file moved between them could not be told from another one of equal size and time.
        let time = max(FileTime(Date()).nanoseconds / 2 * 2 + (root == Self.roots[0] ? 0 : 1), lastTime.value + 2)
        lastTime.value = time
        return FileTime(nanoseconds: time)
    }

    private func rename(_ number: Int, to other: Int) throws {
        let (old, new) = (Self.name(number), Self.name(other))
        // With another extension, name and bytes would disagree, which only makes a note.
        guard old != new, let bytes = files.value[old] else { return }
        // It may be in the way of its own folder, or be in a folder that is in its way.
        try Directory(path).rename(old, to: ".new")
        try clear(new)
        try Directory.create(at: path.appending(new).parent)
        try Directory(path).rename(".new", to: new)
        files.value[old] = nil
        files.value[new] = bytes
        (versions.value[old], versions.value[new]) = (nil, nil)
        unsteady.value.formUnion([old, new])
    }

    /// Copies a file to another name, here or in another root, with its time.
    func copy(_ number: Int, to other: Int, in target: GalleryModel) throws {
        let name = Self.name(number)
        guard isPresent, target.isPresent, let bytes = files.value[name] else { return }
        guard target !== self || name != Self.name(other) else { return }
        let time = try FileFacts(of: path.appending(name), followingLinks: false).modifiedAt
        try target.write(other, bytes, isNew: true, modifiedAt: time)
    }

    /// Moves a file to another root by copying it, as programs do between disks.
    func move(_ number: Int, to other: Int, in target: GalleryModel) throws {
        guard isPresent, target.isPresent else { return }
        try copy(number, to: other, in: target)
        try delete(number)
    }

    /// The file with that number, else another one in this root; `nil` if the root has none.
    func present(_ number: Int) -> Int? {
        let there = (0..<Self.numbers).filter { files.value[Self.name($0)] != nil }
        if there.isEmpty || there.contains(number % Self.numbers) { return there.isEmpty ? nil : number }
        return number / Self.numbers * Self.numbers + there[number % there.count]
    }

    /// The number and the bytes of the file that was deleted last, if its name is free now.
    var deleted: (number: Int, bytes: [UInt8])? {
        trash.value.flatMap { bytes(of: Self.name($0.number)) == nil ? ($0.number, $0.bytes) : nil }
    }

    /// Brings back the file that was deleted last, with its time.
    func undelete() throws {
        guard isPresent, deleted != nil, let file = trash.value else { return }
        try write(file.number, file.bytes, isNew: true, modifiedAt: file.time)
    }

    func delete(_ number: Int) throws {
        let name = Self.name(number)
        let time = try? FileFacts(of: path.appending(name), followingLinks: false).modifiedAt
        guard let bytes = files.value.removeValue(forKey: name) else { return }
        trash.value = time.map { (number, bytes, $0) }
        try Directory(path).remove(file: name)
        unsteady.value.insert(name)
    }

    /// Takes the disk away.
    func unmount(_ leaving: Deed.Leaving) throws {
        guard isPresent else { return }
        isAway.value = true
        isBared.value = leaving == .bare
        if leaving == .bare {
            try Directory.create(at: path.parent.appending(elsewhere))
            return try Self.moveAll(from: path, to: path.parent.appending(elsewhere))
        }
        try Directory(path.parent).rename(FilePath(bytes: path.name), to: elsewhere)
        guard leaving != .nothing else { return }
        try Directory.create(at: path)
        guard leaving == .otherDisk else { return }
        _ = try OpenFile(creating: path.appending(Self.stranger))
    }

    /// Brings the disk back.
    func mount() throws {
        guard isAway.value else { return }
        defer { isAway.value = false }
        if isBared.value {
            try Self.moveAll(from: path.parent.appending(elsewhere), to: path)
            return try Directory.removeTree(at: path.parent.appending(elsewhere))
        }
        if try FileFacts.existing(path) != nil { try Directory.removeTree(at: path) }
        try Directory(path.parent).rename(elsewhere, to: FilePath(bytes: path.name))
    }

    /// Moves what is in one directory into another.
    private static func moveAll(from source: FilePath, to target: FilePath) throws {
        for name in try Directory(source).names() {
            let names = [source, target].map { FilePath(bytes: $0.name).appending(name) }
            try Directory(source.parent).rename(names[0], to: names[1])
        }
    }

    /// Loses all files with their disk.
    func lose() throws {
        unsteady.value.formUnion(files.value.keys)
        (files.value, versions.value, trash.value, isEmptied.value) = ([:], [:], nil, true)
        try Directory.removeTree(at: path)
        directory.value = FilePath(root)
        try Directory.create(at: path)
    }

    /// Copies a file from elsewhere, with its time, and returns its bytes.
    func bringBack(_ name: FilePath, from source: FilePath) throws -> [UInt8] {
        let bytes = try OpenFile(reading: source).readAll()
        unsteady.value.insert(name)
        try write(name, bytes, isNew: true, modifiedAt: try FileFacts(of: source, followingLinks: false).modifiedAt)
        return bytes
    }

    /// Takes what was restored for the user's files.
    func takeRestored() throws {
        for name in try TreeWalk.files(below: path) {
            // A restore that was given up leaves parts, which the user deletes.
            if name.display.hasSuffix(".part") {
                try Directory(path).remove(file: name)
            } else {
                files.value[name] = try OpenFile(reading: path.appending(name)).readAll()
            }
        }
        isEmptied.value = false
    }

    /// The differences between the disk and what the user left there.
    func damages() throws -> [String] {
        var found: [String] = []
        for (name, bytes) in all {
            let there = try? OpenFile(reading: path.appending(name)).readAll()
            if there != bytes { found.append("the user's file \(name) is not what the user left") }
        }
        let expected = Set(files.value.keys)
        for name in try TreeWalk.files(below: path) where !expected.contains(name) {
            found.append("\(name) appeared among the user's files")
        }
        return found
    }
}
