import Foundation
import Platform
import ProviderServer
import Providers
import Queue
import Reporting
import Rescue
import TestSupport
import Testing

/// Jobs of every site, each with a fault of its own, rescued by processes that are killed, across an outage of an hour.
@Suite struct RescueCampaignTests {
    /// A job at a site, with the fault that it meets.
    private struct Entry: Sendable {
        let site: ProviderName
        let name: String
        let fault: CampaignFault

        var id: String {
            switch site {
            case .gemini: "models/veo/operations/\(name)"
            case .storyToVideo: "tasks/\(name)"
            default: name
            }
        }
    }

    private static func entries(_ count: Int) -> [Entry] {
        let (sites, faults) = (ProviderName.all, CampaignFault.all)
        return (0..<count).map { number in
            // Each round begins with another fault, so that in time every site meets every one.
            let (round, place) = number.quotientAndRemainder(dividingBy: sites.count)
            return Entry(
                site: sites[place], name: "n\(number)x", fault: faults[(place + round * sites.count) % faults.count])
        }
    }

    private static func know(_ server: ProviderServer, _ fixture: inout ProgramFixture) {
        for site in ProviderName.all {
            fixture.common += ["--set", "providers.\(site.rawValue).url=\(server.base(of: site))"]
            fixture.environment["GALLERY_SYNC_\(site.rawValue.uppercased())_KEY"] = server.key(of: site)
        }
    }

    private static func add(_ entries: ArraySlice<Entry>, to server: ProviderServer, _ fixture: ProgramFixture)
        async throws
    {
        for (number, entry) in entries.enumerated() {
            let movie = Reels.plain(60_000 + (entries.startIndex + number) * 64, number: number)
            server.add(
                MadeJob(
                    entry.site, entry.id, model: "fal-ai/veo3.1", media: [MadeMedia("video.mp4", "video/mp4", movie)]))
        }
        for (site, jobs) in Dictionary(grouping: entries, by: \.site) {
            let words = ["jobs", "add", site.rawValue] + jobs.map(\.id) + ["--model", "fal-ai/veo3.1"]
            #expect(try await fixture.run(words).code == 0)
        }
    }

    /// Jobs on disk that have ended without their file.
    private static func lost(_ fixture: ProgramFixture) throws -> [String] {
        let jobs = try JobStore(state: fixture.state.appending("state/default")).load().entries
        return jobs.filter { $0.error != nil || $0.files.contains { $0.stage == .failed } }.map {
            let file = $0.files.first?.failure?.message ?? ""
            return "\($0.reference?.provider.rawValue ?? "") \($0.reference?.id ?? "") \($0.error?.message ?? file)"
        }
    }

    private static func kill(_ times: Int, _ fixture: ProgramFixture, _ random: inout SeededGenerator) async throws {
        for _ in 0..<times {
            let process = try fixture.start("rescue")
            // Only the moment of the kill is random here.
            try await Task.sleep(for: .milliseconds(Int.random(in: 60...1_500, using: &random)))
            process.signal(.kill)
            _ = try await process.end()
        }
    }

    @Test func nothingThatAProviderWouldGiveAgainIsLost() async throws {
        let scale = Built.scale
        let entries = Self.entries(min(306, ProviderName.all.count * (1 + scale * 2)))
        let kills = min(100, 8 * scale)
        let ahead = Shared(0.0)
        var plan = ProviderPlan()
        // Signed anew with each answer, so what ends during the outage can be had again.
        (plan.lifetimes[.runway], plan.lifetimes[.luma]) = (.seconds(1_800), .seconds(1_800))
        // Their files are gone for good after an hour; what a provider does not give again is not counted here.
        (plan.lifetimes[.replicate], plan.lifetimes[.lumaAgents]) = (nil, nil)
        let server = ProviderServer(plan: plan, clock: { Date() + ahead.value })
        try server.start()
        try await ProgramFixture.remote { fixture, _ in
            var fixture = fixture
            Self.know(server, &fixture)
            fixture.common += ["--set", "sync.patience=30s"]
            var random = SeededGenerator(seed: 11)
            let middle = entries.count * 2 / 3
            try await Self.add(entries[..<middle], to: server, fixture)
            server.set(entries.flatMap { $0.fault.troubles($0.site, $0.name) })
            try await Self.kill(kills / 2, fixture, &random)
            #expect(try Self.lost(fixture) == [])

            // The rest is known, but not a byte of it is here when the line goes.
            try await Self.add(entries[middle...], to: server, fixture)
            server.set([
                Trouble(.dropped, path: "/files/*"), Trouble(.dropped, path: "/*/content"),
                Trouble(.dropped, path: "/gemini/files/*"),
            ])
            try await Self.kill(3, fixture, &random)
            server.set([Trouble(.dropped)])
            try await Self.kill(2, fixture, &random)
            ahead.change { $0 += 3_700 }
            server.set(entries[middle...].flatMap { $0.fault.troubles($0.site, $0.name) })
            try await Self.kill(kills - kills / 2, fixture, &random)
            #expect(try Self.lost(fixture) == [])

            try await Self.finish(entries, server, fixture, kills)
        }
        await server.stop()
    }

    /// Rescues to the end; each file must be stored, and once.
    private static func finish(
        _ entries: [Entry], _ server: ProviderServer, _ fixture: ProgramFixture, _ kills: Int
    ) async throws {
        // A refused key is tried again with each start.
        var end = try await fixture.run("rescue")
        for _ in 0..<9 where end.code != 0 { end = try await fixture.run("rescue") }
        #expect(end.code == 0, "\(end.notes)")
        #expect(try lost(fixture) == [])
        let jobs = try JobStore(state: fixture.state.appending("state/default")).load().entries
        #expect(jobs.count == entries.count && jobs.allSatisfy(\.isStored))
        let keys = jobs.flatMap(\.files).compactMap(\.objectKey)
        #expect(Set(keys).count == entries.count, "a file is stored twice")
        #expect(try await fixture.status().assets.stored == entries.count)
        #expect(server.charges.isEmpty, "to rescue a job orders nothing")
        #expect(server.log.contains { $0.status == 403 && $0.path.hasPrefix("/files/runway/") })
        if Built.scale > 1 { tell(entries, jobs, server, kills) }
    }

    /// A line for each site.
    private static func tell(_ entries: [Entry], _ jobs: [Job], _ server: ProviderServer, _ kills: Int) {
        print("\(entries.count) jobs, \(Set(entries.map(\.fault.name)).count) kinds of faults, \(kills + 5) kills")
        for (site, mine) in Dictionary(grouping: entries, by: \.site).sorted(by: { $0.key.rawValue < $1.key.rawValue })
        {
            let stored = jobs.count { $0.reference?.provider == site && $0.isStored }
            let asked = server.log.filter { $0.path.hasPrefix("/\(site.rawValue)/") }
            let faults = server.log.filter { $0.contains(site.rawValue) && ($0.status >= 400 || $0.status == 0) }
            print(
                site.rawValue, "jobs", mine.count, "kinds", Set(mine.map(\.fault.name)).count, "stored", stored, "lost",
                mine.count - stored, "calls", asked.count, "refused", faults.count)
        }
    }
}
