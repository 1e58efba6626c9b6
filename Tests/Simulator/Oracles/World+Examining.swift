import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Queue
import Records
import Simulation
import Sync

/// What must hold at quiet moments, and when the history is over.
extension World {
    /// Virtual hours within which everything must be stored once nothing goes wrong.
    static let patience = 100

    /// Waits until everything is stored; files that are not stored after `patience` are problems.
    func expectAllStored() async {
        var missing: [String] = []
        var waited = 0
        for seconds in [20, 60, 180, 600, 1_800, 3_600, 10_800, 21_600, 86_400, 172_800, Self.patience * 3_600] {
            try? await Task.sleep(for: .seconds(seconds - waited))
            waited = seconds
            if let agent = life.value.agent.value {
                try? await agent.resume()
                // The user does what is advised when a proxy has refused requests and lets them pass again.
                let hasSession = try? await signInAgain()
                if history.probability(of: .expired) > 0 || hasSession == true { try? await agent.goOn() }
                if isUntidy.value, (try? await tidyUp(agent)) != nil { isUntidy.value = false }
                if history.isScrambling { try? await agree(agent) }
                // A root that was left out must be walked before what the user cancelled in it can be taken back.
                if wasIgnoring.value, seconds >= 600 { try? await takeBackCancelled(agent) }
                if history.probability(of: .tooLarge) > 0 { _ = try? await agent.beginReupload(Selection()) }
            }
            missing = await whatIsMissing()
            if missing.isEmpty {
                note("all stored")
                return await expectBounds()
            }
            note("not stored after \(seconds) s: \(missing[0])")
        }
        for sentence in missing { blame(sentence) }
    }

    /// Storage never holds more of the agent's bytes than the user allows.
    ///
    /// Not checked if the queue decayed, or if an agent may have died while sending and the server states wrong sizes
    /// of objects.
    func expectRoom() async {
        guard let budget = history.budget, !isDecayed.value,
            history.isWithoutCrash || history.probability(of: .lyingSize) == 0,
            let objects = try? await storage.objects()
        else { return }
        let ours = objects.filter { key, _ in
            galleries.contains { key.contains($0.root + "/") } && !storage.isForeign(key) && !Neighbour.stores(key)
        }
        let bytes = ours.reduce(0) { $0 + $1.value.count }
        if bytes > budget { blame("storage holds \(bytes) bytes, and may hold \(budget)") }
    }

    /// Checks the files of the second computer.
    func expectNeighbourUnharmed() async {
        do {
            for sentence in try await neighbour.settled() { blame(sentence) }
        } catch {
            blame("the second computer cannot be asked: \(error)")
        }
    }

    private func whatIsMissing() async -> [String] {
        do {
            // Between two lives, the library that the next one will find.
            let library = try life.value.agent.value?.library ?? Library(path: life.value.locations().library)
            let objects = try await storage.objects()
            guard !wasElsewhere.value else { return ["the state is for the other destination"] }
            var missing: [String] = []
            for file in files {
                guard let sentence = try await difference(file, objects, library) else { continue }
                missing.append(sentence)
            }
            missing += try await pictureProblems(objects, library)
            missing += try await relationProblems(library)
            missing += try await whatVideosMiss(objects, library)
            missing += try await rescuedProblems(objects, library)
            missing += try await unknownObjects(objects, library)
            missing += try await rowProblems(library)
            let counts = try await library.counts()
            let besides = try await rescuedAssets(library) + strangers(library)
            // An empty root that had files is not believed to be empty, because its disk may be missing.
            if counts.total != files.count + besides, try !galleries.contains(where: { try $0.isBare }) {
                missing.append("the report counts \(counts.total) files, and there are \(files.count + besides)")
            }
            if missing.isEmpty, try await library.holdsBlocked(), try await !keepsOnlyAbsent(library) {
                missing.append("an item is kept in the library, and nothing waits")
            }
            return missing
        } catch {
            return ["the state cannot be read: \(error)"]
        }
    }

    /// Whether all items that the library keeps belong to empty roots, which count as away.
    private func keepsOnlyAbsent(_ library: Library) async throws -> Bool {
        let bare = try galleries.filter { try $0.isBare }.map(\.root)
        let others = Simulated(0)
        let count = try await library.eachBlocked { item in
            if item.blocked != .away || !bare.contains(item.root) { others.value += 1 }
        }
        return count > 0 && others.value == 0
    }

    /// Whether the usual key of a file holds, or held, the last copy of a deleted file that had the same name.
    private func isHeldByFormerFile(
        _ file: UserFile, _ receipts: [Receipt], _ objects: [String: [UInt8]], _ library: Library
    ) async throws -> Bool {
        guard let held = objects[file.key] else { return hasPruned }
        guard let former = receipts.first(where: { $0.key.text == file.key }) else { return false }
        guard held != file.bytes, former.sha256 == SHA256.hash(held).hexadecimal else { return false }
        return try await library.isOfFormerFile(former)
    }

    /// Whether the user has ordered to delete the objects of deleted files.
    private var hasPruned: Bool { history.has(Deed.Order.pruning) }

    /// Why a file is not stored byte for byte with a receipt; `nil` if it is.
    private func difference(
        _ file: UserFile, _ objects: [String: [UInt8]], _ library: Library
    ) async throws -> String? {
        let key = file.key
        guard let record = try await library.fileRecord(root: file.root.root, path: file.name) else {
            return "\(key) was never found"
        }
        guard record.asset.state == .stored else {
            return "\(key) is \(record.asset.state): \(record.message ?? "no reason"); \(await whyItWaits(file))"
        }
        let sha256 = file.sha256
        let receipts = record.receipts.filter { $0.role == .original }
        guard let receipt = receipts.first(where: { history.mayKeepBoth && $0.sha256 == sha256 }) ?? receipts.first
        else {
            return "\(key) counts as stored and has no receipt"
        }
        guard receipt.sha256 == sha256 else { return "\(key) has a receipt for other bytes" }
        let stored = StorageModel.bare(receipt.key.text)
        let isSecond = isSecond(file, stored)
        let isTaken =
            if mayStayTaken(key) || isSecond || keys(of: key, sha256).contains(stored) { true } else {
                try await isHeldByFormerFile(file, record.receipts, objects, library)
            }
        guard stored == key || storage.isForeign(key) || isDecayed.value || isTaken else {
            return "\(key) is stored as \(stored), though no other program has taken its key"
        }
        guard objects[stored] == file.bytes else {
            // The file may have been stored since the objects were listed. An agent looks for everything that a dead
            // one has sent or moved.
            let moves = try await library.unsettledMoves(from: receipt.key, destination: storage.destination.name)
            // After a backup was restored, receipts are compared with the bucket as soon as it answers the next agent.
            let isUnread = life.value.agent.value == nil && history.hasBackup
            let isDoubted = try await library.bucketLook() == Date(timeIntervalSince1970: 0)
            if isReliable, moves.isEmpty, !isDoubted, !isUnread, try await openItem(at: receipt.key) == nil,
                try await storage.objects()[stored] != file.bytes
            {
                blame("\(key) counts as stored, and what is stored is something else")
            }
            return
                "\(key) has a receipt, and \(objects[stored] == nil ? "no object" : "an object of other bytes")"
        }
        return nil
    }

    /// Whether the file is stored beside its own key, because another file's object may have had that.
    private func isSecond(_ file: UserFile, _ stored: String) -> Bool {
        let beside = ObjectKey(text: file.key).beside(file.sha256)
        return file.sharesNames && [beside, beside.beside(file.sha256)].contains(ObjectKey(text: stored))
    }

    /// What the queue says about a file's original, and what keeps all items from being sent.
    private func whyItWaits(_ file: UserFile) async -> String {
        guard let agent = life.value.agent.value else { return "no agent runs" }
        let (root, path) = (file.root.root, file.name)
        let item = await agent.queue.all().first {
            $0.role == .original && $0.root == root && $0.filePath == path && $0.isOpen
        }
        let words = item.map { item in
            "its item is \(item.status), blocked by \(item.blocked?.rawValue ?? "nothing"), next at "
                + "\(item.nextAttemptAt.map { "\($0)" } ?? "no time"), after \(item.lastError?.message ?? "no failure")"
        }
        let obstacle = (try? await agent.progress())?.note.map { "; the whole run waits: \($0)" } ?? ""
        return (words ?? "no item is in the queue") + obstacle
    }

    /// Files on other disks than the user's that were taken for roots, left again, and were not read before.
    private func strangers(_ library: Library) async throws -> Int {
        guard tookOthers.value else { return 0 }
        var count = 0
        for root in galleries {
            for number in 2...9 {
                let record = try await library.fileRecord(root: "\(root.root)-\(number)", path: GalleryModel.stranger)
                if let state = record?.asset.state, [.seen, .identifying].contains(state) { count += 1 }
            }
        }
        return count
    }

    /// An absent disk must not make files count as deleted, nor cost them their objects.
    func expectNothingGone(_ root: GalleryModel) async {
        await expectObjects(of: root)
        await expectSteady(root)
    }

    /// Checks that again and again, because any scan may get it wrong.
    func expectSteadyOften() async {
        while (try? await Task.sleep(for: .seconds(max(10, history.longest / 12)))) != nil {
            for root in galleries { await expectSteady(root) }
            await noteCarried()
            await noteMissed()
        }
    }

    /// A file that was there all the time never counts as deleted, whatever happens to its disk and to calls for it.
    func expectSteady(_ root: GalleryModel) async {
        // What the settings leave out counts as deleted as far as walks know, until they are changed back.
        guard let agent = life.value.agent.value, !wasIgnoring.value else { return }
        for name in root.steady {
            let record = try? await agent.library.fileRecord(root: root.root, path: name)
            // The file may have been deleted after the question.
            guard let state = record?.asset.state, [.gone, .remoteOnly].contains(state), root.steady.contains(name)
            else { continue }
            blame("\(root.key(name)) counts as deleted, and was there all the time")
        }
    }

    /// The objects of an absent disk's files stay under their keys: no other file with the same bytes may take one.
    private func expectObjects(of root: GalleryModel) async {
        // A listing may miss an object that is promised while it runs, so only earlier promises count.
        let before = promises.value
        guard !tookOthers.value, storage.isUp, let objects = try? await storage.objects() else { return }
        for (name, bytes) in root.all where before[root.key(name)] == promises.value[root.key(name)] {
            let key = root.key(name)
            // A promise does not bind for a name that the file had already left, because the object went with the file.
            guard objects[key] == nil, promises.value[key] == SHA256.hash(bytes).hexadecimal else { continue }
            blame("\(key) was taken away while its disk was away")
        }
    }

    /// What can be checked when nothing runs any more.
    func examineEnd() async {
        do {
            let objects = try await storage.objects()
            for sentence in try galleries.flatMap({ try $0.damages() }) + storage.damages(objects) { blame(sentence) }
            let others =
                try await elsewhere?.objects().keys.filter { !$0.contains(World.elsewhere.display + "/") } ?? []
            for key in others.sorted() { blame("\(key) was sent to the other destination") }
            for key in objects.keys.sorted() where key.contains(World.elsewhere.display + "/") {
                blame("\(key) is a key of the other destination")
            }
            let contents = Set(objects.filter { !$0.key.hasPrefix(".") }.map { SHA256.hash($0.value).hexadecimal })
            for (key, bytes) in legacy.value.sorted(by: { $0.key < $1.key }) {
                if contents.contains(SHA256.hash(bytes).hexadecimal) { continue }
                blame("\(key) was stored, its file was deleted, and now it is stored nowhere")
            }
        } catch {
            blame("the storage cannot be read at the end: \(error)")
        }
        for _ in 0..<24 where ghosts.value > 0 { try? await Task.sleep(for: .seconds(3_600)) }
        if ghosts.value > 0 { blame("an agent that was told to end did not") }
    }

    /// Objects that the agent would take for another program's, because neither a receipt nor an attempt names them.
    private func unknownObjects(_ objects: [String: [UInt8]], _ library: Library) async throws -> [String] {
        // Objects that a decayed queue had sent count as foreign.
        guard !isDecayed.value else { return [] }
        var unknown: [String] = []
        for key in objects.keys.sorted() where galleries.contains(where: { key.hasPrefix($0.root + "/") }) {
            guard !storage.isForeign(key), !Neighbour.stores(key), try await !isKnown(key, to: library) else {
                continue
            }
            unknown.append("\(key) was stored, and the library knows nothing of it")
        }
        return unknown
    }

    /// Whether the library has a receipt or an attempt for the object under `key`, or a waiting item for it, such as
    /// one of a root that counts as away.
    private func isKnown(_ key: String, to library: Library) async throws -> Bool {
        let (place, destination) = (ObjectKey(text: storage.prefix + key), storage.destination.name)
        if try await library.receipt(destination: destination, key: place) != nil { return true }
        if try await openItem(at: place) != nil { return true }
        if try await library.blocked(place, destination: destination) != nil { return true }
        return try await !library.attempts(at: place, destination: destination).isEmpty
    }

    /// The open item for `key`; between two lives, the one that the next life will find.
    private func openItem(at key: ObjectKey) async throws -> Item? {
        let agent = life.value.agent.value
        let items = if let agent { await agent.queue.all() } else { try life.value.itemsLeft() }
        return items.first { $0.isOpen && $0.objectKey == key }
    }

    /// An object that was told as stored must be known to the library from then on.
    func expectKnown(_ key: String) async {
        guard !isDecayed.value, !storage.isForeign(key), let library = life.value.agent.value?.library,
            (try? await isKnown(key, to: library)) == false,
            // The object may have been moved or deleted since.
            (try? await storage.objects())?[key] != nil, (try? await isKnown(key, to: library)) == false
        else { return }
        blame("\(key) was told as stored, and the library knows nothing of it")
    }
}
