/// The way of a project from its text over its shots to its video; a value that only decides.
package struct StoryCourse: Hashable, Codable, Sendable {
    package let project: String
    package let text: String
    package let shots: [String]
    /// The video's work, once it was asked for.
    package private(set) var video: String?
    /// What is known of each step that has ended.
    private var ended: [String: JobState] = [:]

    private enum CodingKeys: String, CodingKey { case project, text, shots, video, ended }

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

    /// The step that follows from what is known.
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

    /// The course after one more word on a work; a failed one that runs again is open again.
    package func after(_ work: String, _ state: JobState) -> StoryCourse {
        var course = self
        course.ended[work] = state.isEnd ? state : nil
        return course
    }

    /// The course after the video was asked for.
    package func started(video work: String) -> StoryCourse {
        var course = self
        course.video = work
        return course
    }

    private func hasFailed(_ work: String) -> Bool {
        ended[work] == .failed || ended[work] == .cancelled
    }
}
