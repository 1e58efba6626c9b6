package import Platform

extension ChildProcess {
    /// How it ended; a child that does not end within `limit` is killed, and the test ends with `LimitReached`.
    ///
    /// - Parameter what: What is waited for, such as `the shell script ends`.
    package func end(_ what: String, within limit: Duration = patience) async throws -> ExitStatus {
        do {
            return try await withLimit(what, limit) { await self.exit }
        } catch {
            kill()
            throw error
        }
    }
}
