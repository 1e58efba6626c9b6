extension JobAPI {
    /// Veo's operations and the interactions of the Gemini API (google-genai on PyPI; contract, section 3.2).
    ///
    /// An id is a path below the version: `models/…/operations/…`, or `interactions/…`.
    package static let gemini = JobAPI(
        // `_api_client.py`: the default version is v1.
        .gemini, base: "https://generativelanguage.googleapis.com/v1", ask: "/{id}",
        // An operation's response; an interaction's steps (`interaction.py`, `videocontent.py`).
        results: [.links("response", .video), .links("steps", .video)]
    ).with {
        $0.authentication = .header("x-goog-api-key", prefix: "")
        $0.answer.state = ["done", "status"]
        // `InteractionStatus` in `interaction.py`; all other words are among the usual ones, or do not end a job.
        $0.answer.words = ["incomplete": .failed, "budget_exceeded": .failed]
        $0.answer.reason = "errors.0.message"
        $0.answer.absent = .running
        $0.answer.failure = "error"
        // `created` and `updated` of an interaction; operations tell no time.
        $0.answer.created = "created"
        $0.answer.ended = "updated"
        // `VideoContent.data`, and `Video.videoBytes` of an operation.
        $0.answer.inline = [
            "steps.*.content.*.data",
            "response.generateVideoResponse.generatedSamples.*.video.encodedVideo",
        ]
        $0.answer.filtered = "response.generateVideoResponse.raiMediaFilteredReasons"
        // Files are kept for two days, so a job is worth asking about for as long.
        $0.lifetime = .seconds(48 * 3_600)
        $0.patience = .seconds(48 * 3_600)
    }
}
