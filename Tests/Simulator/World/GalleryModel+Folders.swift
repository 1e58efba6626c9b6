import FoundationEssentials
import Platform

/// The folders of a root, each of which has two names, so that a history can rename it.
extension GalleryModel {
    /// The numbers of files whose folder has its first name; those of the other name follow.
    static let movable = 0..<12

    /// The folder of the file with that number, with a slash at its end; empty for a file outside any.
    static func folder(_ number: Int) -> String {
        let number = number % numbers
        guard oddName(number) == nil else { return "" }
        let isRenamed = movable.upperBound <= number && renamed(number) != nil
        return (isRenamed ? ["", "2024 Sommer/", "2025/Meer/"] : ["", "2024/", "2025/Sea und Strand/"])[number % 3]
    }

    /// The number of the same file once its folder has its other name; `nil` if it has none.
    static func renamed(_ number: Int) -> Int? {
        let name = number % numbers
        guard !name.isMultiple(of: 3), name < 2 * movable.count else { return nil }
        return number + (name < movable.upperBound ? movable.count : -movable.count)
    }

    /// The files in the folder of the file with that number; none for a file outside any folder.
    ///
    /// None either if the folder holds a file that has no number, as a restore brings it.
    func folderFiles(of number: Int) -> [Int] {
        let folder = Self.folder(number)
        guard !folder.isEmpty else { return [] }
        let first = number / Self.numbers * Self.numbers
        let numbered = (first..<first + Self.numbers).filter { Self.folder($0) == folder && bytes($0) != nil }
        return all.count(where: { $0.name.display.hasPrefix(folder) }) == numbered.count ? numbered : []
    }

    /// The numbers of the files in that folder, before and after it gets its other name.
    ///
    /// None if the folder has no other name or it is taken, or if a file in it has a name that no folder of the other
    /// name can hold.
    func folderMoves(of number: Int) -> [(from: Int, to: Int)] {
        let files = folderFiles(of: number)
        let moves = files.compactMap { file in Self.renamed(file).map { (from: file, to: $0) } }
        let isTaken = Self.renamed(number).map { !folderFiles(of: $0).isEmpty } ?? true
        return isTaken || moves.count < files.count ? [] : moves
    }

    /// The numbers of the files that keep the one with that number from being there: its folder has the name of one, or
    /// it has the name of their folder; `nil` if one has no number, as a restore brings it.
    func obstacles(to number: Int) -> [Int]? {
        guard Self.nested.contains(number % Self.numbers) else { return [] }
        let names = obstacles(to: Self.name(number))
        let numbered = Self.nested.filter { names.contains(Self.name($0)) }
        let first = number / Self.numbers * Self.numbers
        return numbered.count < names.count ? nil : numbered.map { first + $0 }
    }

    /// The same by their names.
    func obstacles(to name: FilePath) -> [FilePath] {
        all.map(\.name).filter { $0.relative(to: name) != nil || name.relative(to: $0) != nil }
    }

    /// Deletes what is left of a folder in the place of a file.
    func clear(_ name: FilePath) throws {
        let place = path.appending(name)
        guard try FileFacts.existing(place)?.kind == .directory else { return }
        try Directory.removeTree(at: place)
    }

    /// Takes all rights from the file with that number, or from its folder, if it is in one.
    func forbid(_ number: Int, isFolder: Bool) throws {
        guard isPresent, let number = present(number) else { return }
        let name = Self.name(number)
        let place = path.appending(isFolder && !name.parent.isEmpty ? name.parent : name)
        try Self.set(0, of: place)
    }

    private static func set(_ mode: Int, of place: FilePath) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.display)
    }

    /// Gives all that has no rights its rights back.
    func permit() throws {
        guard isPresent else { return }
        var folders = [path]
        while let folder = folders.popLast() {
            for name in try Directory(folder).names() {
                let place = folder.appending(name)
                let facts = try FileFacts(of: place, followingLinks: false)
                if facts.mode & 0o777 == 0 {
                    try Self.set(facts.kind == .directory ? 0o700 : 0o600, of: place)
                }
                if facts.kind == .directory { folders.append(place) }
            }
        }
    }
}
