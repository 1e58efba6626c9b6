package import Platform

/// A program of this computer that is found in `PATH`, such as `systemctl`.
package struct SystemTool: Sendable {
    private let program: FilePath
    private let environment: [String: String]

    /// What a tool said on both outputs, and how it ended.
    package struct Answer: Hashable, Sendable {
        /// How it ended.
        package let exit: ChildProcess.ExitStatus
        /// Its lines, without those that are empty.
        package let lines: [String]
    }

    /// The tool in the `PATH` of `environment`; `nil` where there is none.
    package init?(_ name: String, environment: [String: String]) {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        // What cannot be looked at is not there for us.
        let found = folders.map { FilePath(String($0)).appending(FilePath(name)) }
            .first { (try? FileFacts.existing($0)) != nil }
        guard let found else { return nil }
        program = found
        self.environment = environment
    }

    /// Runs it to its end, and returns what it said; a cancellation ends it.
    package func ask(_ words: [String]) async throws -> Answer {
        let output = try OpenFile.inMemory()
        let exit = try await run(words, writingTo: output)
        let text = String(decoding: try output.readAll(limit: 1 << 20), as: UTF8.self)
        return Answer(exit: exit, lines: text.split(whereSeparator: \.isNewline).map(String.init))
    }

    /// Runs it to its end with both outputs going to `output`; a cancellation ends it.
    package func run(_ words: [String], writingTo output: OpenFile) async throws -> ChildProcess.ExitStatus {
        let child = try ChildProcess.spawn(
            program, arguments: words, environment: environment,
            descriptors: [1: output.descriptor, 2: output.descriptor])
        let exit = await withTaskCancellationHandler {
            await child.exit
        } onCancel: {
            child.kill(.terminate)
        }
        withExtendedLifetime(output) {}
        return exit
    }
}
