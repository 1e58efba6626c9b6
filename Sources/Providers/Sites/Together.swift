extension JobAPI {
    /// Together's videos (together on PyPI: `types/video_job.py`, `resources/videos.py`, `_client.py`).
    ///
    /// How long files are kept is not documented.
    package static let together = JobAPI(
        .together, base: "https://api.together.ai", ask: "/v2/videos/{id}",
        results: [.link("outputs.video_url", .video)]
    ).with {
        $0.order = Order(path: "/v2/videos", id: "id")
        $0.answer.created = "created_at"
        $0.answer.ended = "completed_at"
        $0.answer.duration = "seconds"
        $0.answer.size = "size"
    }
}
