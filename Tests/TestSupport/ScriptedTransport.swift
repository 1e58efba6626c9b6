import Synchronization
import Testing
package import Transfer

/// A transport that answers in the order of its script and records the requests.
///
/// A request beyond the script fails the test.
package final class ScriptedTransport: Transport {
    /// The outcome of one request.
    package enum Answer: Sendable {
        case response(HTTPResponse)
        case failure(TransferError)

        /// An answer with a JSON body.
        package static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = HTTPHeaders()) -> Answer {
            .response(HTTPResponse(status: status, headers: headers, body: Array(text.utf8)))
        }
    }

    private struct State {
        var script: ArraySlice<Answer>
        var requests: [HTTPRequest] = []
    }

    private let state: Mutex<State>

    package init(_ script: [Answer]) {
        state = Mutex(State(script: script[...]))
    }

    /// Answers without a body.
    package convenience init(statuses: Int...) {
        self.init(statuses.map { .response(HTTPResponse(status: $0)) })
    }

    /// The requests so far, in order.
    package var requests: [HTTPRequest] { state.withLock(\.requests) }

    /// How many answers were not requested.
    package var unusedAnswers: Int { state.withLock(\.script.count) }

    package func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        var kept = request
        // The recorded request must not keep the requester alive.
        kept.progress = nil
        kept.permitsPeer = nil
        let answer = state.withLock { [kept] state in
            state.requests.append(kept)
            return state.script.popFirst()
        }
        switch answer {
        case .response(let response)?: return response
        case .failure(let error)?: throw error
        case nil:
            Issue.record("Unscripted: \(request.method.rawValue) \(request.url)")
            throw TransferError(.lost, "unscripted", mayHaveArrived: false)
        }
    }
}
