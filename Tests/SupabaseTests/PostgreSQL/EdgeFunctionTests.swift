import FoundationEssentials
import Platform
import TestSupport
import Testing

/// The edge functions under Deno, with a real PostgreSQL behind them; what is tried stands in
/// `config/supabase/functions/tests`.
@Suite(
    .serialized, .enabled(if: PostgresCluster.programs != nil, PostgresCluster.absence),
    .enabled(
        if: Deno.program != nil, "Deno is not installed (\"pip install deno\"): edge functions are not tried")
)
struct EdgeFunctionTests {
    @Test func theFunctionsOwnTestsPass() async throws {
        let deno = try #require(Deno.program)
        try await PostgresCluster.run { cluster in
            let sql = try ["webhooks", "generation"].map { try Project.text(of: "config/supabase/\($0).sql") }
            try await cluster.query(SupabaseStandIn.schema + sql.joined())
            let tests = Project.folder.appendingPathComponent("config/supabase/functions").path
            _ = try await cluster.command(
                deno, ["test", "--quiet", "-A", "--no-lock", tests],
                setting: [
                    "DENO_DIR": cluster.scratch("deno").display, "NO_COLOR": "1",
                    "PSQL": cluster.program("psql").display,
                ])
        }
    }
}

/// Deno, which runs edge functions; a program of some 90 MB that Debian does not have, so no dependency.
private enum Deno {
    static let program: FilePath? = (Environment["PATH"] ?? "").split(separator: ":")
        .map { FilePath(String($0)).appending("deno") }
        .first { (try? FileFacts.existing($0)).flatMap { $0 } != nil }
}
