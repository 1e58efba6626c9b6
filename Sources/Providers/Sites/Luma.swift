extension JobAPI {
    /// Luma's generations (lumaai 1.21.0: `types/generation.py`, `resources/generations`).
    ///
    /// DELETE removes a generation, so there is no way to cancel. How long files live is not documented.
    package static let luma = JobAPI(
        .luma, base: "https://api.lumalabs.ai/dream-machine/v1", ask: "/generations/{id}",
        results: [.link("assets.video", .video), .link("assets.image", .image)]
    ).with {
        // `generation_list_response.py`: rows, has_more, limit, offset; the limit may be a lower one.
        $0.list = JobListing(
            path: "/generations?limit=100", rows: "generations", paging: .offset("offset", more: "has_more"))
        $0.answer.state = ["state"]
        $0.answer.created = "created_at"
    }
}
