package import Platform

/// A file that an option names for output: only a new one, or one that this program wrote, is written.
package struct OutputFile {
    /// Where it is written.
    package let path: FilePath
    /// What every file of this kind that we write contains near its beginning, or ends with.
    let mark: [UInt8]
    let isLast: Bool
    /// What it is, for the refusal, such as `page`.
    let kind: String
    /// The name that the bytes have until all of them are there; `nil` for a new one each time.
    var part: FilePath?

    /// A file whose earlier version is known by `mark`, which stands near its beginning; where it `isLast`, at its end.
    package init(path: FilePath, mark: [UInt8], kind: String, isLast: Bool = false) {
        self.path = path
        self.mark = mark
        self.isLast = isLast
        self.kind = kind
    }

    /// Bytes at the beginning of an existing file in which the mark is looked for.
    private static let head = 4_096

    /// Throws `OutputTaken` where something else has the name.
    package func check() throws { _ = try place() }

    /// Throws `OutputNowhere` where the folder that it is to lie in is not there.
    package func checkFolder() throws {
        let folder = try place().parent
        guard try FileFacts.existing(folder)?.kind == .directory else {
            throw OutputNowhere(folder: folder, path: path)
        }
    }

    /// Writes `bytes` beside the file and renames, so that a full disk leaves what was there before.
    package func write(_ bytes: [UInt8], mode: UInt32 = 0o600) throws {
        let place = try place()
        let directory = try Directory(place.parent)
        // No other file has that name, and it is short enough beside the longest one.
        let part = part ?? FilePath(Self.partStart + Randomness.bytes(8).hexadecimal + Self.partEnd)
        if self.part == nil { Self.sweep(directory) }
        do throws(SystemError) {
            let file = try directory.create(file: part, mode: mode, exclusive: true)
            do throws(SystemError) {
                try file.append(bytes)
                try directory.rename(part, to: FilePath(bytes: place.name))
            } catch {
                // What stands under the name of its own is all that counts.
                _ = try? directory.remove(file: part)
                throw error
            }
        } catch {
            // No person knows the name of the part.
            throw SystemError(call: error.call, code: error.code, path: place)
        }
    }

    private static let (partStart, partEnd) = (".gallery-sync-", ".part")
    /// Nanoseconds after which no process is at work on a part any more: all bytes are there when it is made.
    private static let partLife: Int64 = 3_600 * 1_000_000_000

    /// Removes what kills have left beside outputs, as far as that is possible.
    private static func sweep(_ directory: Directory) {
        do throws(SystemError) {
            for name in try directory.names() where isPart(name) {
                let facts = try directory.facts(of: name)
                guard facts.kind == .file, facts.owner == Host.userID,
                    FileTime.now.nanoseconds - facts.modifiedAt.nanoseconds > partLife
                else { continue }
                try directory.remove(file: name)
            }
        } catch {
            // What is written counts; the next one sweeps again.
        }
    }

    /// Whether it is a name that only a part of ours has: 16 hexadecimal digits between the two ends.
    private static func isPart(_ name: FilePath) -> Bool {
        let bytes = name.bytes
        guard bytes.count == partStart.utf8.count + 16 + partEnd.utf8.count, bytes.starts(with: partStart.utf8),
            bytes.suffix(partEnd.utf8.count).elementsEqual(partEnd.utf8)
        else { return false }
        return bytes.dropFirst(partStart.utf8.count).prefix(16).allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            default: false
            }
        }
    }

    /// Where to write: behind a symlink its target, so that the link stays.
    private func place() throws -> FilePath {
        guard let facts = try FileFacts.existing(path) else {
            // A link to what is not there now: its disk may be away, and a file in its place would stay.
            guard try FileFacts.existing(path, followingLinks: false) == nil else {
                throw OutputTaken(path: path, kind: kind)
            }
            return path
        }
        guard facts.kind == .file else { throw OutputTaken(path: path, kind: kind) }
        // An empty file holds nothing to lose: `mktemp` makes such.
        if facts.size > 0 {
            let file = try OpenFile(reading: path)
            let start = isLast ? max(0, facts.size - Int64(mark.count)) : 0
            let bytes = try file.read(at: start, upTo: isLast ? mark.count : Self.head)
            guard bytes.firstRange(of: mark) != nil else { throw OutputTaken(path: path, kind: kind) }
        }
        return try path.resolved()
    }
}

/// An output would replace a file that this program did not write.
package struct OutputTaken: Error, CustomStringConvertible {
    let path: FilePath
    let kind: String

    /// What is there, and what to do.
    package var description: String {
        "\(path.display) is there already and is no \(kind) of gallery-sync, so it was left as it is. Name another place."
    }
}

/// An output is named in a folder that is not there.
package struct OutputNowhere: Error, CustomStringConvertible {
    let folder: FilePath
    let path: FilePath

    /// What is missing, and what to do.
    package var description: String {
        "There is no folder \(folder.display) to write \(FilePath(bytes: path.name).display) into: make it, or name "
            + "another place."
    }
}
