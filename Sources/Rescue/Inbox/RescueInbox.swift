import Cleansing
package import Supabase

/// The part of a project's inbox that a rescue needs; throws `RestError`.
package protocol InboxKeeping: Sendable {
    /// Takes up to `limit` waiting rows, which no other claim gets for `seconds`.
    func claim(_ limit: Int, for seconds: Int) async throws -> [InboxRow]
    /// Holds a row for `seconds` from now on; false where another claim has it.
    func renew(_ token: String, for seconds: Int) async throws -> Bool
    /// Ends a row: stored under `key`, or not to be had; false where another claim has it. Idempotent.
    func finish(_ token: String, key: String?) async throws -> Bool
}

/// The inbox that `config/supabase/webhooks.sql` makes, over PostgREST.
package struct RescueInbox: InboxKeeping {
    private let client: RestClient

    /// The inbox in the database of `client`.
    package init(_ client: RestClient) {
        self.client = client
    }

    /// Calls `claim_rescues`.
    package func claim(_ limit: Int, for seconds: Int) async throws -> [InboxRow] {
        let rows = try await client.run(
            "claim_rescues", ["p_limit": .integer(Int64(limit)), "p_lease": .string("\(seconds) seconds")])
        guard case .array(let elements) = rows else { return [] }
        return elements.compactMap(InboxRow.init)
    }

    /// Calls `renew_rescue`.
    package func renew(_ token: String, for seconds: Int) async throws -> Bool {
        try await client.run(
            "renew_rescue", ["p_token": .string(token), "p_lease": .string("\(seconds) seconds")]) == .bool(true)
    }

    /// Calls `finish_rescue`.
    package func finish(_ token: String, key: String?) async throws -> Bool {
        try await client.run(
            "finish_rescue", ["p_token": .string(token), "p_object_key": key.map { .string($0) } ?? .null])
            == .bool(true)
    }
}
