import CommandLine
import Control
import Gallery
import Output
import Platform
import Queue
import Reconciling
import Records
import Text

extension Run {
    /// `prune`: lists objects whose files are gone, and deletes them with `--delete`.
    func prune(_ request: PruneRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        if request.isDeleting, !request.isDryRun {
            guard request.isConfirmed || surroundings.isInteractive else {
                throw UsageError(message: "\"prune --delete\" deletes for good: add --yes.")
            }
            if !request.isConfirmed, let code = try await askBefore(request, setup) { return code }
        }
        let isDeleting = request.isDeleting && !request.isDryRun
        let reply = try await carryOut(
            PruneOrder(deleting: isDeleting, root: request.root), setup, mode: .steering,
            isForReading: !request.isDeleting)
        if let result = reply.answer, !reply.ending.isRefusal { try tell(result, request) }
        return try conclude(reply.ending)
    }

    /// Shows what would be deleted and asks; returns the exit code if nothing is to be deleted.
    private func askBefore(_ request: PruneRequest, _ setup: Setup) async throws -> ExitCode? {
        let reply = try await carryOut(PruneOrder(deleting: false, root: request.root), setup, mode: .steering)
        // A root without stored objects is forgotten without a question.
        if request.root != nil, reply.ending == .done, reply.answer?.objects.isEmpty == true { return nil }
        guard let plan = reply.answer, !plan.objects.isEmpty else {
            if reply.ending == .done { remark("Nothing to delete.") }
            return try conclude(reply.ending)
        }
        console.note(plan.objects.prefix(20).map(Self.line))
        if plan.objects.count > 20 { console.note("  and \(Quantity.text(count: plan.objects.count - 20)) more") }
        return try await refusal(of: plan.question)
    }

    private func tell(_ result: PruneResult, _ request: PruneRequest) throws {
        if invocation.isJSON { return try console.result(json: JSONDocument.bytes(Pruned(result: result))) }
        if !invocation.isQuiet { console.note(result.keptLines) }
        let lines = result.objects.map(Self.line) + [sentence(result, request)]
        // The objects that would be deleted are what was asked for.
        try result.isDeleted || result.objects.isEmpty ? confirm(lines) : console.result(prose: lines)
    }

    private func sentence(_ result: PruneResult, _ request: PruneRequest) -> String {
        if result.objects.isEmpty, !result.isDeleted, request.root != nil { return "Nothing of that root is stored." }
        if result.objects.isEmpty || result.isDeleted { return result.sentence }
        if request.isDeleting { return "Would delete \(result.sum)." }
        if request.root != nil { return "\(result.sum) stored of that root; --delete deletes what is listed." }
        return "\(result.sum) only in storage; \"gallery-sync prune --delete\" deletes what is listed."
    }

    private static func line(_ object: PruneResult.Object) -> String {
        var words: [String] = []
        if object.role != "original" { words.append(object.role) }
        // The object has another name in storage because another file has, or had, its name.
        if object.role == "original", object.isSetAside, let name = object.key.split(separator: "/").last {
            words.append("set aside as \(DisplayText.safe(String(name)))")
        }
        if object.isLeftover { words.append("leftover") }
        let about = words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
        return "\(DisplayText.safe(object.path))\(about)  \(Quantity.text(bytes: object.size))"
    }

    private struct Pruned: Encodable {
        let schema = "gallery-sync/prune/1"
        let deleted: Bool
        let bytes: Int64
        let objects: [PruneResult.Object]
        let kept: [PruneResult.Kept]
        let forgotten: String?

        init(result: PruneResult) {
            deleted = result.isDeleted
            bytes = result.bytes
            objects = result.objects
            kept = result.kept
            forgotten = result.forgotten
        }
    }
}
