import Transfer

extension JobAPI {
    /// Replicate's predictions (replicate on PyPI: `prediction.py`; contract, section 3.4).
    ///
    /// Files are kept for an hour, so after a long incident nothing can be downloaded any more.
    package static let replicate = JobAPI(
        .replicate, base: "https://api.replicate.com/v1", ask: "/predictions/{id}",
        results: [.links("output", .unknown)]
    ).with {
        $0.order = Order(path: "/predictions", id: "id", model: "version")
        // `Page` in `pagination.py`: the next page is a whole link.
        $0.list = JobListing(path: "/predictions", rows: "results", paging: .link("next"))
        $0.cancel = JobCall(.post, "/predictions/{id}/cancel")
        $0.answer.created = "created_at"
        $0.answer.ended = "completed_at"
        // `FileOutput` in `helpers.py` reads such links too.
        $0.answer.dataLinks = ["output", "output.*"]
        $0.lifetime = .seconds(3_600)
        $0.patience = .seconds(6 * 3_600)
    }
}
