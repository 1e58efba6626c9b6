import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Queue
import Records
import Restoring
import Roots
import Simulation
import Supabase

/// Limits for what the agent leaves behind, and for how much it asks.
extension World {
    /// The most requests for one file once nothing goes wrong, and the most in a quiet time.
    private static let requestsOfFile = 60
    private static let requestsOfQuiet = 40
    /// The most jobs in a quiet time, each of which may wake a processor, and those for a scan of one root.
    private static let (jobsOfQuiet, jobsOfScan) = (3_000, 300)
    /// The jobs of a look for a root that is away, and the seconds between two looks.
    private static let (jobsOfLook, secondsOfLook) = (30, 10)
    /// The most bytes of all files of queue and jobs, for each object of a file.
    private static let mostStateBytes = 1 << 19

    /// Checks how much it took to store everything, what a quiet time costs, and what a restore brings back.
    func expectBounds() async {
        let files = self.files.count + legacy.value.count + (providers?.orders.value ?? 0) + 5
        let asked = requests.value - calmRequests.value
        if history.endsWithFile { await expectPromptness() }
        if history.endsWithRestore { await expectRestored() }
        // Repeated passes ask each time, however long it takes, so only a watch has a limit.
        guard history.isWatching else { return }
        if asked > files * Self.requestsOfFile { blame("\(asked) requests for \(files) files, with nothing wrong") }
        guard history.quiet > 0 else { return }
        let before = requests.value
        let steps = Simulation.current?.steps ?? 0
        try? await Task.sleep(for: .seconds(history.quiet))
        let quiet = requests.value - before
        let jobs = (Simulation.current?.steps ?? 0) - steps
        note("\(history.quiet) quiet seconds: \(quiet) requests, \(jobs) jobs")
        let scans = (history.quiet / history.interval + 1) * Self.jobsOfScan
        let looks = history.quiet / Self.secondsOfLook * Self.jobsOfLook
        let most = galleries.reduce(Self.jobsOfQuiet) { most, root in
            // An empty root that had files counts as away and is looked for; one that never had any is scanned.
            most + ((try? root.isBare) == true ? max(looks, scans) : scans)
        }
        if jobs > most {
            blame("\(jobs) jobs in \(history.quiet) s in which nothing happened")
        }
        // After an hour it asks once about each object that a request may have changed, so the limit grows with files.
        let mostAsked = Self.requestsOfQuiet + (history.isScrambling ? (1 + history.sizes.count) * files : 0)
        if quiet > mostAsked { blame("\(quiet) requests in \(history.quiet) s in which nothing happened") }
    }

    /// What waits for the network is tried again once there is one; a new agent's start would hide that it is not.
    func expectGoingOn() async {
        guard history.isWatching else { return }
        for _ in 0..<720 {
            guard let agent = life.value.agent.value, (try? await agent.library.isPaused(at: Date())) == false,
                await agent.queue.all().contains(where: { $0.blocked == .offline })
            else { return }
            try? await Task.sleep(for: .seconds(10))
        }
        blame("an item waits for the network, which is there")
    }

    /// A file that appears is stored soon after the next scan, because no loop may sleep through it.
    ///
    /// Once the next scan has begun, all of the root is watched if it can be, so that what happens to another file is
    /// noticed without a scan: the next but one may be too late for that.
    private func expectPromptness() async {
        let root = galleries[0]
        guard history.isWatching, history.interval <= 120, (try? root.isBare) == false,
            await isStored(Self.lateComer, within: history.interval + Self.mostUntilStored), history.hasEvents,
            !Simulation.hasLostInotify
        else { return }
        await waitForScan()
        guard await isStored(Self.lateComer + 1, within: Self.mostUntilStored) else { return }
        await waitForScan()
        performAtOnce(.delete(Self.lateComer + 1))
        let name = GalleryModel.name(Self.lateComer + 1)
        for _ in 0..<Self.mostUntilStored / 5 {
            try? await Task.sleep(for: .seconds(5))
            let record = try? await life.value.agent.value?.library.fileRecord(root: root.root, path: name)
            if record?.asset.state == .remoteOnly { return note("its end was noticed") }
        }
        blame("\(root.key(name)) was deleted, and that was not noticed in \(Self.mostUntilStored) s")
    }

    /// Waits until a scan of any root has begun.
    private func waitForScan() async {
        let before = listings.value
        for _ in 0..<history.interval + Self.mostUntilStored where listings.value == before {
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Creates the file with that number, and waits until it is stored; after `most` seconds it is a problem.
    private func isStored(_ number: Int, within most: Int) async -> Bool {
        performAtOnce(.create(number, content: UInt64(number), size: 100))
        let key = galleries[0].key(GalleryModel.name(number))
        var waited = 0
        while !told.value.contains(key), waited < most {
            try? await Task.sleep(for: .seconds(5))
            waited += 5
        }
        note("a new file was stored after \(waited) s")
        if told.value.contains(key) { return true }
        if await mayWait(key) {
            // Only what is stored can be restored afterwards.
            performAtOnce(.delete(number))
            return false
        }
        for root in life.value.agent.value?.roots.all ?? [] {
            note("\(root.name): \(root.sight.absence?.reason ?? "there")")
        }
        blame("a new file is not stored after \(waited) s, with nothing wrong")
        return false
    }

    /// Whether a file may wait for longer after what went wrong before.
    ///
    /// A life that died during a renewal may have ended the sign-in, and so may a renewal that is slow, or arrives after the
    /// next one; a size limit that a fault has shown is tried once a day.
    private func mayWait(_ key: String) async -> Bool {
        if !history.isWithoutCrash || history.mayBeLate, isSignedOut(life.value) { return true }
        guard history.probability(of: .tooLarge) > 0 else { return false }
        let items = await life.value.agent.value?.queue.all() ?? []
        return items.contains { StorageModel.bare($0.objectKey.text) == key && $0.blocked == .tooLarge }
    }

    /// The number of a file that no history draws, as is the next one.
    private static let lateComer = 40
    /// Seconds after a scan that a file may take until it is stored.
    private static let mostUntilStored = 60

    /// Restores the bucket over `line`, or over one without faults.
    func restored(
        over line: RoughLine? = nil, to directory: FilePath? = nil, only selection: RestoreSelection = .init()
    ) async throws -> RestoreResult {
        let client = line.map { line in
            StorageClient(
                endpoint: StorageModel.endpoint, credentials: StorageCredentials(key: storage.serviceKey),
                transport: line)
        }
        var setup = Restorer.Setup(
            storage: client ?? storage.client, destination: storage.destination, directory: directory ?? restored)
        setup.selection = selection
        return try await Restorer(setup).run()
    }

    /// A line that only damages downloads.
    private var damagingLine: RoughLine {
        RoughLine(
            far: storage, probability: { $0 == .damagedAnswer ? 0.5 : 0 }, isCut: isOver, reach: { _ in },
            begins: { _, _ in }, takes: { _, _, _ in }, ends: { _, _, _ in })
    }

    /// Restores the bucket over the files of earlier restores, and compares the result with the user's files.
    private func expectRestored() async {
        do {
            let damaged = try await restored(over: damagingLine)
            note("restored \(damaged.restored) over a line that damages")
            // Partial downloads are kept for the next restore.
            try expectNothingHalf(try restoredFiles().filter { !$0.key.display.hasSuffix(".part") })
            let result = try await restored()
            note("restored \(result.restored)")
            let found = try restoredFiles()
            for file in files {
                // If other content has the key, or a folder has the name, or the queue forgot what it sent, the file
                // gets another name.
                if storage.isForeign(file.key) || isDecayed.value || history.mayKeepBoth || file.sharesNames
                    || file.isNested
                {
                    // A file from an earlier restore is never replaced.
                    if found[file.place] != nil, history.has([.restore]) { continue }
                    if !found.values.contains(file.sha256), !isObstructed(file.place, by: found.keys) {
                        blame("\(file.key) is not restored")
                    }
                    continue
                }
                guard let sha256 = found[file.place] else {
                    blame("\(file.key) is stored and is not restored")
                    continue
                }
                if history.has([.restore]) || mayStayTaken(file.key) { continue }
                if sha256 != file.sha256 { blame("\(file.key) is restored with other bytes") }
            }
            try expectNothingHalf(found)
            try await expectChosen()
        } catch {
            blame("nothing can be restored: \(error)")
        }
    }

    /// Whether a restore leaves `place` out, as it says, because an earlier one put a file where its folder would be.
    func isObstructed(_ place: FilePath, by restored: some Sequence<FilePath>) -> Bool {
        restored.contains { place.relative(to: $0) != nil }
    }

    /// Whether an object may have stayed under `key`, because a proxy that refuses everything also refused its move.
    func mayStayTaken(_ key: String) -> Bool {
        askedAside.value.contains(key) && history.probability(of: .tooLarge) > 0
    }

    /// A file that is stored beside another program's object is restored when its own name is asked for.
    private func expectChosen() async throws {
        let beside = files.filter { (storage.isForeign($0.key) || history.mayKeepBoth) && !isDecayed.value }
        guard !beside.isEmpty else { return }
        let chosen = folder.appending("chosen")
        let paths = beside.map(\.place)
        _ = try await restored(to: chosen, only: RestoreSelection(paths: paths))
        let found = Set(try restoredFiles(below: chosen).values)
        for file in beside where !found.contains(file.sha256) {
            blame("\(file.key) is not restored when it is asked for")
        }
    }

    /// The SHA-256 of each restored file, by its path.
    func restoredFiles(below directory: FilePath? = nil) throws -> [FilePath: String] {
        let directory = directory ?? restored
        // A restore that brought nothing leaves no folder.
        guard try FileFacts.existing(directory) != nil else { return [:] }
        var found: [FilePath: String] = [:]
        for path in try TreeWalk.files(below: directory) {
            found[path] = SHA256.hash(try OpenFile(reading: directory.appending(path)).readAll()).hexadecimal
        }
        return found
    }

    /// Restored bytes that were never sent to storage are half a download, or two downloads in one file.
    private func expectNothingHalf(_ found: [FilePath: String]) throws {
        for (path, sha256) in found.sorted(by: { $0.key < $1.key }) {
            let key = Self.key(ofRestored: path)
            guard !everSent.value.contains(sha256), !storage.isForeign(key), !storage.isForeign(path.display),
                !Neighbour.stores(key),
                !isPartOfFormerName(path, found)
            else { continue }
            blame("\(path) was restored, and is nothing that was stored")
        }
    }

    /// The key of a file that was restored there, below the root's name.
    private static func key(ofRestored path: FilePath) -> String {
        let names = path.components
        let below = FilePath(bytes: Array(names.dropFirst().joined(separator: [UInt8(ascii: "/")])))
        return ObjectKey(root: String(decoding: names[0], as: UTF8.self), path: below).text
    }

    /// Whether it is a part that an interrupted or failed restore left for a file whose name no object has any more.
    ///
    /// The next restore removes only the parts of files that it restores.
    private func isPartOfFormerName(_ path: FilePath, _ found: [FilePath: String]) -> Bool {
        guard path.display.hasSuffix(".part") else { return false }
        return !found.keys.contains { file in
            let mark = ".restore-\(SHA256.hash(file.name).hexadecimal.prefix(16))-"
            return file.parent == path.parent && path.name.starts(with: mark.utf8)
        }
    }

    /// Searches the state for secrets, and checks its size.
    func examineState() {
        let keys = [storage.serviceKey, providers?.key].compactMap { $0.map { Array($0.utf8) } }
        var size = 0
        for disk in [life.value.state, life.value.quarantine] {
            for (name, bytes) in disk.files.sorted(by: { $0.key < $1.key }) {
                size += bytes.count
                if keys.contains(where: { Self.holds(bytes, $0) }) { blame("\(name) of the state holds the key") }
            }
        }
        if size > Self.mostStateBytes * (1 + history.sizes.count) {
            blame("the queue's files have \(size) bytes for \(files.count) files")
        }
        do {
            let path = try life.value.locations().state
            for name in try Directory(path).names() {
                guard try FileFacts(of: path.appending(name), followingLinks: false).kind == .file else { continue }
                let bytes = try OpenFile(reading: path.appending(name)).readAll()
                if keys.contains(where: { Self.holds(bytes, $0) }) {
                    blame("\(name.display) of the state holds the key")
                }
            }
        } catch {
            note("the state cannot be examined: \(error)")
        }
    }

    private static func holds(_ bytes: [UInt8], _ key: [UInt8]) -> Bool {
        guard let first = key.first, bytes.count >= key.count else { return false }
        return bytes.indices.dropLast(key.count - 1).contains { start in
            bytes[start] == first && bytes[start..<start + key.count].elementsEqual(key)
        }
    }
}
