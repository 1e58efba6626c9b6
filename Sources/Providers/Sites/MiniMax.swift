extension JobAPI {
    /// Hailuo at MiniMax (platform.minimax.io: `api-reference/video/generation/api/openapi.json` and
    /// `api-reference/errorcode`; the package "minimax" on PyPI is not theirs).
    ///
    /// A finished task names a file, whose link is asked for and lives about 9 h. Errors come with the status 200.
    package static let miniMax = JobAPI(
        .miniMax, base: "https://api.minimax.io/v1", ask: "/query/video_generation?task_id={id}",
        results: [.file("file_id", "/files/retrieve?file_id={id}", link: "file.download_url", .video)]
    ).with {
        $0.order = Order(path: "/video_generation", id: "task_id")
        $0.answer.words = ["preparing": .queued, "queueing": .queued, "fail": .failed]
        $0.answer.refusal = JobAnswer.Refusal(
            code: "base_resp.status_code", success: "0", message: "base_resp.status_msg",
            kinds: [
                "1002": .rateLimited, "1004": .unauthorized, "2049": .unauthorized, "1008": .insufficientCredits,
                "1026": .contentFiltered, "1027": .contentFiltered, "2013": .refused,
            ])
        $0.lifetime = .seconds(9 * 3_600)
    }
}
