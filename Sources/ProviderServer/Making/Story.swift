import FoundationEssentials

/// A project at StoryToVideo: its text, then its shots, then its video and its sound.
struct Story: Hashable, Sendable {
    /// One picture of it.
    struct Shot: Hashable, Sendable {
        let id: String
        let order: Int
        /// The job that makes it, such as `tasks/t-3`.
        let work: String
        let picture: String
        let sound: String
    }

    let id: String
    let title: String
    let text: String
    let style: String
    let createdAt: Date
    /// The job that makes the text.
    let textWork: String
    var shots: [Shot]
    /// The jobs begun last for the video and the sound.
    var video: String?
    var sound: String?

    var works: [String] { [textWork] + shots.map(\.work) + [video, sound].compactMap(\.self) }
}
