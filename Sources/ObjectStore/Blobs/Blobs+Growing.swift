package import Platform
package import Serving

/// How receiving a piece of an upload ended; the bytes that arrived are kept in each case.
package enum PieceOutcome: Sendable {
    case complete
    /// The client left, or reading was cancelled.
    case lost
    /// More bytes arrived than were allowed; those that were allowed are kept.
    case tooLarge
}

/// A blob that grows over several requests, under its final name from the beginning.
///
/// Its size is the number of bytes that arrived; it belongs to an unfinished upload until an object names it.
extension Blobs {
    /// Creates the empty blob of `version`, durably.
    package func begin(_ version: String) async throws(SystemError) {
        try await Blocking.run { () throws(SystemError) in
            let disk = try disk(of: version)
            _ = try disk.create(version)
            try disk.synchronizeDirectory()
        }
    }

    /// The size in bytes of the blob of `version`; `nil` when there is none.
    package func size(of version: String) async throws(SystemError) -> Int64? {
        try await open(version)?.facts().size
    }

    /// The digest of the blob of `version`, cut into the same `parts` as when it was received.
    ///
    /// - Parameter part: The most bytes of a part; `nil` where eTags have no parts.
    package func digest(
        of version: String, part: Int64? = nil, parts: [Int64] = []
    ) async throws(SystemError) -> RunningDigest {
        let digest = RunningDigest(part: part)
        guard let blob = try await open(version) else { return digest }
        try await Blocking.run { () throws(SystemError) in
            var ends = parts.reduce(into: [Int64]()) { $0.append(($0.last ?? 0) + $1) }[...]
            while true {
                let room = min((ends.first ?? .max) - digest.count, Int64(Self.pieceSize))
                let piece = try blob.read(at: digest.count, upTo: Int(room))
                if piece.isEmpty { return }
                digest.update(piece)
                guard digest.count == ends.first else { continue }
                ends.removeFirst()
                digest.endPart()
            }
        }
        return digest
    }

    /// Appends at most `room` bytes of `body` to the blob of `version`; they are durable when this returns.
    package func grow(
        _ version: String, by body: RequestBody, room: Int64, digest: RunningDigest
    ) async throws -> PieceOutcome {
        let file = try disk(of: version).append(version)
        var (gathered, left, reception) = ([UInt8](), max(0, room), PieceOutcome.complete)
        do {
            for try await piece in body {
                gathered += piece.prefix(Int(min(left, Int64(piece.count))))
                left -= Int64(piece.count)
                if left < 0 {
                    reception = .tooLarge
                    break
                }
                if gathered.count >= Self.pieceSize { try await append(&gathered, to: file, digest) }
                if Task.isCancelled { throw BodyFailure.lost }
            }
        } catch is BodyFailure {
            reception = .lost
        }
        try await append(&gathered, to: file, digest)
        try await synchronize(file, of: version)
        return reception
    }

    /// After a failed synchronization the state of the bytes is unknown, so all of them are removed.
    private func synchronize(_ file: any DiskFile, of version: String) async throws(SystemError) {
        do {
            try await Blocking.run { () throws(SystemError) in try file.synchronize() }
        } catch {
            await remove(version)
            throw error
        }
    }

    private func append(
        _ gathered: inout [UInt8], to file: any DiskFile, _ digest: RunningDigest
    ) async throws(SystemError) {
        let bytes = gathered
        gathered = []
        try await Blocking.run { () throws(SystemError) in
            try file.write(bytes)
            digest.update(bytes)
        }
    }
}
