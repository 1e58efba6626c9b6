import Platform

/// A program to run, and to time.
struct Execution: Sendable {
    let program: FilePath
    private let arguments: [String]
    private let input: FilePath?
    private let variables: [String: String]
    private let isSilent: Bool

    /// A program that reads `input` from standard input; its standard output is discarded.
    ///
    /// - Parameter isSilent: Whether its standard error is discarded, too.
    init(
        _ program: FilePath, _ arguments: [String], input: FilePath? = nil, variables: [String: String] = [:],
        isSilent: Bool = false
    ) {
        self.isSilent = isSilent
        self.program = program
        self.arguments = arguments
        self.input = input
        self.variables = variables
    }

    /// Starts the program, with its standard output written to `output`.
    func start(output: OpenFile? = nil) throws -> ChildProcess {
        let nowhere = try OpenFile(appending: "/dev/null")
        let source = try OpenFile(reading: input ?? "/dev/null")
        var descriptors = [Int32(0): source.descriptor, 1: (output ?? nowhere).descriptor]
        if isSilent { descriptors[2] = nowhere.descriptor }
        return try ChildProcess.spawn(
            program, arguments: arguments, environment: environment, descriptors: descriptors)
    }

    /// Our own environment without the user's settings, but with `variables`.
    private var environment: [String: String] {
        Environment.all.filter { !$0.key.hasPrefix("GALLERY_SYNC_") }.merging(variables) { $1 }
    }

    /// Runs the program to its end; throws `UnsuccessfulRun` unless it exits with 0.
    func succeed(output: OpenFile? = nil) async throws {
        let exit = try await start(output: output).exit
        guard exit == .exited(0) else { throw UnsuccessfulRun(program: program, exit: exit) }
    }

    /// The elapsed seconds of a successful run.
    func time() async throws -> Double {
        let start = ContinuousClock.now
        try await succeed()
        return (ContinuousClock.now - start) / .seconds(1)
    }
}

/// A program ended by a signal, or with another exit code than 0.
struct UnsuccessfulRun: Error, CustomStringConvertible {
    let program: FilePath
    let exit: ChildProcess.ExitStatus

    var description: String { "\(program) ended with \(exit)" }
}
