import Synchronization

/// The error that a child of a loop threw.
///
/// A failing child of a task group cancels only the other children: a loop in the group's body that waits for an event
/// would wait for ever and hide the failure. So the body checks here in each round.
package final class ChildFailure: Sendable {
    private let first = Mutex<(any Error)?>(nil)
    private let wake: WakeEvent

    /// No failure yet; one will wake the loop that waits for `wake`.
    package init(waking wake: WakeEvent) {
        self.wake = wake
    }

    /// Runs a child; what it throws is kept for the body.
    package func heed(_ child: () async throws -> Void) async {
        do {
            try await child()
        } catch {
            first.withLock { $0 = $0 ?? error }
            wake.notify()
        }
    }

    /// Throws what the first failing child threw.
    package func check() throws {
        if let failure = first.withLock({ $0 }) { throw failure }
    }
}
