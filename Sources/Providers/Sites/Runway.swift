import Transfer

extension JobAPI {
    /// Runway's tasks and workflows (runwayml on PyPI: `task_retrieve_response.py`,
    /// `workflow_invocation_retrieve_response.py`; contract, section 3.3).
    ///
    /// Each answer has new links; their token names their end, 24 to 48 hours later.
    package static let runway = JobAPI(
        .runway, base: "https://api.dev.runwayml.com", ask: "/v1/tasks/{id}", results: [.links("output", .unknown)]
    ).with {
        $0.headers = ["x-runway-version": "2024-11-06"]
        $0.asks = ["workflow_invocations/": "/v1/workflow_invocations/{id}"]
        $0.cancel = JobCall(.delete, "/v1/tasks/{id}")
        $0.answer.progress = .share("progress")
        $0.answer.created = "createdAt"
        $0.lifetime = .seconds(24 * 3_600)
        // `resources/tasks.py`: no more often than every five seconds for a task.
        $0.leastWait = .seconds(5)
    }
}
