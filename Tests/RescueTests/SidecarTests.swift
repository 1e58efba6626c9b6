import Fixtures
import Foundation
import Providers
import Supabase
import Testing

@testable import Rescue

/// The sidecar of a rescued file.
@Suite struct SidecarTests {
    @Test func itTellsWhereTheFileIsFromAndNoSecret() throws {
        let intent = SubmitIntent(
            key: IdempotencyKey(rawValue: "k"), provider: .fal, model: "fal-ai/veo3.1",
            input: .object(["prompt": .string("a cat")]), madeAt: Jobs.now)
        var job = Jobs.generation("80e7")
        job.submission = Submission(intent)
        var file = Jobs.link().files[0]
        file.contentType = "video/mp4"
        file.sha256 = "aa"
        file.bytes = 9
        file.result = VideoResult(provider: .fal, videoURL: "https://cdn.example/a.mp4", width: 1_280, height: 720)
        let text = String(decoding: try Sidecar(file, of: job).encoded(), as: UTF8.self)
        #expect(!text.contains("secret") && text.hasSuffix("}\n"))
        let read = try JSONDecoder().decode(Sidecar.self, from: Data(text.utf8))
        #expect(read.schema == "gallery-sync/rescue/1" && read.provider == .fal && read.job.rawValue == "fal:80e7")
        #expect(read.model == "fal-ai/veo3.1" && read.prompt == "a cat" && read.video?.resolution == "720p")
        #expect(read.link == "https://cdn.example/a.mp4?…" && read.size == 9 && read.sha256 == "aa")
    }

    @Test func aBareLinkHasNeitherProviderNorPrompt() throws {
        let sidecar = Sidecar(Jobs.link().files[0], of: Jobs.link())
        #expect(sidecar.provider == nil && sidecar.model == nil && sidecar.prompt == nil)
    }
}
