import Simulation

/// What happens to many files in one moment.
extension World {
    /// Gives the folder of that file its other name.
    func renameFolder(of wanted: Int) throws {
        let root = gallery(of: wanted)
        guard root.isPresent, let number = root.present(wanted) else { return }
        let moves = root.folderMoves(of: number)
        let kept = moves.map { keptContent(of: $0.from) }
        for move in moves {
            touch(move.from, isReplaced: false)
            touch(move.to)
        }
        try root.renameFolder(moves)
        for (move, content) in zip(moves, kept) { if let content { carry(content, to: move.to) } }
    }

    /// Deletes the folder of that file with all files in it.
    func removeFolder(of wanted: Int) throws {
        let root = gallery(of: wanted)
        guard root.isPresent, let number = root.present(wanted) else { return }
        let files = root.folderFiles(of: number)
        for file in files {
            leave(file)
            try root.delete(file)
        }
        if !files.isEmpty { try root.removeFolder(of: number) }
    }

    /// Writes other content into every file.
    func scramble(_ content: UInt64) throws {
        scrambled.value = promises.value
        for root in galleries {
            for file in 0..<GalleryModel.numbers where root.bytes(file) != nil {
                let number = file + (root === galleries[0] ? 0 : GalleryModel.numbers)
                try change(.overwrite(number, content: content + UInt64(number), size: 100))
            }
        }
        note("\(scrambled.value.count) stored files were scrambled")
    }
}
