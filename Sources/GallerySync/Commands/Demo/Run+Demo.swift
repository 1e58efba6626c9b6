import CommandLine
import Demonstration
import Output

extension Run {
    /// `demo`: shows the whole program at work on made-up media.
    func demo(_ request: DemoRequest) async throws -> ExitCode {
        let demo = try Demo(self)
        let ended: Interruptible<Bool>
        do {
            ended = try await interruptible { try await demo.perform(keeps: request.keeps) }
        } catch {
            try await demo.close(keeps: request.keeps)
            throw error
        }
        try await demo.close(keeps: request.keeps)
        switch ended {
        case .finished(let isProven): return isProven ? .success : .internalError
        case .interrupted(let signal): return ExitCode(signal)
        }
    }
}
