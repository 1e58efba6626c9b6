extension JobAPI {
    /// Luma's agents (luma-agents on PyPI: `types/generation.py`, `types/generation_output.py`, `_client.py`).
    ///
    /// `url` is documented as "Presigned URL (1hr expiry)". There is neither a list nor a way to cancel.
    package static let lumaAgents = JobAPI(
        .lumaAgents, base: "https://agents.lumalabs.ai/v1", ask: "/generations/{id}",
        results: [.links("output", .unknown)]
    ).with {
        $0.order = Order(path: "/generations", id: "id")
        $0.answer.state = ["state"]
        $0.answer.code = "failure_code"
        $0.answer.created = "created_at"
        $0.lifetime = .seconds(3_600)
    }
}
