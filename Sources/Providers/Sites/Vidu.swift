extension JobAPI {
    /// Vidu (platform.vidu.com/docs: "Get Generation", "Text to Video"; there is no package on PyPI).
    ///
    /// Tasks made by paths other than `text2video`, which need pictures, can be asked about as well. Links live 24 h.
    package static let vidu = JobAPI(
        .vidu, base: "https://api.vidu.com/ent/v2", ask: "/tasks/{id}/creations",
        // Beside each link stand those of a cover and of a copy with a watermark.
        results: [.link("creations.*.url", .video)]
    ).with {
        $0.authentication = .header("authorization", prefix: "Token ")
        $0.order = Order(path: "/text2video", id: "task_id")
        $0.answer.state = ["state"]
        $0.answer.words = ["created": .queued, "queueing": .queued]
        $0.answer.reason = "err_code"
        $0.lifetime = .seconds(24 * 3_600)
    }
}
