import Simulation
import Transfer

/// A time in which the agent's computer has no network.
struct Outage: Sendable {
    /// The virtual time of its end.
    let end: Duration
    /// Whether what is sent waits, as behind a router that has lost its line; otherwise each request fails at once.
    let isSilent: Bool
}

extension RoughLine {
    /// Lets a request of the agent leave, or an answer to it arrive, once there is a network; returns whether it waited.
    ///
    /// Throws where the computer notices that it has none, where it gives up before a new connection is made, and where
    /// nothing moves for as long as the request allows; for an answer, the request may have taken effect.
    func cross(_ request: HTTPRequest, isAnswer: Bool) async throws(TransferError) -> Bool {
        var hasWaited = false
        while let simulation = Simulation.current, let outage = outage(), simulation.now < outage.end {
            hasWaited = true
            let rest = outage.end - simulation.now
            guard outage.isSilent else {
                throw TransferError(.unreachable, "no network", mayHaveArrived: isAnswer)
            }
            if !isAnswer, let limit = request.timeouts.connect, rest > limit, simulation.random.happens(0.5) {
                try? await Task.sleep(for: limit)
                throw TransferError(.timedOut, "no connection in time", mayHaveArrived: false)
            }
            if let limit = request.timeouts.idle, rest > limit {
                try? await Task.sleep(for: limit)
                // Over a connection that stood, it is not known how far the request came.
                throw TransferError(.timedOut, "nothing moved", mayHaveArrived: true)
            }
            try? await Task.sleep(for: rest)
        }
        return hasWaited
    }
}
