package import Platform

/// A program of this computer that is found in `PATH`, such as `systemctl`.
package struct SystemTool: Sendable {
    private let program: FilePath
    private let environment: [String: String]

    /// The output of a tool, and how it ended.
    package struct Answer: Hashable, Sendable {
        /// How it ended.
        package let exit: ChildProcess.ExitStatus
        /// Its lines, without those that are empty.
        package let lines: [String]
    }

    /// The tool in the `PATH` of `environment`; `nil` where there is none.
    package init?(_ name: String, environment: [String: String]) {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        // A name that cannot be looked at counts as missing.
        let found = folders.compactMap { folder -> (path: FilePath, canRun: Bool)? in
            let path = FilePath(String(folder)).appending(FilePath(name))
            let facts = (try? FileFacts.existing(path)).flatMap { $0 }
            return facts.map { (path, $0.kind == .file && $0.mode & 0o111 != 0) }
        }
        // As in a shell, a file that cannot be run hides no later one; if it is the only one, running it tells why.
        guard let program = (found.first(where: \.canRun) ?? found.first)?.path else { return nil }
        self.program = program
        self.environment = environment
    }

    /// Runs it to its end and returns its output; cancelling the task ends it.
    package func ask(_ words: [String]) async throws -> Answer {
        let output = try OpenFile.inMemory()
        let exit = try await run(words, writingTo: output)
        let text = String(decoding: try output.readAll(limit: 1 << 20), as: UTF8.self)
        return Answer(exit: exit, lines: text.split(whereSeparator: \.isNewline).map(String.init))
    }

    /// Runs it to its end with both outputs going to `output`; cancelling the task ends it.
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
