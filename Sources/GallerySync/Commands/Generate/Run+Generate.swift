import CommandLine
import Control
import FoundationEssentials
import Gallery
import Generating
import Output
import Platform
import Providers
import Records
import Rescue
import Supabase
import Text

extension Run {
    /// `generate`: prints what it may cost, orders a video, and prints how to get it.
    func generate(_ request: GenerateRequest) async throws -> ExitCode {
        let provider = try ProviderSites.named(request.provider)
        let order = GenerateOrder(
            provider, model: request.model, input: try input(request, of: provider),
            cost: request.cost.flatMap(GenerateOrder.millionths), isConfirmed: request.isConfirmed)
        let setup = try Setup(invocation, in: surroundings)
        let unit = provider == .fal ? "dollars" : "credits"
        if !invocation.isJSON {
            let unknown = provider == .storyToVideo ? "your own server takes no money" : "its cost is not known"
            let cost = request.cost.map { "it costs up to \($0) \(unit) by your word" } ?? unknown
            remark("Ordering \(DisplayText.safe(request.model)) from \(provider.rawValue); \(cost).")
        }
        let begun = Date()
        let reply = try await carryOut(order, setup, mode: .steering)
        guard let job = reply.answer else { return try conclude(reply.ending) }
        // A second of tolerance, because the stored time has fewer digits than the clock's.
        if let made = job.submission?.intent.madeAt, made < begun - 1, !invocation.isJSON {
            let time = ISO8601.text(made, digits: 0)
            console.note("This order was given already at \(time), and had no answer: it goes on.")
        }
        if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(Generated(job: job)))
        } else if let reference = job.reference ?? job.submission?.reference {
            let charged = job.submission?.charged.map { " for \($0 / 1_000_000) \(unit)" } ?? ""
            let name = DisplayText.safe(JobIdentifier(reference).rawValue)
            try confirm(["\(name) was taken\(charged); \"watch\" or \"rescue\" brings its video."])
        }
        guard let next = Self.next(after: reply.ending, at: provider) else { return try conclude(reply.ending) }
        let code = ExitCode(reply.ending)
        complain("\(reply.ending).", next: next, code)
        return code
    }

    /// What to do after an order that was not accepted; `nil` if the ending says it.
    private static func next(after ending: Ending, at provider: ProviderName) -> String? {
        switch ending {
        case .temporary:
            "Run \"gallery-sync watch\" or \"gallery-sync rescue\"; the same order again goes on with this one and adds none."
        case .full: "Nothing was ordered: add to the balance at \(provider.rawValue), then order it again."
        case .refused: "Nothing was ordered: change the order as \(provider.rawValue) says, then give it again."
        default: nil
        }
    }

    private struct Generated: Encodable {
        let schema = "gallery-sync/generate/1"
        let job: Job
    }

    /// The model's input: the file's members, and the prompt.
    private func input(_ request: GenerateRequest, of provider: ProviderName) throws -> JSONValue {
        var members: [String: JSONValue] = [:]
        if let path = request.input { members = try self.members(of: path) }
        if let prompt = request.prompt { members["prompt"] = .string(prompt) }
        if provider == .rendio, members["model_id"] == nil { members["model_id"] = .string(request.model) }
        return .object(members)
    }

    private func members(of path: FilePath) throws -> [String: JSONValue] {
        let bytes = try contents(of: path)
        let members = try? JSONDecoder().decode([String: JSONValue].self, from: Data(bytes))
        guard let members else { throw UsageError(message: "\(path.display) holds no JSON object.") }
        return members
    }
}
