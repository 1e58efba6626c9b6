extension JobAPI {
    /// The tables of all providers that need no code of their own.
    package static let all: [JobAPI] = [
        .gemini, .openAI, .runway, .luma, .replicate, .xAI, .seedance, .wan, .vidu, .miniMax, .together, .lumaAgents,
        .kling, .vertex,
    ]
}
