import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Queue
import Records
import Simulation
import Supabase
import Sync
import Transfer
import Uploading

/// Checks while the history goes on; a promise is the agent's report that a file is stored.
extension World {
    /// Records the promise that a file is stored.
    func heard(_ event: FileEvent) {
        note("event \(event.path) \(event.role) \(event.fate)")
        if case .stored = event.fate, let root = event.path.split(separator: "/").first {
            promised.value.insert(String(root))
        }
        guard let path = key(shownAs: event.path) else { return }
        if event.role == .original, case .stored = event.fate {
            told.value.insert(path)
            Task { await expectKnown(path) }
        }
        if event.role == .original, case .stored(let standing, _) = event.fate, standing != .moved, isOrderly,
            misnamed.value.contains(path)
        {
            blame("\(path) counts as stored, and other bytes than those were sent")
        }
        // Files that an order sends again were promised before.
        guard event.role == .original, !history.has(Deed.Order.sending), case .stored = event.fate,
            let (key, sha256) = placeStored(of: path, size: event.size), !vandalized.value.contains(key),
            // A dead agent has sent other bytes, which the next one will report.
            taken.value[key] == sha256
        else { return }
        let before = touches.value
        Task {
            guard await !isBeingReplaced(key, sha256), touches.value == before, taken.value[key] == sha256,
                !vandalized.value.contains(key)
            else { return }
            promises.value[key] = sha256
        }
    }

    /// The last bytes uploaded for the file under `key`, and their key: beside `key` if former bytes stay there.
    ///
    /// `nil` if they are not of that size: an upload in pieces was begun for other content, and has sent nothing.
    private func placeStored(of key: String, size: Int64) -> (key: String, sha256: String)? {
        if history.mayKeepBoth, let file = files.first(where: { $0.key == key }), file.bytes.count == Int(size) {
            let sha256 = file.sha256
            if let place = keys(of: key, sha256).first(where: { uploads.value[$0]?.sha256 == sha256 }) {
                return (place, sha256)
            }
        }
        return uploads.value[key].flatMap { $0.size == size ? (key, $0.sha256) : nil }
    }

    /// Whether other bytes may be on their way to the key, after which the stored bytes have to be sent again.
    private func isBeingReplaced(_ key: String, _ sha256: String) async -> Bool {
        guard let items = await life.value.agent.value?.queue.all() else { return true }
        return items.contains { $0.isOpen && $0.sha256 != sha256 && StorageModel.bare($0.objectKey.text) == key }
    }

    /// Files that a new life finds stored are promised, too: an agent that dies after a receipt reports none.
    ///
    /// Not if other bytes may be on their way to the key, after which the stored ones must be sent again, or the object
    /// may have been moved. Their item may be in the queue, or in the library if a disk was away.
    func promiseReceipts(_ agent: Agent) async {
        let (library, open) = (agent.library, await agent.queue.all().filter(\.isOpen))
        // A damaged queue may bring back an item with former bytes, which this agent may send.
        for item in open where item.role == .original {
            let key = StorageModel.bare(item.objectKey.text)
            if promises.value[key] != item.sha256 { promises.value[key] = nil }
        }
        // What a deletion may still take away is sent again if it is needed, whatever the server has now.
        let deletions = (try? await library.deletions(destination: storage.destination.name)) ?? []
        let doomed = Set(deletions.map { StorageModel.bare($0.key.text) })
        for key in doomed { promises.value[key] = nil }
        guard isReliable else { return }
        for file in files where promises.value[file.key] == nil && !doomed.contains(file.key) {
            let record = try? await library.fileRecord(root: file.root.root, path: file.name)
            let receipt = record?.receipts.first { $0.role == .original && StorageModel.bare($0.key.text) == file.key }
            guard let receipt, receipt.sha256 == file.sha256,
                taken.value[file.key] == receipt.sha256, !open.contains(where: { $0.objectKey == receipt.key }),
                (try? await library.attempts(at: receipt.key, destination: receipt.destination))?.isEmpty == true,
                (try? await library.unsettledMoves(from: receipt.key, destination: receipt.destination))?.isEmpty
                    == true,
                (try? await library.blocked(receipt.key, destination: receipt.destination)) == .some(nil)
            else { continue }
            promises.value[file.key] = receipt.sha256
        }
    }

    /// Whether the storage keeps everything that it reports as stored, and no order sends files again.
    var isReliable: Bool {
        let faults = [FaultKind.forgetting, .lyingSize, .damagedRequest, .circling, .tooLarge]
        return isInTime && !isVandalized.value && !faults.contains { history.probability(of: $0) > 0 }
            && !history.has(Deed.Order.sending)
            && history.acts.allSatisfy { if case .serverCrash = $0.deed { false } else { true } }
    }

    /// Compares a beginning request with earlier promises.
    func begins(_ request: HTTPRequest, _ body: [UInt8], of life: Life) {
        // Rows follow what is stored.
        if request.url.contains("/\(RowsModel.table)?") { return }
        requests.value += 1
        expectConfigured(request, of: life)
        expectNewPage(request, body, of: life)
        if let placing = Self.placing(request, body), placing.isAside { askedAside.value.insert(placing.source) }
        let stored = Self.stores(request, body)
        if life.replacesForeign.value, let key = stored?.key ?? Self.continuedKey(request), storage.letReplace(key) {
            note("\(key) of another program may be replaced")
        }
        guard let (key, sha256) = stored else { return }
        everSent.value.insert(sha256)
        if storage.forgotten.value.remove(key) != nil { promises.value[key] = nil }
        if promises.value[key] == sha256 {
            for line in life.state.lines(about: key) { note("written down: \(line)") }
            blame("\(key) was sent again although it was stored")
        }
        if !life.state.isWrittenDown(key) { blame("\(key) is sent before that is written down") }
        if cancelled.value[key] == sha256 { blame("\(key) is sent, and its user has had it left out") }
    }

    /// Ends promises that no longer bind because a late request replaces what was stored.
    func takes(_ request: HTTPRequest, _ body: [UInt8], isLate: Bool) {
        if let placing = Self.placing(request, body) {
            taken.value[placing.key] = taken.value[placing.source]
            misnamed.value.remove(placing.key)
            // A late move takes along whatever was stored there meanwhile, also if that was not reported yet.
            if isLate, request.url.contains("/object/move") {
                promises.value[placing.source] = nil
                taken.value[placing.source] = nil
            }
        }
        // A late deletion removes whatever was stored meanwhile: an order's, for a file that is back, or one that makes
        // way for a move.
        for key in Self.deletedKeys(request, body) {
            // The next agent, if this one has had no answer, finds a receipt without an object.
            taken.value[key] = nil
            if isPruned.value || isLate { promises.value[key] = nil }
        }
        // A piece that arrives after a promise belongs to an earlier upload, and so may a late piece.
        if let key = Self.continuedKey(request), isLate || promises.value[key] != nil {
            promises.value[key] = nil
            taken.value[key] = nil
        }
        guard let (key, sha256) = Self.stores(request, body) else { return }
        taken.value[key] = sha256
        takenAt.value[key, default: [:]][sha256] = Simulation.current?.now
        // Whether or not its sender lives to hear of it.
        misnamed.value.remove(key)
        if let named = Self.metadata(of: request)?.sha256, named != sha256 { misnamed.value.insert(key) }
        expectHeld(key, sha256)
        vandalized.value.remove(key)
        if promises.value[key] != sha256 { promises.value[key] = nil }
    }

    /// Of many files that change at once, the agent sends at most as many as are never too many, until the user agrees.
    private func expectHeld(_ key: String, _ sha256: String) {
        let scrambled = scrambled.value
        guard !isCalm.value, scrambled.count > Self.mostChanged, let old = scrambled[key], old != sha256 else { return }
        sentScrambled.value.insert(key)
        if sentScrambled.value.count > Self.mostChanged {
            blame("\(sentScrambled.value.count) of \(scrambled.count) files that changed at once are sent")
        }
    }

    /// The largest number of changed files that is never too many (design.md, "When files change, move, go").
    private static let mostChanged = 50

    /// If the server went down, it is not known what lies under the key, because the request may have taken effect.
    func loses(_ request: HTTPRequest, _ body: [UInt8]) {
        guard let key = Self.placing(request, body)?.key ?? Self.stores(request, body)?.key else { return }
        taken.value[key] = nil
        promises.value[key] = nil
        misnamed.value.remove(key)
    }

    /// Records what a request has stored.
    func ends(_ request: HTTPRequest, _ body: [UInt8], _ answer: HTTPResponse) {
        // Another program has taken the key of an upload in pieces meanwhile.
        if answer.status == 409, let key = Self.continuedKey(request) {
            (uploads.value[key], taken.value[key]) = (nil, nil)
        }
        guard answer.isSuccess else { return }
        if let placing = Self.placing(request, body) {
            // The bytes are those of the object that was moved or copied.
            uploads.value[placing.key] = uploads.value[placing.source]
            return
        }
        guard let (key, sha256) = Self.stores(request, body) else { return }
        let length = request.headers["upload-length"].flatMap { Int64($0) }
        uploads.value[key] = (sha256, length ?? Int64(body.count))
    }

    /// If a server says that it holds something else, the file is sent again, so promises about it end.
    func lies(_ request: HTTPRequest) {
        guard request.url.contains("/info/") else { return promises.value = [:] }
        let key = Self.decoded(request.url[...])
        promises.value = promises.value.filter { !key.hasSuffix("/" + $0.key) }
    }

    /// The metadata in an upload's request.
    private static func metadata(of request: HTTPRequest) -> ObjectMetadata? {
        request.headers["x-metadata"].flatMap { Data(base64Encoded: $0) }
            .flatMap { try? QueueCoding.decoder.decode(ObjectMetadata.self, from: $0) }
    }

    /// Nothing is sent of a root that is out of the configuration, unless an order may name it, and no picture of a size
    /// that the settings do not ask for.
    private func expectConfigured(_ request: HTTPRequest, of life: Life) {
        guard let key = Self.wholeKey(request) ?? Self.stores(request, [])?.key else { return }
        if life.hasOneRoot.value, galleries.count > 1, !history.has(Deed.Order.naming),
            key.contains(galleries[1].root + "/")
        {
            blame("\(key) is sent, and its root is out of the configuration")
        }
        let picture = key.split(separator: "/").drop { $0 != ".thumbnails" }.dropFirst().first
        if let size = picture.flatMap({ Int($0) }), !life.sizes.value.contains(size) {
            blame("\(key) is sent, and no pictures of that size are to be made")
        }
    }

    /// No page of a listing is requested again and again, except by a new process, after something was sent, or once an
    /// hour because the line broke the look before.
    private func expectNewPage(_ request: HTTPRequest, _ body: [UInt8], of life: Life) {
        guard request.url.contains("/object/list") else {
            // A picture is proven by the listing after it, as an original is.
            if Self.stores(request, body) != nil || Self.wholeKey(request) != nil { page.value = ("", 0, .zero) }
            return
        }
        let words = "\(life.number) " + request.url + String(decoding: body, as: UTF8.self)
        let now = Simulation.current?.now ?? .zero
        let isRepeated = page.value.words == words && now - page.value.time < .seconds(3_500)
        page.value = (words, isRepeated ? page.value.count + 1 : 1, now)
        if page.value.count > 20 { blame("a listing is asked for the same page again and again") }
    }

    /// Whether only the agent itself can remove objects that it has receipts for.
    var keepsAll: Bool {
        let faults = [FaultKind.forgetting, .lyingSize, .damagedRequest, .circling, .damagedAnswer]
        // A request of a process that was told to end may have taken effect for a file that is left out since.
        let mayBeLeftOut = history.has([.cancel]) && !history.isOfOneProcess
        return isOrderly && !isVandalized.value && !isPruned.value && !mayBeLeftOut
            && !faults.contains { history.probability(of: $0) > 0 }
            && history.acts.allSatisfy { if case .serverCrash = $0.deed { false } else { true } }
    }

    /// Whether requests are answered one after another and in time, and no agent dies in between.
    var isOrderly: Bool {
        isInTime && history.isWithoutCrash
    }

    /// Whether requests are answered one after another and in time.
    private var isInTime: Bool {
        let faults = [FaultKind.lostRequest, .lostAnswer, .gaveUp, .doubled, .slow, .late]
        return !faults.contains { history.probability(of: $0) > 0 }
    }

    /// The key of an original that `request` stores or begins to store in pieces, with the SHA-256 of its bytes.
    static func stores(_ request: HTTPRequest, _ body: [UInt8]) -> (key: String, sha256: String)? {
        if let key = storedKey(request) { return (key, SHA256.hash(body).hexadecimal) }
        guard request.method == .post, request.url.hasSuffix("/upload/resumable"),
            let header = request.headers["upload-metadata"]
        else { return nil }
        var fields: [String: [UInt8]] = [:]
        for field in header.split(separator: ",") {
            let parts = field.split(separator: " ")
            guard parts.count == 2, let value = Data(base64Encoded: String(parts[1])) else { continue }
            fields[String(parts[0])] = Array(value)
        }
        guard let key = fields["objectName"].map({ StorageModel.bare(String(decoding: $0, as: UTF8.self)) }),
            !key.hasPrefix("."),
            let metadata = fields["metadata"].flatMap({
                try? QueueCoding.decoder.decode(ObjectMetadata.self, from: Data($0))
            })
        else { return nil }
        return (key, metadata.sha256)
    }

    /// A move or copy, and whether its target is a key beside the source's own.
    private struct Placing: Decodable {
        let sourceKey: String
        let destinationKey: String

        var source: String { StorageModel.bare(sourceKey) }
        var key: String { StorageModel.bare(destinationKey) }
        var isAside: Bool {
            let beside = ObjectKey(text: sourceKey).beside("????????").text
            return beside.count == destinationKey.count
                && zip(beside, destinationKey).allSatisfy { $0 == "?" || $0 == $1 }
        }
    }

    /// The move or copy that `request` makes; `nil` for any other request.
    private static func placing(_ request: HTTPRequest, _ body: [UInt8]) -> Placing? {
        guard request.url.hasSuffix("/object/copy") || request.url.hasSuffix("/object/move") else { return nil }
        return try? JSONDecoder().decode(Placing.self, from: Data(body))
    }

    /// The keys of the objects that `request` deletes.
    private static func deletedKeys(_ request: HTTPRequest, _ body: [UInt8]) -> [String] {
        struct Deleting: Decodable {
            let prefixes: [String]
        }
        guard request.method == .delete else { return [] }
        return (try? JSONDecoder().decode(Deleting.self, from: Data(body)))?.prefixes.map(StorageModel.bare) ?? []
    }

    /// The key that a piece in `request` is for, from the name of the upload; `nil` for any other request.
    static func continuedKey(_ request: HTTPRequest) -> String? {
        guard request.method == .patch, let name = request.url.split(separator: "/").last else { return nil }
        let padding = String(repeating: "=", count: (4 - name.utf8.count % 4) % 4)
        let text = String(name.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + padding
        let parts = Data(base64Encoded: text).map { String(decoding: $0, as: UTF8.self).split(separator: "/") } ?? []
        return parts.count < 3 ? nil : StorageModel.bare(parts[1..<parts.count - 1].joined(separator: "/"))
    }

    /// The key of an original that `request` stores whole; `nil` for any other request.
    static func storedKey(_ request: HTTPRequest) -> String? {
        wholeKey(request).flatMap { $0.hasPrefix(".") ? nil : $0 }
    }

    /// The key that `request` stores whole, of an original or a picture; `nil` for any other request.
    private static func wholeKey(_ request: HTTPRequest) -> String? {
        let path = "\(StorageModel.endpoint.base)/object/\(StorageModel.bucket)/"
        guard [.post, .put].contains(request.method), request.url.hasPrefix(path) else { return nil }
        return StorageModel.bare(decoded(request.url.dropFirst(path.count)))
    }

    private static func decoded(_ text: Substring) -> String {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            let byte = UInt8(part.prefix(2), radix: 16).map { String(UnicodeScalar($0)) } ?? ""
            return text + byte + part.dropFirst(2)
        }
    }
}

extension ModelDisk {
    /// The lines of the queue that name `key`, for the trace.
    fileprivate func lines(about key: String) -> [String] {
        files.sorted { $0.key < $1.key }.flatMap { _, bytes in
            bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        }.filter { $0.contains(key) }
    }

    /// Whether some durable line of the queue says that the object under `key` is being sent.
    fileprivate func isWrittenDown(_ key: String) -> Bool {
        let word = Array(Item.Status.uploading.rawValue.utf8)
        return durableFiles.values.contains { bytes in
            bytes.split(separator: UInt8(ascii: "\n")).reversed().contains { line in
                guard line.indices.contains(where: { line[$0...].starts(with: word) }),
                    case .set(let item) = try? RecordChange<Item>(line: line)
                else {
                    return false
                }
                return StorageModel.bare(item.objectKey.text) == key && item.status == .uploading
            }
        }
    }
}
