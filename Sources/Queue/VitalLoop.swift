/// A loop that an agent cannot work without: if it hangs, only a new process helps.
package enum VitalLoop: Hashable, Sendable, CaseIterable {
    /// Takes files through the stages up to the queue.
    case reading
    /// Sends what is in the queue.
    case sending
    /// Asks the server for proof.
    case recording
    /// Applies rates, and tries again what waits for a person.
    case limits
    /// Asks providers and fetches their files.
    case rescue
    /// Begins the watch on each root.
    case watching
}
