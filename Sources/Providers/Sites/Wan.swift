import Transfer

extension JobAPI {
    /// Wan at Model Studio (dashscope on PyPI: `common/env.py`, `common/constants.py`, `client/base_api.py`,
    /// `api_entities/dashscope_response.py`).
    ///
    /// A key belongs to one region: for Singapore's the url is `https://dashscope-intl.aliyuncs.com/api/v1`. Tasks and
    /// links are kept for 24 h (Model Studio, "text-to-video API reference"), then a task's status is `UNKNOWN`. Times
    /// are told without a zone, so they are not read.
    package static let wan = JobAPI(
        .wan, base: "https://dashscope.aliyuncs.com/api/v1", ask: "/tasks/{id}",
        results: [.link("output.video_url", .video)]
    ).with {
        $0.order = Order(
            path: "/services/aigc/video-generation/video-synthesis", id: "output.task_id",
            headers: ["x-dashscope-async": "enable"])
        $0.cancel = JobCall(.post, "/tasks/{id}/cancel")
        $0.answer.state = ["output.task_status"]
        $0.answer.words = ["suspended": .queued]
        $0.answer.gone = "unknown"
        $0.answer.reason = "output.message"
        $0.answer.code = "output.code"
        $0.lifetime = .seconds(24 * 3_600)
    }
}
