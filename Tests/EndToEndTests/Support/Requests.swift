import Foundation
import Platform

/// The requests of a storage server, from its request log.
struct Requests: Sendable {
    struct Line: Decodable, Hashable, Sendable {
        let method: String
        let path: String
        let status: Int
        let bytesIn: Int64
    }

    let lines: [Line]

    /// Reads the log of the server over `folder`; a missing log is empty.
    init(of folder: FilePath) throws {
        let path = folder.appending("requests.jsonl")
        let bytes = try FileFacts.existing(path) == nil ? [] : OpenFile(reading: path).readAll()
        // The last line may be incomplete.
        lines = bytes.split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONDecoder().decode(Line.self, from: Data($0))
        }
    }

    /// Requests that upload bytes into the bucket, below `folder`.
    func writes(below folder: String = "") -> [Line] {
        lines.filter { line in
            let path = line.path.hasPrefix("/storage/v1") ? String(line.path.dropFirst(11)) : line.path
            return ["POST", "PUT"].contains(line.method) && path.hasPrefix("/object/media/\(folder)")
        }
    }

    /// Writes that took effect, counted by object and size.
    var stored: [Line: Int] { Dictionary(writes().filter { $0.status == 200 }.map { ($0, 1) }, uniquingKeysWith: +) }
}
