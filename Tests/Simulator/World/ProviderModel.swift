import FoundationEssentials
import Generating
import Platform
import ProviderServer
import Providers
import Rescue
import Serving
import Simulation
import Supabase
import Transfer

/// Providers of generated videos: the project's stand-ins, run in this process, and the orders made from them.
///
/// Of these, fal has no idempotency keys, and Rendio has them.
final class ProviderModel: FarSide {
    static let sites: [ProviderName] = [.fal, .rendio]
    private let server: ProviderServer
    /// Seconds for which a finished video can be fetched; `nil` for ever.
    let lifetime: Int?
    /// How many videos were ordered.
    let orders = Simulated(0)
    /// How many of these were ordered while something could go wrong; `nil` until that is over.
    let calmFrom = Simulated<Int?>(nil)
    private static let model = "fal-ai/veo3.1"
    /// The video that every job makes.
    let video: [UInt8]

    init(lifetime: Int?) {
        self.lifetime = lifetime
        // The boxes of a movie tell where it ends.
        let body = GalleryModel.content(0, 77, size: 100)
        video = [0, 0, 0, 0x18] + Array("ftypmp42\0\0\0\0mp42isom".utf8) + [0, 0, 0, 0] + Array("mdat".utf8) + body
        var plan = ProviderPlan()
        plan.media = [MadeMedia("video.mp4", "video/mp4", video)]
        for site in Self.sites { plan.lifetimes[site] = lifetime.map { .seconds($0) } }
        plan.credits = 1_000_000
        server = ProviderServer(plan: plan)
    }

    var isUp: Bool { true }

    func answer(_ request: Request) async -> Response? { await server.answer(request) }

    /// The address at which all of them answer, and serve their files.
    static let origin = "http://providers.test"

    /// The key that all of them require.
    var key: String { server.key }

    /// Their clients, as the agent uses them.
    func clients(_ transport: any Transport) -> [ProviderName: any Provider] {
        let (fal, rendio) = ("\(Self.origin)/fal", "\(Self.origin)/rendio")
        return [
            .fal: Fal(key: key, models: [Self.model], base: fal, history: fal, transport: transport),
            .rendio: Rendio(
                project: rendio, credentials: StorageCredentials(key: key), userID: "u-1", transport: transport),
        ]
    }

    /// The next order of one video; each has a prompt of its own.
    func order(at site: Int) -> GenerateOrder {
        orders.value += 1
        let input: JSONValue = ["prompt": .string(Self.words(orders.value)), "model_id": .string(Self.model)]
        let name = Self.sites[site % Self.sites.count]
        return GenerateOrder(name, model: Self.model, input: input, isConfirmed: true)
    }

    private static func words(_ number: Int) -> String { "video \(number)" }

    /// Whether those are the words of an order made after everything had become calm.
    func isCalm(_ words: String?) -> Bool {
        guard let calmFrom = calmFrom.value else { return false }
        return (calmFrom..<orders.value).contains { Self.words($0 + 1) == words }
    }

    /// The charges of the providers: site, job and the order's words.
    var charges: [(site: ProviderName, job: String, words: String)] {
        server.charges.map { charge in
            (charge.site, charge.job, server.job(charge.job, at: charge.site)?.input["prompt"]?.string ?? "")
        }
    }
}
