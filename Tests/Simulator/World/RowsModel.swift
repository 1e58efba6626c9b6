import FoundationEssentials
import Serving
import Simulation
import Supabase

/// The table of the project's database: PostgREST's answers to the requests that the agent sends it.
final class RowsModel: Sendable {
    typealias Row = [String: JSONValue]

    static let table = "gallery_files"
    /// The rows by the keys of their objects.
    let rows = Simulated<[String: Row]>([:])

    static func isAsked(_ request: Request) -> Bool { request.path == "/rest/v1/\(table)" }

    func answer(_ request: Request) async -> Response {
        do {
            let bytes = try await request.body.collect(limit: 1 << 24)
            guard request.method == "POST" else { return remove(request) }
            for row in try JSONDecoder().decode([Row].self, from: Data(bytes)) {
                if let key = row["object_key"]?.string { rows.value[key] = row }
            }
            return Response(status: 201)
        } catch {
            return Response(status: 400)
        }
    }

    private func remove(_ request: Request) -> Response {
        let keys = request.queryItem("object_key") ?? ""
        let latest = request.queryItem("stored_at")?.dropFirst("lte.".count) ?? ""
        for key in keys.matches(of: /"([^"]*)"/).map({ String($0.output.1) }) {
            guard let storedAt = rows.value[key]?["stored_at"]?.string, storedAt <= latest else { continue }
            rows.value[key] = nil
        }
        return Response(status: 204)
    }
}
