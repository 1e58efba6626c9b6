import CommandLine
import FoundationEssentials
import Gallery
import Platform
import ProviderServer
import Providers
import Records
import Rescue
import StorageServer
import Supabase

/// Rescues videos of simulated providers into the demo's storage before their links expire.
struct DemoRescue: Sendable {
    let demo: Demo
    let server: ProviderServer
    /// The video that each provider has made.
    let video: MadeMedia
    /// All providers, each with one job, because their links differ: with a key, signed, signed anew, or public.
    static let sites = ProviderName.all

    /// A rescue in which the demo's own clip is the video that the providers have made.
    init(_ demo: Demo) throws {
        self.demo = demo
        let clip = try OpenFile(reading: demo.gallery.appending("2026/06/MOV_0004.mp4")).readAll()
        var plan = ProviderPlan()
        plan.troubles = [
            Trouble(.cut(after: clip.count / 2), path: "/files/runway/*", times: 1),
            Trouble(.status(503), path: "/files/fal/*", times: 1),
            Trouble(.lostAnswer, path: "/storytovideo/v1/*", times: 1),
        ]
        server = ProviderServer(plan: plan)
        video = MadeMedia("video.mp4", "video/mp4", clip)
    }

    /// Runs a second agent that rescues one video of each provider, and returns whether all were stored.
    func perform() async throws -> Bool {
        try server.start()
        do {
            let stored = try await rescued()
            await server.stop()
            return stored == Self.sites.count
        } catch {
            await server.stop()
            throw error
        }
    }

    private func rescued() async throws -> Int {
        guard case .taken(let lock) = try StateLock.acquire(demo.locations) else { throw LockHeld(processID: nil) }
        let agent = try await Agent(setup(), lock: lock)
        return try await agent.run(.pass) { agent in
            for site in Self.sites { _ = try await agent.jobOrders.add(job(at: site)) }
            let (listing, ending) = try await agent.rescue(RescueOrder(.known))
            let stored = listing.rows.count { $0.state == JobFile.Stage.stored.rawValue }
            try demo.tell("Rescued", "\(stored) videos of made-up providers through 3 failures, before their links end")
            try demo.tell("", "\(Self.sites.map(\.rawValue).joined(separator: ", "))")
            for row in listing.rows { if let note = row.note { try demo.say("", "\(row.job): \(note)") } }
            if ending != .done { try demo.say("", "\(ending)") }
            if stored < Self.sites.count {
                try demo.say("Not proven: \(stored) of \(Self.sites.count) made-up videos were rescued.")
            }
            return stored
        }
    }

    /// Adds a job to the server that is nearly done, and returns its reference.
    private func job(at site: ProviderName) -> JobReference {
        let id = site == .gemini ? "models/veo/operations/demo" : site == .storyToVideo ? "tasks/demo" : "demo"
        server.add(MadeJob(site, id, model: "fal-ai/veo3.1", media: [video], queued: 1, running: 1))
        return JobReference(site, id, model: "fal-ai/veo3.1")
    }

    private func setup() throws -> Agent.Setup {
        var parts = try demo.parts()
        parts.rescue.folder = demo.folder.appending("generated")
        parts.rescue.linkRules = LinkRules(configured: [server.origin])
        parts.rescue.polling.first = .milliseconds(50)
        for site in Self.sites { parts.rescue.providers[site] = server.provider(site, transport: demo.client) }
        return parts
    }
}
