package import Serving
package import Supabase

/// A stand-in for PostgREST over tables in memory: upsert by `on_conflict`, select, update and delete with filters.
package final class RowServer: Sendable {
    package typealias Row = [String: JSONValue]

    /// The rows by table; any other table does not exist.
    package let tables: Shared<[String: [Row]]>
    /// The requests in order, such as `POST /t?…`.
    package let requests = Shared<[String]>([])
    /// Refusals for the next requests, which then have no effect; `nil` lets a request pass.
    package let refusals: Shared<[Response?]>

    /// The most rows of one answer, however many are asked for (PostgREST's `db-max-rows`).
    private let mostRows: Int

    /// - Parameters:
    ///   - refusals: Refusals for the first requests in order; `nil` lets a request pass.
    ///   - mostRows: The most rows of one answer.
    package init(_ tables: [String: [Row]], refusals: [Response?] = [], mostRows: Int = .max) {
        self.mostRows = mostRows
        self.tables = Shared(tables)
        self.refusals = Shared(refusals)
    }

    /// Serves on a loopback port while `body` runs; `body` gets the base URL, such as `http://127.0.0.1:1/rest/v1`.
    package func serve(_ body: (String) async throws -> Void) async throws {
        let server = Server(listening: [.loopback(port: 0)]) { [self] in await answer($0) }
        try server.start()
        do {
            try await body("http://127.0.0.1:\(server.port ?? 0)/rest/v1")
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// The answer to one request, for servers that serve other routes besides.
    package func answer(_ request: Request) async -> Response {
        requests.change { $0.append("\(request.method) \(request.target)") }
        if let refusal = refusals.change({ $0.isEmpty ? nil : $0.removeFirst() }) { return refusal }
        let table = String(request.path.split(separator: "/").last ?? "")
        guard tables.value[table] != nil else {
            return Self.refusal(404, "PGRST205", "Could not find the table 'public.\(table)' in the schema cache")
        }
        do {
            let bytes = try await request.body.collect(limit: 16 << 20)
            switch request.method {
            case "POST": return try upsert(bytes, table, request.queryItem("on_conflict") ?? "")
            case "DELETE": return delete(table, request)
            case "PATCH": return try update(bytes, table, request)
            default: return try select(table, request)
            }
        } catch {
            return Self.refusal(400, "PGRST102", "\(error)")
        }
    }

    /// A refusal in PostgREST's form.
    package static func refusal(_ status: Int, _ code: String, _ message: String) -> Response {
        let body: [String: JSONValue] = ["code": .string(code), "message": .string(message), "hint": .null]
        return Response(status: status, body: .bytes((try? RowJSON.encode(body)) ?? []))
    }
}

extension RowServer {
    private func upsert(_ bytes: [UInt8], _ table: String, _ conflict: String) throws -> Response {
        let rows = try RowJSON.decode([Row].self, bytes)
        let key = conflict.split(separator: ",").map(String.init)
        guard Set(rows.map { row in key.map { row[$0] } }).count == rows.count else {
            return Self.refusal(500, "21000", "ON CONFLICT DO UPDATE command cannot affect row a second time")
        }
        tables.change { tables in
            for row in rows {
                let place = tables[table]?.firstIndex { old in key.allSatisfy { old[$0] == row[$0] } }
                if let place {
                    tables[table]?[place].merge(row) { $1 }
                } else {
                    tables[table]?.append(row)
                }
            }
        }
        return Response(status: 201)
    }

    private func update(_ bytes: [UInt8], _ table: String, _ request: Request) throws -> Response {
        let values = try RowJSON.decode(Row.self, bytes)
        let filters = RowFilter.filters(of: request)
        let changed = tables.change { tables in
            var changed: [Row] = []
            for index in tables[table]?.indices ?? 0..<0 {
                guard let row = tables[table]?[index], filters.allSatisfy({ $0.holds(for: row) }) else { continue }
                let new = row.merging(values) { $1 }
                tables[table]?[index] = new
                changed.append(new)
            }
            return changed
        }
        return Response(status: 200, body: .bytes(try RowJSON.encode(changed)))
    }

    private func delete(_ table: String, _ request: Request) -> Response {
        let filters = RowFilter.filters(of: request)
        tables.change { tables in tables[table]?.removeAll { row in filters.allSatisfy { $0.holds(for: row) } } }
        return Response(status: 204)
    }

    private func select(_ table: String, _ request: Request) throws -> Response {
        let filters = RowFilter.filters(of: request)
        var rows = (tables.value[table] ?? []).filter { row in filters.allSatisfy { $0.holds(for: row) } }
        if let order = request.queryItem("order")?.split(separator: ".").first.map(String.init) {
            let isDown = request.queryItem("order")?.hasSuffix(".desc") == true
            rows.sort { (RowFilter.text($0[order]) < RowFilter.text($1[order])) != isDown }
        }
        rows = Array(rows.prefix(min(request.queryItem("limit").flatMap(Int.init) ?? .max, mostRows)))
        if let columns = request.queryItem("select"), columns != "*" {
            let wanted = Set(columns.split(separator: ",").map(String.init))
            rows = rows.map { $0.filter { wanted.contains($0.key) } }
        }
        return Response(status: 200, body: .bytes(try RowJSON.encode(rows)))
    }
}
