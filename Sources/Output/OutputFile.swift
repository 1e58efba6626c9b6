package import Platform

/// A file that an option names for output; it is written only if it is new, or if this program wrote it before.
package struct OutputFile {
    /// Where it is written.
    package let path: FilePath
    /// Bytes that every file of this kind has near its beginning, or at its end, if this program wrote it.
    let mark: [UInt8]
    let isLast: Bool
    /// The kind of file, for the refusal, such as `page`.
    let kind: String
    /// The name of the file while it is written; `nil` for a new name each time.
    var part: FilePath?

    /// A file that is recognised by `mark` near its beginning, or at its end if `isLast`.
    package init(path: FilePath, mark: [UInt8], kind: String, isLast: Bool = false) {
        self.path = path
        self.mark = mark
        self.isLast = isLast
        self.kind = kind
    }

    /// Bytes at the beginning of an existing file in which the mark is looked for.
    private static let head = 4_096

    /// Throws `OutputTaken` if the name belongs to another program's file, or to something that is no file.
    package func check() throws { _ = try place() }

    /// Throws `OutputNowhere` if its folder does not exist.
    package func checkFolder() throws {
        let folder = try place().parent
        guard try FileFacts.existing(folder)?.kind == .directory else {
            throw OutputNowhere(folder: folder, path: path)
        }
    }

    /// Writes `bytes` to another file and renames that, so that a full disk leaves the former content.
    package func write(_ bytes: [UInt8], mode: UInt32 = 0o600) throws {
        let place = try place()
        let directory = try Directory(place.parent)
        // No other file has that name, and it is shorter than the longest permitted name.
        let part = part ?? FilePath(Self.partStart + Randomness.bytes(8).hexadecimal + Self.partEnd)
        if self.part == nil { Self.sweep(directory) }
        do throws(SystemError) {
            let file = try directory.create(file: part, mode: mode, exclusive: true)
            do throws(SystemError) {
                try file.append(bytes)
                try directory.rename(part, to: FilePath(bytes: place.name))
            } catch {
                // What went wrong first is reported, whether or not the part can be removed.
                _ = try? directory.remove(file: part)
                throw error
            }
        } catch {
            // The user does not know the name of the part.
            throw SystemError(call: error.call, code: error.code, path: place)
        }
    }

    private static let (partStart, partEnd) = (".gallery-sync-", ".part")
    /// Nanoseconds after which no process still writes a part: all bytes are known when it is created.
    private static let partLife: Int64 = 3_600 * 1_000_000_000

    /// Removes parts that killed processes have left beside outputs, as far as possible.
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
            // A failure here does not matter: the next output tries again.
        }
    }

    /// Whether only one of our parts can have this name: 16 hexadecimal digits between the two ends.
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

    /// The path to write: a symlink stays, and its target is written.
    private func place() throws -> FilePath {
        guard let facts = try FileFacts.existing(path) else {
            // A link to a missing file: its disk may be away, so the link must not be replaced.
            guard try FileFacts.existing(path, followingLinks: false) == nil else {
                throw OutputTaken(path: path, kind: kind)
            }
            return path
        }
        guard facts.kind == .file else { throw OutputTaken(path: path, kind: kind) }
        // An empty file holds nothing to lose; `mktemp` creates such files.
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

/// The folder of an output does not exist.
package struct OutputNowhere: Error, CustomStringConvertible {
    let folder: FilePath
    let path: FilePath

    /// What is missing, and what to do.
    package var description: String {
        "There is no folder \(folder.display) to write \(FilePath(bytes: path.name).display) into: make it, or name "
            + "another place."
    }
}
