package import Records

/// The actions that can be asked for in the page; files are named as in the library.
package enum PageAction: Hashable, Sendable {
    /// Send those of these files that are not stored, including files that the user has left out.
    case retry([RootedPath])
    /// Send these files again although they are stored.
    case resend([RootedPath])
    /// Do not send these files automatically any more.
    case leaveOut([RootedPath])
    /// Send those of these files that the brake holds; `nil` stands for all of them.
    case releaseBrake([RootedPath]?)
    /// Make links to these files that work for this many seconds.
    case link([RootedPath], seconds: Int)
    /// Bring the stored versions of these files into a folder, absolute or below `~/`.
    case restore([RootedPath], folder: String)
    /// Delete those of these files that are only in storage, once the user has typed the words of the question.
    case prune([RootedPath], words: String?)
    /// Show these files in the desktop's file manager.
    case show([RootedPath])
    /// Send nothing more, for so many minutes or until resumed.
    case pause(minutes: Int?)
    /// Send again.
    case resume
    /// Look at all roots now.
    case sync

    /// The word for an action in the page's API.
    package enum Name: String, CaseIterable, Sendable {
        case retry, resend, leaveOut, releaseBrake, link, restore, prune, show, pause, resume, sync
    }
}

/// Whether an action can be asked for.
package enum PageAbility: Hashable, Sendable {
    case allowed
    /// Not now, or not here, for the reason in this sentence.
    case refused(String)
    /// A read-only page never carries it out, so it does not offer it.
    case absent

    /// Refused for the given reason; allowed without one.
    package init(refusal: String?) { self = refusal.map(PageAbility.refused) ?? .allowed }
}

/// What an action did.
package struct PageActionResult: Hashable, Sendable {
    /// The number of files that it was about; 0 if it is not about files.
    package let count: Int
    /// What was done, one sentence.
    package let sentence: String
    /// The links that it made.
    package var links: [Link] = []
    /// The question that must be answered before it does anything; `nil` if it was carried out.
    package var question: Question?

    /// The result of an action.
    package init(count: Int = 0, sentence: String) {
        self.count = count
        self.sentence = sentence
    }

    /// A URL that shows a file to anyone who has it.
    package struct Link: Hashable, Sendable, Encodable {
        /// The file, safe to display.
        package let path: String
        /// The URL.
        let url: String
        /// When it stops working, as ISO 8601; `nil` for never.
        package let expiresAt: String?

        /// A link to the file at `path`.
        package init(path: String, url: String, expiresAt: String?) {
            self.path = path
            self.url = url
            self.expiresAt = expiresAt
        }
    }

    /// What a person has to type before something is deleted.
    package struct Question: Hashable, Sendable, Encodable {
        /// The words to type.
        let words: String
        /// A few of the files that it is about, and why others stay.
        let examples: [String]

        /// A question that `words` answer with yes.
        package init(words: String, examples: [String]) {
            self.words = words
            self.examples = examples
        }
    }
}

/// Work that goes on after the request that began it was answered.
package struct PageWork: Hashable, Sendable, Encodable {
    /// Counts up from 1 while the program runs.
    package let id: Int
    /// What is done, such as `Restoring 3 files`.
    let title: String
    /// Files that it is done with.
    package var done = 0
    /// Files that it is about.
    package let total: Int
    /// How it ended, in a sentence; `nil` while it goes on.
    package var sentence: String?
    /// Whether it failed to do what was asked.
    package var isFailure = false

    /// Something that has just begun, about `total` files.
    package init(id: Int, title: String, total: Int) {
        self.id = id
        self.title = title
        self.total = total
    }
}
