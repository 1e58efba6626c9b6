package import FoundationEssentials
import Transfer

/// What asking a server whether it is there told.
package struct Reachability: Hashable, Sendable {
    /// Why there was no good answer; `nil` where there was one.
    package let error: StorageError?
    /// `nil` where no answer told the time.
    package let skew: ClockSkew?

    package init(error: StorageError? = nil, skew: ClockSkew? = nil) {
        self.error = error
        self.skew = skew
    }
}

extension StorageClient {
    /// Asks the service whether it is there, and its clock.
    package func knock(clock: @Sendable () -> Date = { Date() }) async -> Reachability {
        do throws(StorageError) {
            let response = try await send(request(.get, "/status"))
            return Reachability(skew: ClockSkew(response.headers, now: clock()))
        } catch {
            let time = error.refusal?.serverTime
            return Reachability(error: error, skew: time.map { ClockSkew(server: $0, now: clock()) })
        }
    }
}
