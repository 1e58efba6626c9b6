import FoundationEssentials
import Platform
import ProviderServer
import Providers
import Rescue
import Serving
import Simulation
import Supabase
import Transfer

/// Providers of generated videos: the project's stand-ins in this process, and what was ordered from them.
///
/// fal knows no idempotency keys, Rendio does.
final class ProviderModel: FarSide {
    static let sites: [ProviderName] = [.fal, .rendio]
    private let server: ProviderServer
    /// Seconds that a finished video can be fetched; `nil` for ever.
    let lifetime: Int?
    /// How many videos were ordered.
    let orders = Simulated(0)
    /// How many of them before nothing went wrong any more; `nil` until then.
    let calmFrom = Simulated<Int?>(nil)
    private static let model = "fal-ai/veo3.1"
    /// What every job makes.
    let video: [UInt8]

    init(lifetime: Int?) {
        self.lifetime = lifetime
        // The boxes of a movie say where it ends.
        let body = GalleryModel.content(0, 77, size: 0)
        video = [0, 0, 0, 0x18] + Array("ftypmp42\0\0\0\0mp42isom".utf8) + [0, 0, 0, 0] + Array("mdat".utf8) + body
        var plan = ProviderPlan()
        plan.media = [MadeMedia("video.mp4", "video/mp4", video)]
        for site in Self.sites { plan.lifetimes[site] = lifetime.map { .seconds($0) } }
        plan.credits = 1_000_000
        server = ProviderServer(plan: plan)
    }

    var isUp: Bool { true }

    func answer(_ request: Request) async -> Response? { await server.answer(request) }

    /// Where all of them answer, and where their files are.
    static let origin = "http://providers.test"

    /// The key that all of them ask for.
    var key: String { server.key }

    /// Their clients, as the agent has them.
    func clients(_ transport: any Transport) -> [ProviderName: any Provider] {
        let (fal, rendio) = ("\(Self.origin)/fal", "\(Self.origin)/rendio")
        return [
            .fal: Fal(key: key, models: [Self.model], base: fal, history: fal, transport: transport),
            .rendio: Rendio(
                project: rendio, credentials: StorageCredentials(key: key), userID: "u-1", transport: transport),
        ]
    }

    /// The next order of one video; each has words of its own.
    func order(at site: Int) -> GenerateOrder {
        orders.value += 1
        let input: JSONValue = ["prompt": .string(Self.words(orders.value)), "model_id": .string(Self.model)]
        let name = Self.sites[site % Self.sites.count]
        return GenerateOrder(name, model: Self.model, input: input, isConfirmed: true)
    }

    private static func words(_ number: Int) -> String { "video \(number)" }

    /// Whether those are the words of an order that was made when nothing went wrong any more.
    func isCalm(_ words: String?) -> Bool {
        guard let calmFrom = calmFrom.value else { return false }
        return (calmFrom..<orders.value).contains { Self.words($0 + 1) == words }
    }

    /// What the providers charged for: site, job and the order's words.
    var charges: [(site: ProviderName, job: String, words: String)] {
        server.charges.map { charge in
            (charge.site, charge.job, server.job(charge.job, at: charge.site)?.input["prompt"]?.string ?? "")
        }
    }
}
