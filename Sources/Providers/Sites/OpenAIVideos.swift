extension JobAPI {
    /// The `/videos` calls that OpenAI introduced and several gateways also answer (contract 3.1, 3.4).
    ///
    /// `base` ends before `/videos`, such as `https://gateway.example/v1`; OpenAI's own calls have ended.
    package static let openAI = JobAPI(
        .openAI, ask: "/videos/{id}",
        // Links that gateways give in place of the content call: OpenRouter, Together, and those that pass one link on.
        results: [.links("unsigned_urls", .video), .link("outputs.video_url", .video), .link("video_url", .video)]
    ).with {
        $0.otherwise = .call("/videos/{id}/content", .video)
        $0.list = JobListing(
            path: "/videos?limit=100&order=desc", rows: "data", paging: .after("after", more: "has_more"))
        $0.answer.words = ["done": .succeeded]
        $0.answer.progress = .percent("progress")
        $0.answer.created = "created_at"
        $0.answer.ended = "completed_at"
        $0.answer.expires = "expires_at"
        $0.answer.duration = "seconds"
        $0.answer.size = "size"
        $0.lifetime = .seconds(3_600)
    }
}
