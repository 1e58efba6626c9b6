extension JobAPI {
    /// Kling (its developer pages, as `api/klingai/docs` of github.com/inference-sh/grid restates them: "General
    /// Information", "Text to Video"; there is no package of its own on PyPI).
    ///
    /// A bare id is a task's of `text2video`; the others' are `image2video/ID` and so on. Files are kept for 30 days.
    package static let kling = JobAPI(
        .kling, base: "https://api-singapore.klingai.com", ask: "/v1/videos/text2video/{id}",
        results: [.link("task_result.videos.*.url", .video)]
    ).with {
        $0.authentication = .signed
        $0.order = Order(path: "/v1/videos/text2video", id: "data.task_id", model: "model_name")
        $0.asks = [
            "image2video/": "/v1/videos/image2video/{id}", "omni-video/": "/v1/videos/omni-video/{id}",
            "video-extend/": "/v1/videos/video-extend/{id}", "effects/": "/v1/videos/effects/{id}",
        ]
        $0.list = JobListing(
            path: "/v1/videos/text2video?pageSize=100", rows: "data", id: "task_id", paging: .page("pageNum"))
        $0.answer.root = "data"
        $0.answer.state = ["task_status"]
        $0.answer.words = ["submitted": .queued, "succeed": .succeeded]
        $0.answer.reason = "task_status_msg"
        $0.answer.created = "created_at"
        // The last change of a task that has ended is its end.
        $0.answer.ended = "updated_at"
        $0.answer.duration = "task_result.videos.0.duration"
        $0.answer.refusal = JobAnswer.Refusal(
            code: "code", success: "0", message: "message",
            kinds: [
                "1000": .unauthorized, "1001": .unauthorized, "1002": .unauthorized, "1003": .unauthorized,
                "1004": .unauthorized, "1101": .insufficientCredits, "1102": .insufficientCredits,
                "1103": .unauthorized, "1200": .refused, "1201": .refused, "1202": .missing, "1203": .missing,
                "1300": .contentFiltered, "1301": .contentFiltered, "1302": .rateLimited, "1303": .rateLimited,
            ])
        $0.lifetime = .seconds(30 * 86_400)
    }
}
