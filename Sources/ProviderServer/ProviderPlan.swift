package import Providers

/// How the made-up providers behave; a plain value.
package struct ProviderPlan: Sendable {
    /// Questions that find a submitted job queued.
    package var queued = 1
    /// Questions that find it running.
    package var running = 1
    /// How submitted jobs end.
    package var end = MadeJob.End.succeeded
    /// What submitted jobs make.
    package var media = [MadeMedia.video]
    /// What a shot of a story has to show and to say.
    package var picture = MadeMedia.picture
    package var sound = MadeMedia.sound
    /// How long links or files of a provider live; without an entry for ever.
    package var lifetimes: [ProviderName: Duration] = [
        .storyToVideo: .seconds(72 * 3_600), .gemini: .seconds(48 * 3_600), .runway: .seconds(24 * 3_600),
        .openAI: .seconds(24 * 3_600), .luma: .seconds(3_600), .replicate: .seconds(3_600),
    ]
    /// What the user at Rendio has left.
    package var credits = 1_000
    /// What each job at Rendio takes.
    package var creditsPerJob = 4
    /// How StoryToVideo's socket behaves.
    package var socket = SocketManner.usual
    /// Whether StoryToVideo says `success` where it usually says `finished`.
    package var saysSuccess = false
    /// The host that links to files name instead of the server's own, to make them another origin.
    package var fileHost: String?
    /// What goes wrong; of those that match, the first counts, and all that only slow down.
    package var troubles: [Trouble] = []

    package init() {}
}
