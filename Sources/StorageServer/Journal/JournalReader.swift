import Platform

/// The journal of rows as a start reads it.
struct JournalReader {
    private let file: OpenFile
    /// Bytes of the file.
    let size: Int64
    /// Whose journal it is and how far its first line sums it up; `nil` when that line is damaged.
    let header: RowJournal.Mark?

    /// Opens the journal at `path`; `nil` when there is none.
    init?(at path: FilePath) throws(SystemError) {
        guard try FileFacts.existing(path) != nil else { return nil }
        file = try OpenFile(reading: path)
        size = try file.facts().size
        let start = try file.read(at: 0, upTo: 1 << 12)
        guard let end = start.firstIndex(of: UInt8(ascii: "\n")),
            case .header(let id, let number) = RowLine(start[..<end])
        else {
            header = nil
            return
        }
        header = RowJournal.Mark(id: id, number: number, offset: Int64(end) + 1)
    }

    /// What a reading came to.
    struct Outcome {
        /// The end of the last whole line; what lies behind it was never acknowledged.
        var mark: RowJournal.Mark
        /// Lines that are not as they were written.
        var damaged = 0
    }

    /// Visits all changes after `mark`, in order.
    func changes(after mark: RowJournal.Mark, visit: (RowChange) throws -> Void) throws -> Outcome {
        var outcome = Outcome(mark: mark)
        var (rest, offset) = ([UInt8](), mark.offset)
        while true {
            let piece = try file.read(at: offset, upTo: Blobs.pieceSize)
            if piece.isEmpty { return outcome }
            offset += Int64(piece.count)
            rest += piece
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                outcome.mark.offset += Int64(end - start) + 1
                switch RowLine(rest[start..<end]) {
                case .changes(let changes, let number):
                    outcome.mark.number = max(number, outcome.mark.number)
                    for change in changes { try visit(change) }
                case .header: break
                case nil: outcome.damaged += 1
                }
                start = end + 1
            }
            rest.removeFirst(start)
        }
    }
}
