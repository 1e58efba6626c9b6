import CommandLine
import Configuration
import Control
import FoundationEssentials
import Gallery
import Output
import Platform
import Providers
import Queue
import Records
import Rescue
import Text

extension Run {
    /// `jobs add|list|cancel`.
    func jobs(_ request: JobsRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        switch request {
        case .list: return try await listJobs(setup)
        case .add(let name, let ids, let model):
            let provider = try ProviderSites.named(name, in: setup.settings)
            let references = ids.map { JobReference(provider, spelled: $0, model: model) }
            let reply = try await carryOut(AddJobsOrder(references), setup, mode: .steering)
            for job in reply.answer ?? [] {
                let id = DisplayText.safe(job.id.rawValue)
                remark(
                    job.isStored
                        ? "\(id) is stored already." : "Following \(id); \"watch\" or \"rescue\" brings its files.")
            }
            return try conclude(reply.ending)
        case .cancel(let ids):
            let reply = try await carryOut(CancelJobsOrder(ids), setup, mode: .steering)
            for job in reply.answer ?? [] {
                remark("\(DisplayText.safe(job.id.rawValue)) is not followed any more.")
            }
            return try conclude(reply.ending)
        }
    }

    private func listJobs(_ setup: Setup) async throws -> ExitCode {
        let jobs: [Job]
        if try StateLock.holder(setup.locations) != nil {
            let reply = try await carryOut(JobsOrder(), setup)
            guard let followed = reply.answer else { return try conclude(reply.ending) }
            jobs = followed
        } else if try FileFacts.existing(setup.locations.state) != nil {
            jobs = try JobStore(state: setup.locations.state).load().entries.map(\.redacted)
        } else {
            jobs = []
        }
        if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(Listed(jobs: jobs)))
        } else if jobs.isEmpty {
            try console.result(["No jobs."])
        } else {
            try console.result(jobs.flatMap { JobLines(job: $0, now: Date()).lines })
        }
        return .success
    }

    private struct Listed: Encodable {
        let schema = "gallery-sync/jobs/1"
        let jobs: [Job]
    }
}
