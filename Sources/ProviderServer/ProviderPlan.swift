package import Providers

/// How the made-up providers behave.
package struct ProviderPlan: Sendable {
    /// How many questions find a submitted job queued.
    package var queued = 1
    /// How many questions after those find it running.
    package var running = 1
    /// How submitted jobs end.
    var end = MadeJob.End.succeeded
    /// What submitted jobs make.
    package var media = [MadeMedia.video]
    /// The picture of every shot of a story.
    package var picture = MadeMedia.picture
    /// The sound of every story.
    var sound = MadeMedia.sound
    /// How long links or files of a provider are valid; without an entry they never expire.
    package var lifetimes: [ProviderName: Duration] = [
        .storyToVideo: .seconds(72 * 3_600), .gemini: .seconds(48 * 3_600), .runway: .seconds(24 * 3_600),
        .openAI: .seconds(24 * 3_600), .luma: .seconds(3_600), .replicate: .seconds(3_600),
        .xAI: .seconds(24 * 3_600), .seedance: .seconds(24 * 3_600), .wan: .seconds(24 * 3_600),
        .vidu: .seconds(24 * 3_600), .miniMax: .seconds(9 * 3_600), .lumaAgents: .seconds(3_600),
        .kling: .seconds(30 * 86_400),
    ]
    /// The credits that Rendio's user has.
    package var credits = 1_000
    /// The credits that each job at Rendio costs.
    var creditsPerJob = 4
    /// How StoryToVideo's socket behaves.
    package var socket = SocketManner.usual
    /// Whether StoryToVideo says `success` instead of its usual `finished`.
    package var saysSuccess = false
    /// The host in links to files, to give them another origin; `nil` for the server's own.
    package var fileHost: String?
    /// The faults: the first that matches a request applies, besides those before it that only slow down.
    package var troubles: [Trouble] = []

    /// Providers that answer promptly and without faults.
    package init() {}
}
