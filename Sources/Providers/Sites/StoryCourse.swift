/// The steps of a project from its text through its shots to its video; a value that only decides.
package struct StoryCourse: Hashable, Codable, Sendable {
    /// The project's id at the server.
    package let project: String
    /// The id of the work that writes the text.
    package let text: String
    /// The ids of the works that make the shots; may be empty.
    package let shots: [String]
    /// The id of the video's work; `nil` until the video was requested.
    package private(set) var video: String?
    /// The final state of each work that has ended, by id.
    private var ended: [String: JobState] = [:]

    private enum CodingKeys: String, CodingKey { case project, text, shots, video, ended }

    /// The course of a new project, before any of its works has ended.
    package init(project: String, text: String, shots: [String]) {
        self.project = project
        self.text = text
        self.shots = shots
    }

    /// What to do next.
    package enum Step: Hashable, Sendable {
        /// Follow these works, by socket or polling.
        case follow([String])
        case startVideo
        case done
        /// This work ended without a result; the server may run it again by itself.
        case stuck(String, JobState)
    }

    /// The step that follows from the states known so far.
    package var next: Step {
        if let trouble = ([text] + shots).first(where: hasFailed), let state = ended[trouble], video == nil {
            return .stuck(trouble, state)
        }
        if ended[text] == nil { return .follow([text]) }
        let open = shots.filter { ended[$0] == nil }
        guard open.isEmpty || video != nil else { return .follow(open) }
        guard let video else { return .startVideo }
        guard let state = ended[video] else { return .follow([video]) }
        return state == .succeeded ? .done : .stuck(video, state)
    }

    /// The course after a new state of a work; a failed one that runs again is open again.
    package func after(_ work: String, _ state: JobState) -> StoryCourse {
        var course = self
        course.ended[work] = state.isEnd ? state : nil
        return course
    }

    /// The course after the video was requested.
    package func started(video work: String) -> StoryCourse {
        var course = self
        course.video = work
        return course
    }

    private func hasFailed(_ work: String) -> Bool {
        ended[work] == .failed || ended[work] == .cancelled
    }
}
