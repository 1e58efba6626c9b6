import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Providers
import Queue
import Records
import Rescue
import Simulation
import Supabase

/// What must hold of videos that were ordered.
extension World {
    /// Orders one more video at each provider, now that nothing goes wrong.
    func orderVideos() {
        guard let providers else { return }
        providers.calmFrom.value = providers.orders.value
        for site in ProviderModel.sites.indices { generate(at: site) }
    }

    /// All jobs; between two lives, those that the next one will find.
    private func jobs() async throws -> [Job] {
        if let agent = life.value.agent.value { return await agent.rescuer.registry.all() }
        let life = life.value
        let store = try JobStore(state: life.locations().state) { path throws(SystemError) in life.disk(path) }
        return try await JobRegistry(store: store).all()
    }

    /// Why videos that were paid for are not in storage; empty if all are, or if their jobs report the loss.
    func whatVideosMiss(_ objects: [String: [UInt8]], _ library: Library) async throws -> [String] {
        guard let providers else { return [] }
        let jobs = try await jobs()
        var missing = jobs.compactMap { difference($0, objects, providers.video) }
        // A decayed registry may have forgotten any of them.
        guard !isDecayed.value else { return missing }
        for charge in providers.charges where !jobs.contains(where: { $0.isAbout(charge.job, charge.words) }) {
            missing.append("\(charge.words) was charged for by \(charge.site.rawValue), and no job says so")
        }
        return missing
    }

    private func difference(_ job: Job, _ objects: [String: [UInt8]], _ video: [UInt8]) -> String? {
        let name = "job \(job.id.rawValue)"
        // A job whose order has an unknown outcome must say so.
        guard let reference = job.reference else {
            if job.isUnsent, job.advice != nil || !history.isWatching { return nil }
            if job.isSettled, providers?.isCalm(job.words) == false { return nil }
            return "\(name) was not taken: \(job.error.map { "\($0)" } ?? "no reason")"
        }
        if let error = job.error { return mayBeLost ? nil : "\(name) was given up: \(error)" }
        guard !job.isCancelled else { return nil }
        guard !job.files.isEmpty else { return "\(name) is \(job.state) at \(reference.provider.rawValue)" }
        for file in job.files {
            if file.stage == .failed {
                guard file.failure != nil else { return "\(name) lost its file without a word" }
                return mayBeLost ? nil : "\(name) lost its file: \(file.failure?.message ?? "")"
            }
            guard let key = file.objectKey, file.stage == .stored else {
                return "\(name) has a file that is \(file.stage.rawValue): \(file.failure?.message ?? "no reason")"
            }
            guard objects[StorageModel.bare(key)] == video else { return "\(name) is stored with other bytes" }
        }
        return nil
    }

    /// Whether outside conditions may have kept a video from being rescued.
    private var mayBeLost: Bool { providers?.lifetime != nil || history.probability(of: .decoder) > 0 }

    /// How many rescued files the library counts: those that jobs name, and those on disk, which a decayed registry may
    /// have forgotten.
    func rescuedAssets(_ library: Library) async throws -> Int {
        guard providers != nil else { return 0 }
        var count = 0
        for path in try await Set(jobs().flatMap { $0.files.compactMap(\.path) }).union(rescuedFiles) {
            if try await library.fileRecord(root: Self.produced, path: path) != nil { count += 1 }
        }
        return count
    }

    /// Rescued videos that are not in storage, whether or not a job knows of them.
    func rescuedProblems(_ objects: [String: [UInt8]], _ library: Library) async throws -> [String] {
        guard let providers else { return [] }
        var problems: [String] = []
        for path in try rescuedFiles.sorted(by: { $0.display < $1.display }) {
            let name = "\(Self.produced)/\(path.display)"
            guard let record = try await library.fileRecord(root: Self.produced, path: path),
                let receipt = record.receipts.first(where: { $0.role == .original })
            else { continue }
            if objects[StorageModel.bare(receipt.key.text)] != providers.video {
                problems.append("\(name) was rescued, and what is stored is something else")
            }
        }
        return problems
    }

    /// The videos below the root of rescued files, without other files there.
    private var rescuedFiles: Set<FilePath> {
        get throws {
            guard try FileFacts.existing(produced) != nil else { return [] }
            return Set(try TreeWalk.files(below: produced).filter { $0.display.hasSuffix(".mp4") })
        }
    }

    /// Expects that no order was charged twice; a decayed registry may have forgotten that it sent one.
    func expectCharges() {
        guard !isDecayed.value else { return }
        let charges = Dictionary(grouping: providers?.charges ?? []) { $0.words }
        for (words, charges) in charges.sorted(by: { $0.key < $1.key }) where charges.count > 1 {
            blame("\(words) was charged for \(charges.count) times")
        }
    }
}

extension Job {
    /// Whether the provider calls this job `id`, or it may be the order with those words.
    fileprivate func isAbout(_ id: String, _ words: String) -> Bool {
        if reference?.id == id { return true }
        return self.words == words && (isUnsent || submission?.isTaken(as: id) == true)
    }

    /// The order's prompt, if it was ordered here.
    fileprivate var words: String? { submission?.intent.input["prompt"]?.string }
}

extension Submission {
    fileprivate func isTaken(as id: String) -> Bool {
        if case .taken(let reference) = stage { reference.id == id } else { false }
    }
}
