import Fixtures
import Foundation
import Output
import Providers
import Records
import TestSupport
import Testing

@testable import Control
@testable import GallerySync
@testable import Generating
@testable import Rescue

/// How `generate` ends, and what it says to do then: never anything that buys a second video.
@Suite struct GenerateEndTests {
    struct End: Sendable {
        let code: ExitCode
        /// What `next` begins with.
        let next: String
    }

    @Test(
        arguments: [
            Fact("no answer", .temporary("k: it waits"), End(code: .temporary, next: "Run \"gallery-sync watch\" or")),
            Fact(
                "the provider says no", .refused("fal refuses the order: field required"),
                End(code: .someFailed, next: "Nothing was ordered: change the order as fal says")),
            Fact(
                "its account is empty", .full("fal refuses the order: Exhausted balance"),
                End(code: .full, next: "Nothing was ordered: add to the balance at fal")),
        ] as [Fact<Ending, End>])
    func whatToDoAfterAnOrder(_ row: Fact<Ending, End>) async throws {
        let agent = AgentDouble()
        try agent.answer(GenerateOrder.self, .answered(Jobs.order(), row.input))
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("generate fal m --prompt cat --yes --json") == row.output.code)
            let notes = try fixture.notes
            let line = try #require(notes.split(separator: "\n").last { $0.hasPrefix("{") })
            let error = try JSONDecoder().decode([String: Text].self, from: Data(line.utf8))
            #expect(error["next"]?.words.hasPrefix(row.output.next) == true, "\(notes)")
            #expect(error["message"]?.words == "\(row.input).")
        }
    }

    /// Also one that the provider's history had named before, which is followed under that name.
    @Test(arguments: [false, true])
    func anOrderThatWasTakenIsNamedAsItsProviderNamesIt(isKnown: Bool) async throws {
        let reference = JobReference(.fal, "80e7", model: "m")
        let order = Jobs.order().calling
        let taken = isKnown ? order.followed(as: reference) : order.after(.success(SubmitReceipt(reference)))
        let agent = AgentDouble()
        try agent.answer(GenerateOrder.self, .answered(taken))
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("generate fal m --prompt cat --yes") == .success)
            #expect(try fixture.results == "fal:80e7 was taken; \"watch\" or \"rescue\" brings its video.\n")
        }
    }

    /// A member of the error document, as text.
    private struct Text: Decodable {
        let words: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            words = try (try? container.decode(String.self)) ?? "\(container.decode(Int.self))"
        }
    }
}
