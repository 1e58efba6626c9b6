import Configuration
import FoundationEssentials
import Platform
import Restoring
import Simulation
import Supabase

/// What the agent leaves behind, and how much it asks for.
extension World {
    /// Requests that one file may cost, once nothing goes wrong, and those that a quiet hour may cost.
    private static let requestsOfFile = 60
    private static let requestsOfHour = 40
    /// Jobs of a quiet hour, each of which may be a wake-up of a processor, and those of a scan of one root.
    private static let (jobsOfHour, jobsOfScan) = (3_000, 300)
    /// Bytes of all files of the queue and the jobs.
    private static let mostStateBytes = 1 << 20

    /// Looks at what it took to store everything, at a quiet hour, and at what comes back.
    func expectBounds() async {
        let files = self.files.count + legacy.value.count + (providers?.orders.value ?? 0) + 5
        let asked = requests.value - calmRequests.value
        await expectRestored()
        // Pass after pass asks each time, for as long as it takes.
        guard history.isWatching else { return }
        if asked > files * Self.requestsOfFile { blame("\(asked) requests for \(files) files, with nothing wrong") }
        let before = requests.value
        let steps = Simulation.current?.steps ?? 0
        try? await Task.sleep(for: .seconds(3_600))
        let quiet = requests.value - before
        let jobs = (Simulation.current?.steps ?? 0) - steps
        note("a quiet hour: \(quiet) requests, \(jobs) jobs")
        // A root that is empty counts as away, and is looked at every ten seconds.
        let scans = galleries.reduce(0) { $0 + 3_600 / ((try? $1.isBare) == true ? 10 : history.interval) }
        if jobs > Self.jobsOfHour + scans * Self.jobsOfScan {
            blame("\(jobs) jobs in an hour in which nothing happened")
        }
        if quiet > Self.requestsOfHour { blame("\(quiet) requests in an hour in which nothing happened") }
    }

    /// Restores the bucket into an empty folder.
    private func expectRestored() async {
        let target = folder.appending("restored")
        do {
            try Directory.removeTree(at: target)
            try Directory.create(at: target)
            let result = try await Restorer(
                Restorer.Setup(storage: storage.client, destination: storage.destination, directory: target)
            ).run()
            note("restored \(result.restored)")
            // Where another program took a file's key, its object takes the name, too.
            for file in files where !storage.isForeign(file.key) {
                let path = target.appending(file.key)
                guard try FileFacts.existing(path) != nil else {
                    blame("\(file.key) is stored and is not restored")
                    continue
                }
                if try OpenFile(reading: path).readAll() != file.bytes {
                    blame("\(file.key) is restored with other bytes")
                }
            }
        } catch {
            blame("nothing can be restored: \(error)")
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
        if size > Self.mostStateBytes { blame("the queue's files have \(size) bytes for \(files.count) files") }
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
