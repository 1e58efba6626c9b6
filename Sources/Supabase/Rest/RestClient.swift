import FoundationEssentials
package import Platform
package import Transfer

/// The project's database over PostgREST (contract section 7): inserts, reads and changes rows.
package struct RestClient: Sendable {
    /// One row: column names and their values.
    package typealias Row = [String: JSONValue]

    private var call: ServiceCall<RestRefusal>
    private let credentials: CredentialsSource

    /// A client of the service at `base`, such as `https://abc.supabase.co/rest/v1`.
    package init(
        base: String, unixSocket: FilePath? = nil, transport: any Transport, credentials: @escaping CredentialsSource
    ) {
        call = ServiceCall(base: base, unixSocket: unixSocket, transport: transport)
        self.credentials = credentials
    }

    /// How long each request may take.
    package var timeouts: Timeouts {
        get { call.timeouts }
        set { call.timeouts = newValue }
    }
}

extension RestClient {
    /// Inserts rows, or replaces the named columns of rows that agree in the `conflict` columns.
    ///
    /// Sent in requests of at most `batch` rows, in order. Each request succeeds or fails as a whole, and sending the
    /// same rows again is idempotent. All rows must name the same columns.
    package func upsert(
        _ rows: [Row], into table: String, on conflict: [String], batch: Int = 500
    ) async throws(RestError) {
        let path = "/\(RestQuery.encoded(table))?on_conflict=\(RestQuery.encoded(conflict.joined(separator: ",")))"
        for start in stride(from: 0, to: rows.count, by: max(batch, 1)) {
            let some = Array(rows[start..<min(start + max(batch, 1), rows.count)])
            var request = try call.request(.post, path, some)
            request.headers["prefer"] = "resolution=merge-duplicates,return=minimal"
            try await sendForNothing(request)
        }
    }

    /// The rows for which all `filters` hold.
    ///
    /// - Parameter order: Such as `created_at.desc,id`; without one the order is the database's choice.
    package func select(
        _ columns: [String] = ["*"], from table: String, where filters: [RestFilter] = [], order: String? = nil,
        limit: Int? = nil
    ) async throws(RestError) -> [Row] {
        var query = ["select=\(columns.map(RestQuery.encoded).joined(separator: ","))"] + filters.map(\.query)
        if let order { query.append("order=\(order)") }
        if let limit { query.append("limit=\(limit)") }
        let path = "/\(RestQuery.encoded(table))?\(query.joined(separator: "&"))"
        return try ServiceCall<RestRefusal>.read(try await send(call.request(.get, path)), as: [Row].self)
    }

    /// Changes the rows for which all `filters` hold; returns them as they are now.
    ///
    /// With the old value among the filters this is a compare-and-set: of two writers one gets an empty result.
    /// An empty list of filters would change every row, and is refused.
    package func update(
        _ table: String, set values: Row, where filters: [RestFilter]
    ) async throws(RestError) -> [Row] {
        var request = try call.request(.patch, Self.path(of: table, where: filters), values)
        request.headers["prefer"] = "return=representation"
        return try ServiceCall<RestRefusal>.read(try await send(request), as: [Row].self)
    }

    /// Removes the rows for which all `filters` hold.
    ///
    /// An empty list of filters would remove every row, and is refused.
    package func delete(from table: String, where filters: [RestFilter]) async throws(RestError) {
        var request = call.request(.delete, try Self.path(of: table, where: filters))
        request.headers["prefer"] = "return=minimal"
        try await sendForNothing(request)
    }

    /// Runs a function of the database; returns its answer: a value, or an array of rows.
    package func run(_ function: String, _ arguments: Row) async throws(RestError) -> JSONValue {
        let request = try call.request(.post, "/rpc/\(RestQuery.encoded(function))", arguments)
        return try ServiceCall<RestRefusal>.read(try await send(request), as: JSONValue.self)
    }
}

extension RestClient {
    /// The path that names the rows to be changed or removed; without filters it would name every row.
    private static func path(of table: String, where filters: [RestFilter]) throws(RestError) -> String {
        guard !filters.isEmpty else {
            throw .noAnswer(
                TransferError(.unsendable, "A request about every row was not meant.", mayHaveArrived: false))
        }
        return "/\(RestQuery.encoded(table))?\(filters.map(\.query).joined(separator: "&"))"
    }

    /// Sends a request whose answer has no body: the sign-in page of a network also answers with 200.
    private func sendForNothing(_ request: HTTPRequest) async throws(RestError) {
        let answer = try await send(request)
        if !answer.body.isEmpty { _ = try ServiceCall<RestRefusal>.read(answer, as: JSONValue.self) }
    }

    private func send(_ request: HTTPRequest) async throws(RestError) -> HTTPResponse {
        let first = try await current(nil)
        do {
            return try await send(request, as: first)
        } catch {
            guard error.refusal?.answerClass == .signIn else { throw error }
            let second = try await current(first)
            guard second != first else { throw error }
            return try await send(request, as: second)
        }
    }

    private func send(
        _ request: HTTPRequest, as who: StorageCredentials
    ) async throws(RestError) -> HTTPResponse {
        var request = request
        request.headers["authorization"] = "Bearer \(who.bearer)"
        request.headers["apikey"] = who.apiKey
        return try await call.send(request)
    }

    /// The credentials to send, with the source's errors converted to this client's.
    private func current(_ refused: StorageCredentials?) async throws(RestError) -> StorageCredentials {
        do throws(StorageError) {
            return try await credentials(refused)
        } catch {
            switch error {
            case .noAnswer(let lost): throw .noAnswer(lost)
            case .signedOut(let reason): throw .signedOut(reason)
            case .refused(let refusal): throw .signedOut("\(refusal)")
            case .unreadable(let status, let reason): throw .unreadable(status: status, reason)
            }
        }
    }
}
