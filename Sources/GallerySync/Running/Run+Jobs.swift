import FoundationEssentials
import Gallery
import Platform
import Providers

extension Run {
    /// `jobs add|list|cancel`.
    func jobs(_ request: JobsRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        switch request {
        case .list: return try await listJobs(setup)
        case .add(let name, let ids, let model):
            let provider = try Self.provider(name)
            for id in ids {
                let job = JobReference(provider, id, model: model)
                let reply = try await carryOut(.addJob(job), setup, mode: .steering)
                guard reply.ending == .done else { return try conclude(reply.ending) }
                console.note("Following \(JobIdentifier(job).rawValue); \"watch\" or \"rescue\" brings its files.")
            }
            return .success
        case .cancel(let ids):
            for id in ids {
                let reply = try await carryOut(.cancelJob(id), setup, mode: .steering)
                guard reply.ending == .done else { return try conclude(reply.ending) }
                console.note("\(DisplayText.safe(id)) is not followed any more.")
            }
            return .success
        }
    }

    private func listJobs(_ setup: Setup) async throws -> ExitCode {
        let jobs: [Job]
        if try StateLock.holder(setup.locations) != nil {
            jobs = try await carryOut(.jobs, setup).jobs ?? []
        } else if try FileFacts.existing(setup.locations.state) != nil {
            jobs = try JobStore(state: setup.locations.state).load().entries.map(\.redacted)
        } else {
            jobs = []
        }
        if invocation.isJSON {
            try console.result(bytes: JSONDocument.bytes(Listed(jobs: jobs)))
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
