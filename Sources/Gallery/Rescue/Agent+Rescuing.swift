import FoundationEssentials
import Generating
import Platform
package import Records
package import Rescue
import Sync
import Uploading

extension Agent {
    /// Brings what `order` names into storage; waits until it is settled, or until nothing falls due soon.
    ///
    /// Jobs that are in the registry already are not added twice; their failed files are tried once more.
    package func rescue(_ order: RescueOrder) async throws -> (result: RescueListing, ending: Ending) {
        var closed: Ending?
        do {
            try await checkDestination()
        } catch let refusal as Refusal {
            closed = refusal.ending
            // The links expire whatever the state of the destination; fetched files wait on this disk.
            if !watching.isOn { uploader.setPaused(true) }
        }
        try await resumeOrders(before: order)
        let survey = RescueSurvey(rescuer, budget: budget)
        let offered = try await survey.candidates(order)
        if case .jobs = order.what { rescuer.notify() } else { try await rescuer.follow(offered, told: offered) }
        let ids = offered.map(\.id)
        let ending = try await waitUntilRescued(ids, isClosed: closed != nil)
        let jobs = await rescuer.jobs(ids)
        try await uploader.lookAtRoom()
        return (survey.listing(jobs, isNew: jobs.map { _ in false }, notes: []), closed ?? ending)
    }

    /// What a rescue would bring; providers and tables are asked, as `RescueSurvey.plan` does.
    package func rescuePlan(_ order: RescueOrder) async throws -> RescueListing {
        try await resumeOrders(before: order)
        try await uploader.lookAtRoom()
        return try await RescueSurvey(rescuer, budget: budget).plan(order)
    }

    /// Sends or looks up orders that `generate` left unanswered, if the rescue is of all known jobs.
    private func resumeOrders(before order: RescueOrder) async throws {
        guard case .known = order.what, !order.dryRun else { return }
        try await generator.resume()
    }
}
