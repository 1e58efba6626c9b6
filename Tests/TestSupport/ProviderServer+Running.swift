package import FoundationEssentials
package import ProviderServer
package import Transfer

extension ProviderServer {
    /// Runs `body` with a server of simulated providers and a client.
    package static func running<Result>(
        _ plan: ProviderPlan = ProviderPlan(), key: String = "made-up-key",
        clock: @escaping @Sendable () -> Date = { Date() },
        _ body: (ProviderServer, HTTPClient) async throws -> Result
    ) async throws -> Result {
        let server = ProviderServer(plan: plan, key: key, clock: clock)
        let client = HTTPClient()
        try server.start()
        do {
            let result = try await body(server, client)
            client.close()
            await server.stop()
            return result
        } catch {
            client.close()
            await server.stop()
            throw error
        }
    }
}
