package import Platform

extension ChildProcess {
    /// The exit status; a child that does not end within `limit` is killed, and `LimitReached` is thrown.
    ///
    /// - Parameter what: What the test waits for, such as `the shell script ends`.
    package func end(_ what: String, within limit: Duration = patience) async throws -> ExitStatus {
        do {
            return try await withLimit(what, limit) { await self.exit }
        } catch {
            kill()
            throw error
        }
    }
}
