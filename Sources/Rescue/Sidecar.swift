import Cleansing
import FoundationEssentials
import Providers
import Supabase
import Text

/// The content of `<name>.json` beside a rescued file: its origin and its facts.
struct Sidecar: Hashable, Codable, Sendable {
    let schema: String
    /// `nil` for a bare link.
    let provider: ProviderName?
    let job: JobIdentifier
    let model: String?
    let prompt: String?
    /// The link without its query.
    let link: String
    let contentType: String?
    let sha256: String?
    /// Bytes.
    let size: Int64?
    /// Measured from the file.
    let video: VideoResult?

    private enum CodingKeys: String, CodingKey {
        case schema, provider, job, model, prompt, link, contentType, sha256, size, video
    }

    init(_ file: JobFile, of job: Job) {
        schema = "gallery-sync/rescue/1"
        provider = job.reference?.provider
        self.job = job.id
        model = job.reference?.model ?? job.submission?.intent.model
        prompt = job.submission.flatMap { Self.prompt(in: $0.intent.input) }
        link = Cleanser.link(file.link)
        contentType = file.contentType
        sha256 = file.sha256
        size = file.bytes
        video = file.result
    }

    private static func prompt(in input: JSONValue) -> String? {
        if case .object(let members) = input { members["prompt"]?.string } else { nil }
    }

    /// The file's bytes.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ISO8601.text(date))
        }
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
}
