import FoundationEssentials
import Gallery
package import Platform
import Queue
package import Records
package import Reporting
package import Sync
import Text
package import Transfer

/// Sends requests to the agent that holds the lock, over its control socket.
package struct ControlClient: Sendable {
    private let transport: any Transport
    private let socket: FilePath
    private let answerLimit: Int

    /// A client of the agent that listens on `socket`; nothing is sent yet.
    ///
    /// - Parameter answerLimit: The most bytes of an answer; the longest list all that is stored, 240 bytes an object.
    package init(socket: FilePath, transport: any Transport, answerLimit: Int = 2 << 30) {
        self.socket = socket
        self.transport = transport
        self.answerLimit = answerLimit
    }

    /// Has the agent carry out `request`, without a time limit unless one is given.
    ///
    /// An agent that has just taken the lock may not listen yet, so it is asked again for as long as `patience`. Throws
    /// `AgentEnding`, `TransferError` and `ControlFailure`.
    package func ask<Asked: AgentRequest>(
        _ request: Asked, patience: Duration = .seconds(5), within limit: Duration? = nil
    ) async throws -> AgentReply<Asked.Answer> {
        let body = Array(try QueueCoding.encoder.encode(request))
        let end = ContinuousClock.now + patience
        while true {
            do {
                return try await send(.post, ControlRoute.requests + Asked.name, body: .bytes(body), within: limit)
            } catch let error as TransferError {
                // Without a connection the request was not received, so a retry cannot repeat it.
                guard case .unreachable = error.kind, ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// The progress of the run, if the agent answers within a second.
    ///
    /// Throws `TransferError` or `ControlFailure`.
    package func progress() async throws -> Progress {
        try await send(.get, ControlRoute.progress, within: .seconds(1))
    }

    /// Whether an agent listens, but does not say within a second how far it is.
    package func isSilent() async -> Bool {
        do {
            _ = try await progress()
            return false
        } catch let error as TransferError {
            return error.kind == .timedOut
        } catch {
            return false
        }
    }

    /// The report, if the agent answers within a second, or within five for more than a summary.
    package func report(_ depth: Reporter.Depth) async throws -> Report {
        try await send(
            .get, ControlRoute.report(depth), within: depth < .details ? .seconds(1) : .seconds(5))
    }

    /// What is said about an agent whose answer makes no sense here, such as an unexplained refusal.
    private static let otherVersion =
        "The running agent is another version of gallery-sync than this \(Version.text): restart it, or ask it with its own."

    /// What is said about an agent whose answer is too long to be taken.
    private var tooLong: String {
        "The running agent carried it out, and its answer is longer than \(Quantity.text(bytes: answerLimit)): stop it, and "
            + "run this again, or name fewer files."
    }

    private func send<Answer: Decodable>(
        _ method: HTTPMethod, _ path: Substring, body: HTTPBody = .none, within limit: Duration?
    ) async throws -> Answer {
        var request = HTTPRequest(method, "http://agent\(path)", body: body, answer: .memory(limit: answerLimit))
        request.unixSocket = socket
        request.timeouts = Timeouts(connect: .seconds(1), idle: nil, total: limit)
        let response: HTTPResponse
        do {
            response = try await transport.send(request)
        } catch {
            // The agent has answered, so what was asked for is done as far as it could be.
            if error.kind == .tooLarge { throw ControlFailure(message: tooLong, kind: .needsHuman) }
            throw error
        }
        guard response.status != 503 else { throw AgentEnding() }
        guard response.isSuccess else {
            let words = String(decoding: response.body, as: UTF8.self)
            let kind = response.headers[ControlRoute.kind].flatMap { Ending.Kind(rawValue: $0) }
            // An agent that refuses is another version; an agent that failed has named the kind of failure.
            let usual = response.status == 500 ? Ending.Kind.internalError : .needsHuman
            throw ControlFailure(message: words.isEmpty ? Self.otherVersion : words, kind: kind ?? usual)
        }
        do {
            return try QueueCoding.decoder.decode(Answer.self, from: Data(response.body))
        } catch is DecodingError {
            throw ControlFailure(message: Self.otherVersion, kind: .needsHuman)
        }
    }
}

/// The agent is about to end, and leaves the request to the command that made it.
package struct AgentEnding: Error, CustomStringConvertible {
    /// What to do.
    package let description = "The running agent is about to end. Run it again."
}

/// The agent failed to carry out a request; carries its own message.
package struct ControlFailure: Error, CustomStringConvertible {
    /// The agent's own description of the error.
    package let message: String
    /// What kind of end that is.
    package let kind: Ending.Kind
    /// Shown as it is, because the agent has named the cause.
    package var description: String { message }
}
