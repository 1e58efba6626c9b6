extension JobAPI {
    /// Grok Imagine at xAI (docs.x.ai, "Video Generation"; states as in xai-sdk's `deferred_pb2.pyi`).
    ///
    /// The documentation calls the link short-lived and names no figure; 24 h is what issue 14 states.
    package static let xAI = JobAPI(
        .xAI, base: "https://api.x.ai/v1", ask: "/videos/{id}", results: [.link("video.url", .video)]
    ).with {
        $0.order = Order(path: "/videos/generations", id: "request_id")
        $0.answer.words = ["pending": .running, "done": .succeeded, "expired": .failed]
        $0.answer.progress = .percent("progress")
        // `VideoResponse` in `video_pb2.pyi`.
        $0.answer.duration = "video.duration"
        $0.lifetime = .seconds(24 * 3_600)
    }
}
