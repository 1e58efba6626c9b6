import FoundationEssentials
import ProviderServer
import Providers
import Supabase
import TestSupport
import Testing

/// Finding a job whose answer was lost, by its input.
@Suite struct LookUpTests {
    static let now = Date(timeIntervalSince1970: 1_795_199_805)

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var input: JSONValue = ["prompt": "a cat", "seed": 7]
        var age = 0.0
        var end = MadeJob.End.succeeded
        let isFound: Bool
    }

    @Test(arguments: [
        Row(testDescription: "the same", isFound: true),
        Row(testDescription: "with defaults added", input: ["prompt": "a cat", "seed": 7.0, "fps": 24], isFound: true),
        Row(testDescription: "failed; it was taken all the same", end: .failed("r"), isFound: true),
        Row(testDescription: "another prompt", input: ["prompt": "a dog", "seed": 7], isFound: false),
        Row(testDescription: "a part missing", input: ["prompt": "a cat"], isFound: false),
        Row(testDescription: "by a clock a little behind", age: 59, isFound: true),
        Row(testDescription: "before", age: 61, isFound: false),
    ])
    func aJobIsKnownByItsInput(row: Row) async throws {
        try await ProviderServer.running(clock: { Self.now }) { server, client in
            var job = MadeJob(.fal, "j-1", model: "fal-ai/veo3.1", end: row.end)
            job.input = row.input
            job.createdAt = Self.now - row.age
            job.endedAt = Self.now - row.age
            server.add(job)
            let intent = SubmitIntent(
                key: .fresh(), provider: .fal, model: "fal-ai/veo3.1", input: ["prompt": "a cat", "seed": 7],
                madeAt: Self.now)
            let found = try await server.provider(.fal, transport: client).jobs(like: intent)
            #expect(found.map(\.id) == (row.isFound ? ["j-1"] : []))
        }
    }
}
