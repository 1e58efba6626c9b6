/// All that must be remembered to ask about a job again.
package struct JobReference: Hashable, Codable, Sendable {
    package var provider: ProviderName
    /// The provider's own name for the job.
    package var id: String
    /// What makes the video, such as `fal-ai/veo3.1/fast`.
    package var model: String?
    /// The calls the provider itself named for this job; they outweigh computed ones.
    package var calls: Calls?

    /// Absolute links without secrets.
    package struct Calls: Hashable, Codable, Sendable {
        package var status: String?
        package var result: String?
        package var cancel: String?

        private enum CodingKeys: String, CodingKey { case status, result, cancel }

        package init(status: String? = nil, result: String? = nil, cancel: String? = nil) {
            self.status = status
            self.result = result
            self.cancel = cancel
        }
    }

    private enum CodingKeys: String, CodingKey { case provider, id, model, calls }

    package init(_ provider: ProviderName, _ id: String, model: String? = nil, calls: Calls? = nil) {
        self.provider = provider
        self.id = id
        self.model = model
        self.calls = calls
    }
}
