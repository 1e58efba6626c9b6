import Catalog
import Configuration
import Platform
package import Queue
import Records
package import Supabase
import Text

// What lies under the key of an item, and whose it is.
extension Sender {
    /// Asks whether the item's object is there already; `nil` when it has to be sent.
    ///
    /// - Parameter receipt: The receipt of the object that the item is to replace; that object does not count.
    func whatIsThere(_ item: Item, _ source: Source, replacing receipt: Receipt?) async throws -> Sending? {
        guard let info = try await info(item.objectKey) else { return nil }
        if let version = receipt?.version, version == info.version { return nil }
        guard let evidence = try await holds(info, item, source) else { return nil }
        // An earlier attempt may have sent the object, so it was not simply found.
        let isOurs = try await library.isOurs(
            destination: destination.name, key: item.objectKey, sha256: item.sha256)
        return try await accept(info, item, evidence, isFound: !item.sent && !isOurs)
    }

    /// Accepts an item whose bytes are there already, no matter which computer put them there.
    private func accept(
        _ info: ObjectInfo, _ item: Item, _ evidence: Evidence, isFound: Bool = false
    ) async throws -> Sending {
        if otherComputer(of: info) != nil { try await library.noteShared(at: clock()) }
        return .accepted(Accepted(item: item, objectID: info.id, evidence: evidence, isFound: isFound))
    }

    /// The object under `key`, or `nil` when there is none.
    func info(_ key: ObjectKey) async throws -> ObjectInfo? {
        try await storage.infoIfPresent(bucket: destination.bucket, key: key.text)
    }

    /// What shows that an object is exactly what `item` would become; `nil` where it is not.
    ///
    /// Its metadata says which bytes it was meant to hold; where an attempt of ours may have sent others under
    /// that name, only an eTag that agrees counts.
    ///
    /// - Parameters:
    ///   - known: What is known of the bytes without reading them again.
    ///   - pieces: The lengths in which it was sent, where they are known.
    package func holds(
        _ info: ObjectInfo, _ item: Item, _ source: Source, known: Evidence = Evidence(), pieces: [Int64]? = nil
    ) async throws -> Evidence? {
        guard info.size == item.size, metadata(of: info)?.sha256 == item.sha256 else { return nil }
        let isDoubtful = try await library.wasAttempted(
            destination: destination.name, key: item.objectKey, sha256: item.sha256)
        let evidence = try await evidence(of: item, source, against: info.eTag, known: known, pieces: pieces)
        switch evidence.finding(info.eTag) {
        case .proven: return evidence
        case .open: return isDoubtful ? nil : evidence
        case .contradicted: return nil
        }
    }

    func metadata(of info: ObjectInfo) -> ObjectMetadata? {
        ObjectMetadata(info.metadata)
    }

    /// What the object of `item` is to carry.
    func metadata(for item: Item, _ source: Source) -> [String: JSONValue] {
        ObjectMetadata(item, facts: source.facts, computer: computer).values
    }

    /// The name by which objects tell who stored them: the one in the settings, else the library's own.
    private var computer: String? { settings.computer ?? library.identity }

    /// The computer that stored an object, if it is not this one: only that computer may replace or delete it.
    ///
    /// Receipts do not tell who stored it: they are also earned for bytes that were there already.
    package func otherComputer(of info: ObjectInfo) -> String? {
        guard let computer, let other = metadata(of: info)?.computer, other != computer else { return nil }
        return other
    }

    /// The SHA-256 that an object's metadata names, where it also names this computer; 64 hex digits.
    package func ownHash(_ info: ObjectInfo) -> String? {
        guard let computer, let metadata = metadata(of: info), metadata.computer == computer,
            [UInt8](hexadecimal: metadata.sha256)?.count == 32
        else { return nil }
        return metadata.sha256
    }

    /// Whether the key holds an object that this item is to replace.
    ///
    /// Without a receipt the key is taken to be free: the server says if it is not.
    func mayReplace(_ item: Item, _ source: Source, _ receipt: Receipt?) async throws -> Bool {
        guard let receipt, let info = try await info(item.objectKey) else { return false }
        return try await settle(try await holding(info, item, source, receipt), item, info)
    }

    /// Whose object a key holds, with the evidence where it is the item's.
    struct Holding {
        let holder: KeyHolder
        var evidence = Evidence()
    }

    /// Whose object `info` shows.
    func holding(
        _ info: ObjectInfo, _ item: Item, _ source: Source, _ receipt: Receipt?
    ) async throws -> Holding {
        let sha256 = metadata(of: info)?.sha256
        let known = receipt.flatMap { $0.sha256 == item.sha256 && sha256 == item.sha256 ? $0 : nil }
        let isToBeSent = try await isToBeSent(item, over: known)
        guard otherComputer(of: info) == nil else {
            guard !isToBeSent else { return Holding(holder: .otherComputer) }
            return try await holds(info, item, source).map { Holding(holder: .same, evidence: $0) }
                ?? Holding(holder: .otherComputer)
        }
        guard !isToBeSent else { return Holding(holder: .unchanged) }
        if let evidence = try await holds(info, item, source) { return Holding(holder: .same, evidence: evidence) }
        guard known == nil else { return Holding(holder: .unchanged) }
        guard let sha256 else { return Holding(holder: .foreign) }
        if let receipt, sha256 == receipt.sha256 {
            return Holding(holder: try await library.decideLastCopy(receipt) ? .lastCopy : .older)
        }
        if sha256 == item.sha256, item.mayHaveArrived { return Holding(holder: .attempt) }
        let isOurs = try await isOurs(sha256, at: item.objectKey)
        return Holding(holder: isOurs ? .attempt : ownHash(info) == nil ? .foreign : .orphan)
    }

    /// Whether an object with these bytes is under `key` because of this agent.
    private func isOurs(_ sha256: String, at key: ObjectKey) async throws -> Bool {
        if try await library.isOurs(destination: destination.name, key: key, sha256: sha256) { return true }
        // A move that had not taken place when it was asked about may have brought what lay under its old key since.
        let moves = try await library.expectedMoves(to: key, destination: destination.name)
        guard !moves.isEmpty else { return false }
        for move in moves { try await settle(move) }
        return try await library.isOurs(destination: destination.name, key: key, sha256: sha256)
    }

    /// Whether the item's bytes are to be sent although `receipt` is for them, no matter what the server says of its object.
    private func isToBeSent(_ item: Item, over receipt: Receipt?) async throws -> Bool {
        guard let receipt else { return false }
        if item.forcedAt != nil { return true }
        return try await library.isFoundWrong(receipt)
    }

    /// Whether the object is to be replaced, else the key is free by now; if neither, it throws how the attempt ends.
    func settle(_ holding: Holding, _ item: Item, _ info: ObjectInfo) async throws -> Bool {
        let key = item.objectKey
        let isBeside = key.isBeside(item.sha256)
        switch KeyVerdict(holding.holder, settings, isOriginal: item.role == .original, isBeside: isBeside) {
        case .replace: return true
        case .setAside:
            // Another program may take the key that was freed, so nothing is replaced there.
            guard try await !setAside(key, for: item) else { return false }
            throw Unsent(sending: .ended(.moved(key.beside(item.sha256))))
        case .accept: throw Unsent(sending: try await accept(info, item, holding.evidence))
        case .beside: throw Unsent(sending: .ended(.moved(key.beside(item.sha256))))
        case .refuse:
            let message = "\(key.text) holds an object that this gallery did not put there"
            throw Unsent(
                sending: .ended(
                    .refused(Item.Failure(code: .other("object.foreign"), message: message, retryable: false))))
        }
    }
}
