import Providers
import Testing

/// The forms in which users name a job.
@Suite struct JobReferenceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let provider: ProviderName
        let text: String
        let id: String
        var model: String?

        init(_ provider: ProviderName, _ text: String, _ id: String, model: String? = nil) {
            (self.provider, self.text, self.id, self.model) = (provider, text, id, model)
        }

        var testDescription: String { "\(provider.rawValue) \(text)" }
    }

    @Test(arguments: [
        Row(.storyToVideo, "7d3c", "projects/7d3c"), Row(.storyToVideo, "projects/7d3c", "projects/7d3c"),
        Row(.storyToVideo, "tasks/7d3c", "tasks/7d3c"),
        Row(.storyToVideo, "http://studio:8080/v1/api/projects/7d3c", "projects/7d3c"),
        Row(.storyToVideo, "http://studio:8080/v1/api/projects/7d3c/video", "projects/7d3c"),
        Row(.storyToVideo, "ws://studio:8080/tasks/9a/wss", "tasks/9a"),
        Row(.storyToVideo, "http://studio:8080/v1/api/projects", "http://studio:8080/v1/api/projects"),
        Row(.gemini, "models/veo-3.1/operations/x1", "models/veo-3.1/operations/x1"),
        Row(
            .gemini, "https://generativelanguage.googleapis.com/v1beta/models/veo-3.1/operations/x1",
            "models/veo-3.1/operations/x1"),
        Row(.fal, "764c-4b3e", "764c-4b3e"),
        Row(.fal, "https://queue.fal.run/fal-ai/veo3.1/requests/764c/status", "764c", model: "fal-ai/veo3.1"),
        Row(.fal, "https://fal.ai/dashboard/requests", "https://fal.ai/dashboard/requests"),
        Row(.openAI, "video_1", "video_1"), Row(.openAI, "https://api.openai.com/v1/videos/video_1", "video_1"),
        Row(.replicate, "https://api.replicate.com/v1/predictions/abc?x=1", "abc"),
    ])
    func theIdIsFoundInWhatTheyWrite(_ row: Row) {
        let reference = JobReference(row.provider, spelled: row.text, model: nil)
        #expect(reference == JobReference(row.provider, row.id, model: row.model))
    }

    @Test func theModelTheyNameCounts() {
        let link = "https://queue.fal.run/fal-ai/veo3.1/requests/764c"
        #expect(JobReference(.fal, spelled: link, model: "fal-ai/veo3.1/fast").model == "fal-ai/veo3.1/fast")
    }
}
