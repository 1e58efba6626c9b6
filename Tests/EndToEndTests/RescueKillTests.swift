import Foundation
import Platform
import ProviderServer
import Providers
import Queue
import Reporting
import Rescue
import Serving
import TestSupport
import Testing

/// Kills rescues at random moments, and checks what was fetched and stored.
@Suite struct RescueKillTests {
    /// Bytes of one request of a download.
    private static let chunk = 8 << 20

    /// The identifier by which the agent asks a provider about a job.
    private static func id(_ site: ProviderName, _ number: Int) -> String {
        switch site {
        case .gemini: "models/veo/operations/g-\(number)"
        case .storyToVideo: "tasks/t-\(number)"
        default: "j-\(number)"
        }
    }

    /// Adds jobs, every other one larger than a request; returns their names for the command line.
    private static func fill(_ server: ProviderServer, _ count: Int) -> [ProviderName: [String]] {
        var ids: [ProviderName: [String]] = [:]
        for number in 0..<count {
            let site = ProviderName.all[number % ProviderName.all.count]
            let size = number / ProviderName.all.count % 2 == 0 ? chunk + chunk / 8 : 200_000
            let media = MadeMedia("video.mp4", "video/mp4", Reels.plain(size + number, number: number))
            server.add(MadeJob(site, id(site, number), model: "fal-ai/veo3.1", media: [media]))
            ids[site, default: []].append(id(site, number))
        }
        return ids
    }

    private static func know(_ server: ProviderServer, _ fixture: inout ProgramFixture) {
        for site in ProviderName.all {
            fixture.common += ["--set", "providers.\(site.rawValue).url=\(server.base(of: site))"]
            fixture.environment["GALLERY_SYNC_\(site.rawValue.uppercased())_KEY"] = server.key(of: site)
        }
    }

    /// Bytes of each file that were sent more than once.
    private static func repeated(_ server: ProviderServer, _ fixture: ProgramFixture) throws -> [String: Int64] {
        let jobs = try JobStore(state: fixture.state.appending("state/default")).load().entries
        let files = jobs.flatMap(\.files)
        return Dictionary(
            // What stands in an answer itself comes in one piece, and a signed link is cleansed once its file is stored.
            uniqueKeysWithValues: files.compactMap { file in
                guard let path = WebAddress(file.link)?.path else { return nil }
                return (path, server.sent(path) - (file.bytes ?? 0))
            })
    }

    @Test func everyFileIsStoredOnceWhateverMomentTheRescueDies() async throws {
        let count = min(100, 16 * Built.scale)
        let server = ProviderServer()
        try server.start()
        let ids = Self.fill(server, count)
        server.set([
            Trouble(.slow(bytesPerSecond: 40_000_000), path: "/files/*"),
            Trouble(.status(503), path: "/files/*", sparing: 9, times: 2), Trouble(.dropped, sparing: 50, times: 3),
        ])
        try await ProgramFixture.remote { fixture, _ in
            var fixture = fixture
            Self.know(server, &fixture)
            for (site, ids) in ids {
                let words = ["jobs", "add", site.rawValue] + ids + ["--model", "fal-ai/veo3.1"]
                #expect(try await fixture.run(words).code == 0)
            }
            var random = SeededGenerator(seed: 5)
            for _ in 0..<(20 * Built.scale) {
                let process = try fixture.start("rescue")
                // Only the moment of the kill is random here.
                try await Task.sleep(for: .milliseconds(Int.random(in: 100...1_200, using: &random)))
                process.signal(.kill)
                _ = try await process.end()
            }
            let end = try await fixture.run("rescue")
            #expect(end.code == 0, "\(end.notes)")

            let report = try await fixture.status()
            #expect(report.assets == Report.Assets(stored: count))
            let repeated = try Self.repeated(server, fixture)
            #expect(
                repeated.count >= count / 2 && repeated.values.allSatisfy { $0 <= Self.chunk },
                "\(repeated)")
            let asked = server.log.count
            #expect(try await fixture.run("rescue").code == 0)
            #expect(server.log.count == asked, "what is stored is asked for again")
        }
        await server.stop()
    }
}
