import Supabase
import Synchronization

/// Whether all bytes of an item may have arrived at the server, as one attempt to send it finds out.
///
/// The attempt may still end otherwise: the file cannot be read once more, or the next request gets no answer.
final class Arrival: Sendable {
    private struct State {
        var isPossible = false
        var wasFound = false
        var isTaken = false
    }

    private let state = Mutex(State())

    var isPossible: Bool { state.withLock { $0.isPossible || $0.wasFound || $0.isTaken } }

    /// Notes what the last answer says about that.
    func note(isPossible: Bool) { state.withLock { $0.isPossible = isPossible } }

    /// Notes that the key is taken: if a request was sent twice on its way, the second one meets the object of the first.
    ///
    /// That counts until the object is seen, whatever becomes of other requests meanwhile.
    func noteTaken() { state.withLock { $0.isTaken = true } }

    /// Notes that the server has shown what the key holds, so that it does not matter any more who took it.
    func noteSeen() { state.withLock { ($0.isPossible, $0.isTaken) = (false, false) } }

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
