import FoundationEssentials

/// A project at StoryToVideo: first its text, then its shots, then its video and its sound.
struct Story: Hashable, Sendable {
    /// One picture of the story.
    struct Shot: Hashable, Sendable {
        let id: String
        let order: Int
        /// The job that draws it, such as `tasks/t-3`.
        let work: String
        let picture: String
        let sound: String
    }

    let id: String
    let title: String
    let text: String
    let style: String
    let createdAt: Date
    /// The job that writes the text.
    let textWork: String
    var shots: [Shot]
    /// The latest jobs for the video and the sound; `nil` before they were submitted.
    var video: String?
    var sound: String?

    var works: [String] { [textWork] + shots.map(\.work) + [video, sound].compactMap(\.self) }
}
