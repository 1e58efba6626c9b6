import CommandLine
import Control
import FoundationEssentials
import Gallery
import Output
import Platform
import Queue
import Records
import Text

extension Run {
    /// `reupload`: shows what it will do, asks on a terminal, and does it.
    func reupload(_ request: ReuploadRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let selection = try selection(request)
        if request.isDryRun || !request.isConfirmed {
            let reply = try await carryOut(ReuploadPlanOrder(selection), setup, mode: .steering)
            guard let plan = reply.answer else { return try await conclude(reply.ending, setup) }
            if request.isDryRun { return try tell(plan, request) }
            guard plan.files > 0 || plan.missingObjects > 0 else {
                guard !invocation.isJSON else { return try tell(plan, request) }
                remark("Nothing to send again.")
                return .success
            }
            if let end = try await refusal(of: plan) { return end }
        }
        let reply = try await carryOut(ReuploadOrder(selection), setup)
        if let summary = reply.answer { try tell(summary, after: reply.ending) }
        return try await conclude(reply.ending, setup)
    }

    private func selection(_ request: ReuploadRequest) throws -> Selection {
        var selection = Selection()
        switch request.selection {
        case .failed: selection.which = .failed
        case .missing: selection.which = .missing
        case .changed: selection.which = .changed
        case .all: selection.which = .all
        case nil: selection.which = request.paths.isEmpty || request.code != nil ? .failed : .all
        }
        selection.paths = try directories(request.paths)
        selection.code = request.code.map(FailureCode.init)
        selection.since = request.since?.moment(before: .now).date
        selection.isForced = request.isForced
        return selection
    }

    private func sentence(_ plan: SelectionResult) -> String {
        let files = Quantity.text(plan.files, "file")
        let lost = plan.missingObjects > 0 ? " (\(plan.missingObjects) objects are missing)" : ""
        return "\(files), \(Quantity.text(bytes: plan.bytes))\(lost)"
    }

    private func examples(_ plan: SelectionResult) -> [String] {
        plan.examples.map { "  \(DisplayText.safe($0))" }
    }

    private func tell(_ plan: SelectionResult, _ request: ReuploadRequest) throws -> ExitCode {
        if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(Plan(selection: plan)))
        } else {
            try console.result(prose: ["Would look at \(sentence(plan)) again."] + examples(plan))
        }
        return .success
    }

    private struct Plan: Encodable {
        let schema = "gallery-sync/reupload-plan/1"
        let selection: SelectionResult
    }

    /// Asks on a terminal whether to go on; without one, giving the command counts as a yes.
    private func refusal(of plan: SelectionResult) async throws -> ExitCode? {
        let lines = ["This looks at \(sentence(plan)) again:"] + examples(plan)
        // The question that follows on a terminal is about them.
        if surroundings.isInteractive || !invocation.isQuiet { console.note(lines) }
        guard surroundings.isInteractive else { return nil }
        return try await refusal(of: "Go on?")
    }
}
