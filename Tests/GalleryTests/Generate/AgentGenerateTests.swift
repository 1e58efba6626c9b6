import Catalog
import Configuration
import FoundationEssentials
import Platform
import ProviderServer
import Providers
import Records
import Roots
import Supabase
import TestSupport
import Testing

@testable import Control
@testable import Gallery
@testable import Generating
@testable import Rescue

/// From an order to the stored object, through the agent.
@Suite struct AgentGenerateTests {
    static let order = GenerateOrder(.fal, model: "fal-ai/veo3.1", input: ["prompt": "a cat"], cost: 1_200_000)

    private func audit(_ studio: Studio) throws -> [String] {
        let path = try studio.fixture.locations.state.appending("audit.jsonl")
        let text = String(decoding: try OpenFile(reading: path).readAll(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init).filter { $0.contains("\"millionths\"") }
    }

    private static func ending(_ studio: Studio, _ order: GenerateOrder = order) async throws -> AgentReply<Job> {
        try await studio.fixture.run { try await $0.answer(order) }
    }

    @Test func anOrderBecomesAnObject() async throws {
        var plan = ProviderPlan()
        plan.media = [Reels.media()]
        try await Studio.with(plan) { studio in
            var studio = studio
            studio.equip { $0.settings.providers[.fal].maxSpend = 2 }
            let reply = try await Self.ending(studio)
            #expect(reply.ending == .done)
            #expect(reply.answer?.reference?.id == "fal-1")
            let (listing, ending) = try await studio.rescue(.known)
            #expect(ending == .done)
            #expect(listing.rows.map(\.state) == ["stored"])
            #expect(studio.server.charges.count == 1)
            let lines = try audit(studio)
            #expect(lines.count == 2)
            #expect(lines.first?.contains(#""action":"reserved""#) == true)
            #expect(lines.last?.contains(#""action":"committed""#) == true)
            let sidecar = try #require(try studio.files().first { $0.hasSuffix(".json") })
            #expect(sidecar.contains("fal-1"))
        }
    }

    /// At the user's own server neither a yes nor a limit is needed.
    @Test func aStoryBecomesAProjectAndItsVideo() async throws {
        var plan = ProviderPlan()
        plan.media = [Reels.media()]
        plan.picture = MadeMedia("image.png", "image/png", try Self.picture())
        try await Studio.with(plan) { studio in
            let order = GenerateOrder(.storyToVideo, model: "ink", input: ["prompt": "Once upon a time…", "shots": 2])
            #expect(try await Self.ending(studio, order).ending == .done)
            let project = try #require(try studio.jobs().first?.reference?.id)
            #expect(project.hasPrefix("projects/"))
            #expect(try await studio.rescue(.known).ending == .done)
            #expect(studio.server.charges.map(\.model) == ["generate_storyboard", "generate_video"])
            let files = try studio.jobs().flatMap(\.files)
            #expect(files.map(\.kind) == [.video, .image, .image] && files.allSatisfy { $0.stage == .stored })
        }
    }

    /// A PNG of one pixel.
    private static func picture() throws -> [UInt8] {
        let text = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        return Array(try #require(Data(base64Encoded: text)))
    }

    @Test func withoutAYesOrALimitNothingIsSent() async throws {
        try await Studio.with { studio in
            let ending = try await Self.ending(studio).ending
            #expect(ending == Self.order.refusal(limit: nil))
            #expect(studio.server.log.isEmpty)
            #expect(try studio.jobs().isEmpty)
        }
    }

    @Test func theLimitIsTheUsers() async throws {
        try await Studio.with { studio in
            var studio = studio
            studio.equip { $0.settings.providers[.fal].maxSpend = 2 }
            #expect(try await Self.ending(studio).ending == .done)
            let ending = try await Self.ending(studio).ending
            let words = ending.description
            #expect(ending == .needsHuman(words))
            #expect(words.contains("1.20") && words.contains("2.00") && words.contains("maxSpend"))
            #expect(studio.server.charges.count == 1)
        }
    }

    /// The command's own look and the first rescue's get no list; then fal lists the job, and a rescue brings its video.
    @Test func aRescueLooksForWhatFalMayHaveTaken() async throws {
        var plan = ProviderPlan()
        plan.media = [Reels.media()]
        plan.troubles = [
            Trouble(.lostAnswer, method: "POST", times: 1), Trouble(.status(503), path: "/fal/v1/*", times: 2),
        ]
        try await Studio.with(plan) { studio in
            var order = Self.order
            order.isConfirmed = true
            #expect(try await Self.ending(studio, order).ending.kind == .temporary)
            let asked = studio.server.log.count
            let dry = try await studio.fixture.run(.steering) {
                try await $0.rescuePlan(RescueOrder(.known, dryRun: true))
            }
            #expect(dry.rows.map(\.state) == ["unknown"])
            #expect(studio.server.log.count == asked)
            let (listing, ending) = try await studio.rescue(.known)
            let words = ending.description
            #expect(ending == .temporary(words) && words.contains("jobs add fal ID"), "\(words)")
            #expect(listing.rows.first?.note?.contains("its answer was lost") == true)
            var states: [String] = []
            for _ in 0..<6 where states.last != "stored" {
                states.append(try await studio.rescue(.known).result.rows.first?.state ?? "")
            }
            #expect(states.last == "stored", "\(states)")
            #expect(studio.server.charges.count == 1)
        }
    }

    /// However often it is rescued, its reason is what its provider said, and nothing waits for it.
    @Test func aRefusedOrderStaysAsItWasRefused() async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(.status(422, body: #"{"detail":"field required"}"#), method: "POST")]
        try await Studio.with(plan) { studio in
            var order = Self.order
            order.isConfirmed = true
            _ = try await Self.ending(studio, order)
            for _ in 0..<3 {
                let (listing, ending) = try await studio.rescue(.known)
                #expect(ending == .done && listing.rows.isEmpty)
                #expect(try studio.jobs().first?.error?.message == "field required")
            }
        }
    }

    /// What happened to the first call, and how many orders fal has in the end.
    @Test(arguments: [(Trouble.Effect.lostAnswer, 1), (.dropped, 0)])
    func theSameOrderAgainGoesOnWithTheOneWithoutAnAnswer(effect: Trouble.Effect, taken: Int) async throws {
        var plan = ProviderPlan()
        plan.troubles = [
            Trouble(effect, method: "POST", times: 1), Trouble(.status(503), path: "/fal/v1/*", times: 3),
        ]
        try await Studio.with(plan) { studio in
            var order = Self.order
            order.isConfirmed = true
            let first = try await Self.ending(studio, order)
            for _ in 0..<2 {
                let again = try await Self.ending(studio, order)
                #expect(again.answer?.id == first.answer?.id && again.ending == first.ending)
            }
            #expect(try studio.jobs().count == 1)
            #expect(studio.server.charges.count == taken)
            order.model = "fal-ai/other"
            let other = try await Self.ending(studio, order)
            #expect(other.ending == .done && other.answer?.id != first.answer?.id)
            #expect(studio.server.charges.count == taken + 1)
        }
    }

    /// What fal answers to an order, how the command ends, and what its sentence contains.
    @Test(
        arguments: [
            (422, "field required", .someFailed, "fal refuses the order: field required"),
            (404, "no such model", .someFailed, "fal refuses the order: no such model"),
            (402, "Payment required", .full, "fal refuses the order: Payment required"),
            (403, "User is locked. Reason: Exhausted balance.", .full, "Exhausted balance"),
            (403, "Forbidden", .notPermitted, "renew it in GALLERY_SYNC_FAL_KEY"),
            (401, "Invalid key", .notPermitted, "renew it in GALLERY_SYNC_FAL_KEY"),
        ] as [(Int, String, Ending.Kind, String)])
    func aRefusalEndsByItsReason(_ row: (status: Int, says: String, kind: Ending.Kind, words: String)) async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(.status(row.status, body: #"{"detail":"\#(row.says)"}"#), method: "POST")]
        try await Studio.with(plan) { studio in
            var order = Self.order
            order.isConfirmed = true
            let ending = try await Self.ending(studio, order).ending
            #expect(ending.kind == row.kind && ending.description.contains(row.words), "\(ending)")
            #expect(studio.server.charges.isEmpty)
        }
    }

    @Test func anUnknownOutcomeSaysWhatToDo() async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(.lostAnswer, method: "POST")]
        try await Studio.with(plan) { studio in
            var order = Self.order
            order.isConfirmed = true
            let reply = try await Self.ending(studio, order)
            let words = reply.ending.description
            #expect(reply.ending == .temporary(words))
            #expect(words.contains("jobs add fal ID --model fal-ai/veo3.1"))
            #expect(reply.answer?.state.word == "unknown")
            let id = try #require(reply.answer?.id.rawValue)
            let cancelled = try await studio.fixture.run { try await $0.answer(CancelJobsOrder([id])) }
            #expect(cancelled.answer?.first?.isCancelled == true)
            #expect(try audit(studio).last?.contains(#""action":"committed""#) == true)
        }
    }
}
