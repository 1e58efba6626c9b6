extension JobAPI {
    /// Veo at Vertex AI (google-genai on PyPI: `operations.py`, `_operations_converters.py`, `_api_client.py`).
    ///
    /// An id is an operation's name: `projects/…/locations/…/publishers/google/models/…/operations/…`. The key is an
    /// OAuth token, which ends after an hour. A job of another location than `global` needs that location's url.
    package static let vertex = JobAPI(
        .vertex, base: "https://aiplatform.googleapis.com/v1beta1", ask: "/{id}:fetchPredictOperation", results: []
    ).with {
        $0.query = JobQuery(idUpTo: "/operations/", member: "operationName")
        $0.answer.state = ["done"]
        $0.answer.absent = .running
        $0.answer.failure = "error"
        $0.answer.inline = ["response.videos.*.bytesBase64Encoded"]
        $0.answer.kept = "response.videos.*.gcsUri"
        $0.answer.filtered = "response.raiMediaFilteredReasons"
    }
}
