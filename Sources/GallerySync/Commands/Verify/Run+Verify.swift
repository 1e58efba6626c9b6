import CommandLine
import Control
import FoundationEssentials
import Gallery
import Output
import Platform
import Reconciling
import Records
import Text

extension Run {
    /// `verify`: compares receipts with what the bucket holds.
    func verify(_ request: VerifyRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        var order = VerifyOrder()
        order.percent = request.percent
        order.seed = .random(in: .min ... .max)
        order.isRepairing = request.isRepairing
        if request.percent != nil {
            let reply = try await carryOut(
                VerifyVolumeOrder(order), setup, mode: .steering, isForReading: !request.isRepairing)
            guard let volume = reply.answer else { return try conclude(reply.ending) }
            let bytes = Quantity.text(bytes: volume.bytes)
            remark(
                "Downloads \(bytes): \(Self.objects(volume.objects)) of \(Quantity.text(count: volume.total)).")
        }
        let mode = request.isRepairing ? Agent.Mode.pass : .steering
        let reply = try await carryOut(order, setup, mode: mode, isForReading: !request.isRepairing)
        if let result = reply.answer, !reply.ending.isRefusal { try tell(result, of: request, reply.ending) }
        return try conclude(reply.ending)
    }

    private func tell(_ result: VerifyResult, of request: VerifyRequest, _ ending: Ending) throws {
        if let events { return events.conclude(with: ["result": try JSONDocument.value(Verified(result))]) }
        let problems = VerifyResult.Problem.allCases.filter { result.count($0) > 0 }
        var lines = Self.examples(of: result)
        let more = problems.reduce(0) { $0 + result.count($1) } - lines.count
        if more > 0 {
            lines.append("and \(Quantity.text(count: more)) more: see \"gallery-sync verify --json\"")
        }
        let counts = problems.map { "\(Quantity.text(count: result.count($0))) \($0.rawValue)" }
        let fine = result.isComplete ? "all as stored" : "not all of them, since the look ended early"
        let findings = counts.isEmpty ? fine : counts.joined(separator: ", ")
        let deep = result.sampled > 0 ? " (\(Self.objects(result.sampled)) downloaded and hashed)" : ""
        lines.append("Checked \(Self.objects(result.checked))\(deep): \(findings).")
        if result.queued > 0 { lines.append("Queued \(Self.objects(result.queued)) to be stored again.") }
        if !request.isRepairing, result.count(.missing) + result.count(.different) > 0 {
            // A listing does not show differences that only a download finds, and another sample may miss them.
            let command = request.percent == nil ? "verify --repair" : "verify --deep 100 --repair"
            lines.append("\"gallery-sync \(command)\" stores again what is missing or different.")
        }
        if result.proven > 0 { lines.append("Proved \(Self.objects(result.proven)) that had no receipt.") }
        if result.dropped > 0 {
            lines.append(
                "Dropped \(Quantity.text(result.dropped, "receipt")): "
                    + "neither the file nor what was stored of it is there any more.")
        }
        if result.unrepairable > 0 {
            lines.append(
                "\(Self.objects(result.unrepairable)) cannot be stored again, since the file is gone: what is there stays, and "
                    + "\"gallery-sync prune\" lists it.")
        }
        // Objects of another computer are found, too, and are not wrong.
        try ending == .done ? confirm(lines) : console.result(prose: lines)
    }

    /// A line for each of the first 20 findings of every problem, because there may be thousands (another computer's
    /// objects, for example).
    private static func examples(of result: VerifyResult) -> [String] {
        var told: [VerifyResult.Problem: Int] = [:]
        return result.findings.compactMap { finding in
            told[finding.problem, default: 0] += 1
            guard told[finding.problem, default: 0] <= 20 else { return nil }
            return "\(DisplayText.left(finding.problem.rawValue, columns: 11))"
                + DisplayText.safe("\(finding.key): \(finding.message)")
        }
    }

    private static func objects(_ count: Int) -> String { Quantity.text(count, "object") }

    private struct Verified: Encodable {
        let schema = "gallery-sync/verify/1"
        let checked: Int
        let missing: Int
        let different: Int
        let unreadable: Int
        let leftover: Int
        let unknown: Int
        let damaged: Int
        let sampled: Int
        let sampledBytes: Int64
        let queued: Int
        let dropped: Int
        let unrepairable: Int
        let proven: Int
        let complete: Bool
        let findings: [VerifyResult.Finding]

        init(_ result: VerifyResult) {
            checked = result.checked
            missing = result.count(.missing)
            different = result.count(.different)
            unreadable = result.count(.unreadable)
            leftover = result.count(.leftover)
            unknown = result.count(.unknown)
            damaged = result.count(.damaged)
            sampled = result.sampled
            sampledBytes = result.sampledBytes
            queued = result.queued
            dropped = result.dropped
            unrepairable = result.unrepairable
            proven = result.proven
            complete = result.isComplete
            findings = result.findings
        }
    }
}
