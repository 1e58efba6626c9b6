package import FoundationEssentials
import Transfer

/// What a probe of the service found: its error, if any, and its clock.
package struct Reachability: Hashable, Sendable {
    /// Why the probe failed; `nil` where the service answered with a success.
    package let error: StorageError?
    /// The difference of the two clocks; `nil` where no answer carried a `Date`.
    package let skew: ClockSkew?

    /// The finding of one probe; without arguments a success that told no time.
    init(error: StorageError? = nil, skew: ClockSkew? = nil) {
        self.error = error
        self.skew = skew
    }
}

extension StorageClient {
    /// Probes the service with one request, and compares the clocks; never throws.
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
