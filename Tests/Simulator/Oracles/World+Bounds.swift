import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Restoring
import Roots
import Simulation
import Supabase

/// What the agent leaves behind, and how much it asks for.
extension World {
    /// Requests that one file may cost, once nothing goes wrong, and those that a quiet time may cost.
    private static let requestsOfFile = 60
    private static let requestsOfQuiet = 40
    /// Jobs of a quiet time, each of which may be a wake-up of a processor, and those of a scan of one root.
    private static let (jobsOfQuiet, jobsOfScan) = (3_000, 300)
    /// Jobs of a look for a root that is away, and the seconds between two.
    private static let (jobsOfLook, secondsOfLook) = (30, 10)
    /// Bytes of all files of the queue and the jobs for each object of a file.
    private static let mostStateBytes = 1 << 19

    /// Looks at what it took to store everything, at a quiet time, and at what comes back.
    func expectBounds() async {
        let files = self.files.count + legacy.value.count + (providers?.orders.value ?? 0) + 5
        let asked = requests.value - calmRequests.value
        if history.endsWithFile { await expectPromptness() }
        if history.endsWithRestore { await expectRestored() }
        // Pass after pass asks each time, for as long as it takes.
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
            // An empty one counts as away where it had files, and is looked for; where it never had any, it is scanned.
            most + ((try? root.isBare) == true ? max(looks, scans) : scans)
        }
        if jobs > most {
            blame("\(jobs) jobs in \(history.quiet) s in which nothing happened")
        }
        // An hour later it asks once for each object that a request may have changed: of many files, many.
        let mostAsked = Self.requestsOfQuiet + (history.isScrambling ? (1 + history.sizes.count) * files : 0)
        if quiet > mostAsked { blame("\(quiet) requests in \(history.quiet) s in which nothing happened") }
    }

    /// A file that appears is stored soon after the next scan has found it: no loop sleeps through that.
    private func expectPromptness() async {
        let root = galleries[0]
        guard history.isWatching, history.interval <= 120, (try? root.isBare) == false else { return }
        let key = root.key(GalleryModel.name(Self.lateComer))
        performAtOnce(.create(Self.lateComer, content: UInt64(Self.lateComer), size: 0))
        var waited = 0
        while !told.value.contains(key), waited < history.interval + Self.mostUntilStored {
            try? await Task.sleep(for: .seconds(5))
            waited += 5
        }
        note("a new file was stored after \(waited) s")
        guard !told.value.contains(key) else { return }
        for root in life.value.agent.value?.roots.all ?? [] {
            note("\(root.name): \(root.sight.absence?.reason ?? "there")")
        }
        blame("a new file is not stored after \(waited) s, with nothing wrong")
    }

    /// The number of a file that no history draws.
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

    /// A line on which a restore meets what becomes of downloads, when all else is well.
    private var damagingLine: RoughLine {
        RoughLine(
            far: storage, probability: { $0 == .damagedAnswer ? 0.5 : 0 }, isCut: isOver, reach: { _ in },
            begins: { _, _ in }, takes: { _, _, _ in }, ends: { _, _, _ in })
    }

    /// Restores the bucket over what earlier restores have left, and compares that with the files.
    private func expectRestored() async {
        do {
            let damaged = try await restored(over: damagingLine)
            note("restored \(damaged.restored) over a line that damages")
            // Parts of downloads wait for the next restore.
            try expectNothingHalf(try restoredFiles().filter { !$0.key.hasSuffix(".part") })
            let result = try await restored()
            note("restored \(result.restored)")
            let found = try restoredFiles()
            for file in files {
                // Where another program or former bytes have the key, or the queue forgot what was sent, it is restored beside.
                if storage.isForeign(file.key) || isDecayed.value || history.keepsBoth {
                    // What an earlier restore brought is never replaced.
                    if found[file.key] != nil, history.has([.restore]) { continue }
                    if !found.values.contains(SHA256.hash(file.bytes).hexadecimal) {
                        blame("\(file.key) is not restored")
                    }
                    continue
                }
                guard let sha256 = found[file.key] else {
                    blame("\(file.key) is stored and is not restored")
                    continue
                }
                if history.has([.restore]) || mayStayTaken(file.key) { continue }
                if sha256 != SHA256.hash(file.bytes).hexadecimal { blame("\(file.key) is restored with other bytes") }
            }
            try expectNothingHalf(found)
            try await expectChosen()
        } catch {
            blame("nothing can be restored: \(error)")
        }
    }

    /// Whether an object may stay under `key` that was to be set aside: a proxy that takes nothing refuses that move, too.
    func mayStayTaken(_ key: String) -> Bool {
        askedAside.value.contains(key) && history.probability(of: .tooLarge) > 0
    }

    /// A file that is stored beside another program's object comes back when its own name is asked for.
    private func expectChosen() async throws {
        let beside = files.filter { (storage.isForeign($0.key) || history.keepsBoth) && !isDecayed.value }
        guard !beside.isEmpty else { return }
        let chosen = folder.appending("chosen")
        let paths = beside.map { FilePath($0.key) }
        _ = try await restored(to: chosen, only: RestoreSelection(paths: paths))
        let found = Set(try restoredFiles(below: chosen).values)
        for file in beside where !found.contains(SHA256.hash(file.bytes).hexadecimal) {
            blame("\(file.key) is not restored when it is asked for")
        }
    }

    /// The SHA-256 of each restored file, by its path.
    private func restoredFiles(below directory: FilePath? = nil) throws -> [String: String] {
        let directory = directory ?? restored
        var found: [String: String] = [:]
        try TreeWalk.walk(Directory(directory)) { (listing: DirectoryListing) in
            for entry in listing.entries where entry.kind == .file {
                let path = listing.path.appending(entry.name)
                let bytes = try OpenFile(reading: directory.appending(path)).readAll()
                found[path.display] = SHA256.hash(bytes).hexadecimal
            }
        }
        return found
    }

    /// What no request brought to storage is no one's file: half a download, or two of them in one.
    private func expectNothingHalf(_ found: [String: String]) throws {
        for (path, sha256) in found.sorted(by: { $0.key < $1.key }) {
            guard !everSent.value.contains(sha256), !storage.isForeign(path), !Neighbour.stores(path),
                !isPartOfFormerName(FilePath(path), found)
            else { continue }
            blame("\(path) was restored, and is nothing that was stored")
        }
    }

    /// Whether a restore that was cut short, or that failed at it, has left it for a file that no object has the name of any
    /// more.
    ///
    /// The next restore removes the parts of the files that it comes to, and of no others.
    private func isPartOfFormerName(_ path: FilePath, _ found: [String: String]) -> Bool {
        guard path.display.hasSuffix(".part") else { return false }
        return !found.keys.map({ FilePath($0) }).contains { file in
            let mark = ".restore-\(SHA256.hash(file.name).hexadecimal.prefix(16))-"
            return file.parent == path.parent && path.name.starts(with: mark.utf8)
        }
    }

    /// Looks for secrets in the state, and at its size.
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
