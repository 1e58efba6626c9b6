import FoundationEssentials
import Serving

/// Why a request of the page is not carried out.
package struct PageRefusal: Error, Hashable, Sendable {
    /// The HTTP status.
    let status: Int
    /// What and where, one sentence.
    let message: String
    /// What to do now, one sentence.
    let next: String

    /// A refusal with its sentences.
    package init(status: Int, message: String, next: String) {
        self.status = status
        self.message = message
        self.next = next
    }
}

extension PageRefusal {
    private static let again = "Run \"gallery-sync open\" for a new link."

    static let foreignHost = PageRefusal(
        status: 403, message: "This address is not the gallery page's own.", next: again)
    static let foreignOrigin = PageRefusal(
        status: 403, message: "Another site asked, and only the gallery page may.", next: again)
    static let strange = PageRefusal(
        status: 401, message: "This browser was not let in, or the agent has started anew since.", next: again)
    static let usedLink = PageRefusal(
        status: 403, message: "This link was used before, or is too old.", next: again)
    static let noSuchPlace = PageRefusal(
        status: 404, message: "There is nothing at this address.", next: "Go back to the page's beginning.")

    /// A request that makes no sense.
    static func unreadable(_ message: String) -> PageRefusal {
        PageRefusal(status: 400, message: message, next: "Reload the page.")
    }

    /// There is nothing to show.
    static func absent(_ message: String, next: String) -> PageRefusal {
        PageRefusal(status: 404, message: message, next: next)
    }

    /// The program ends while a request is being answered.
    static let stopping = PageRefusal(
        status: 503, message: "The agent is being stopped.", next: "Start it again, then reload the page.")

    /// An error that no request should cause.
    static func fault(_ error: any Error) -> PageRefusal {
        PageRefusal(status: 500, message: "\(error)", next: "Reload the page; if it stays, look at the agent's log.")
    }
}

extension PageRefusal {
    private struct Document: Encodable {
        let schema = "gallery-sync/error/1"
        let exit: Int
        let message: String
        let next: String
    }

    /// The exit code of the command line for the same cause.
    private var exit: Int {
        switch status {
        case 400, 404: 2
        case 401, 403: 6
        case 409: 3
        case 503: 5
        default: 1
        }
    }

    /// The refusal as the page's programs read it.
    var answer: Response { .json(Document(exit: exit, message: message, next: next), status: status) }

    /// The refusal as a page, for a person who followed a link.
    var page: Response {
        let text = "\(message) \(next)\n"
        return Response(
            status: status, headers: ["content-type": "text/plain; charset=utf-8"], body: .bytes(Array(text.utf8)))
    }
}
