/// Everything that must be stored to ask about a job again.
package struct JobReference: Hashable, Codable, Sendable {
    /// The provider that has the job.
    package var provider: ProviderName
    /// The provider's own name for the job.
    package var id: String
    /// The model that makes the video, such as `fal-ai/veo3.1/fast`.
    package var model: String?
    /// The links the provider itself returned for this job; they take precedence over computed ones.
    package var calls: Calls?

    /// Absolute links without secrets.
    package struct Calls: Hashable, Codable, Sendable {
        /// Where to ask for the status; `nil` where it has to be computed.
        package var status: String?
        /// Where to ask for the result; `nil` where it has to be computed.
        var result: String?
        /// Where to cancel; `nil` where it has to be computed.
        var cancel: String?

        private enum CodingKeys: String, CodingKey { case status, result, cancel }

        /// The links as the provider's answer names them.
        package init(status: String? = nil, result: String? = nil, cancel: String? = nil) {
            self.status = status
            self.result = result
            self.cancel = cancel
        }
    }

    private enum CodingKeys: String, CodingKey { case provider, id, model, calls }

    /// Whether the provider cannot be asked about it, because fal finds a job only by its model and its id.
    package var lacksModel: Bool { provider == .fal && model == nil && calls?.status == nil }

    /// A job by its id; at `fal`, `model` or `calls` is needed too.
    package init(_ provider: ProviderName, _ id: String, model: String? = nil, calls: Calls? = nil) {
        self.provider = provider
        self.id = id
        self.model = model
        self.calls = calls
    }
}
