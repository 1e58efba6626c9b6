import Supabase
import Synchronization

/// Whether all bytes of an item may have arrived at the server, as one attempt to send it finds out.
///
/// The attempt may still end otherwise: the file cannot be read once more, or the next request gets no answer.
final class Arrival: Sendable {
    private struct State {
        var isPossible = false
        var wasFound = false
    }

    private let state = Mutex(State())

    var isPossible: Bool { state.withLock { $0.isPossible || $0.wasFound } }

    /// Notes what the last answer says about that.
    func note(isPossible: Bool) { state.withLock { $0.isPossible = isPossible } }

    /// Notes that an object which claims to hold the item's bytes is under its key, whatever becomes of later requests.
    func noteFound() { state.withLock { $0.wasFound = true } }

    /// Makes the request that stores all bytes of the item, and notes how it ended.
    func following<Value>(_ request: () async throws(StorageError) -> Value) async throws(StorageError) -> Value {
        do throws(StorageError) {
            let value = try await request()
            note(isPossible: true)
            return value
        } catch {
            note(isPossible: error.mayHaveArrived)
            throw error
        }
    }
}
