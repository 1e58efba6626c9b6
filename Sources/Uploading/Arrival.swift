import Supabase
import Synchronization

/// Whether all bytes of an item may have arrived at the server, as one attempt at it finds out.
///
/// The attempt may still end for another reason: its file cannot be read once more, or nothing answers the next question.
final class Arrival: Sendable {
    private let isPossibleNow = Mutex(false)

    var isPossible: Bool { isPossibleNow.withLock(\.self) }

    /// Takes in what the last answer says of it.
    func note(isPossible: Bool) { isPossibleNow.withLock { $0 = isPossible } }

    /// Makes the request that has all bytes of the item stored, and takes in how it ended.
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
