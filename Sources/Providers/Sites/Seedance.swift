import Transfer

extension JobAPI {
    /// Seedance at ModelArk (byteplus-python-sdk-v2 3.0.63: `byteplussdkarkruntime/types/content_generation`,
    /// `resources/content_generation/tasks.py`, `_constants.py`).
    ///
    /// At Volcengine in China the same calls are below another url. The 24 h are ModelArk's for `video_url`.
    package static let seedance = JobAPI(
        .seedance, base: "https://ark.ap-southeast.bytepluses.com/api/v3", ask: "/contents/generations/tasks/{id}",
        results: [
            .link("content.video_url", .video), .link("content.file_url", .unknown),
            .link("content.last_frame_url", .image),
        ]
    ).with {
        $0.order = Order(path: "/contents/generations/tasks", id: "id")
        $0.list = JobListing(
            path: "/contents/generations/tasks?page_size=100&filter.status=succeeded", rows: "items",
            paging: .page("page_num"))
        // The same call removes the record of a task that has ended.
        $0.cancel = JobCall(.delete, "/contents/generations/tasks/{id}")
        $0.answer.words = ["expired": .failed]
        $0.answer.created = "created_at"
        // The last change of a task that has ended is its end.
        $0.answer.ended = "updated_at"
        $0.answer.duration = "duration"
        $0.lifetime = .seconds(24 * 3_600)
    }
}
