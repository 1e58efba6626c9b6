import Configuration
import FoundationEssentials
package import Generating
import Providers
package import Records
package import Rescue

extension Agent {
    /// Orders a video and follows it from then on; its cost is reserved first.
    ///
    /// If the same order is given again while an earlier one has no answer, it continues that one, because a user who
    /// was told to try again later wants one video.
    ///
    /// Throws `Refusal` where the order needs consent, exceeds `maxSpend`, or its provider is not configured.
    package func generate(_ order: GenerateOrder) async throws -> (job: Job, ending: Ending) {
        let limit = setup.settings.providers[order.provider].maxSpend.flatMap(GenerateOrder.millionths)
        if let refusal = order.refusal(limit: limit) { throw Refusal(refusal) }
        guard setup.rescue.providers[order.provider] != nil else { throw RescueSurvey.unknown(order.provider) }
        let earlier = await generator.unanswered(like: order)
        try await generator.resume()
        let job =
            if let earlier {
                try await generator.current(earlier.id)
            } else {
                try await generator.generate(order, limit: limit)
            }
        rescuer.notify()
        return (job.redacted, Self.ending(of: job, by: order.provider))
    }

    private static func ending(of job: Job, by provider: ProviderName) -> Ending {
        if let words = job.unanswered { return .temporary("\(job.id.rawValue): \(words)") }
        guard let error = job.error else { return .done }
        switch error.kind {
        case .insufficientCredits:
            let credits = error.credits.map { ": \($0.required) credits needed, \($0.current) left" } ?? ""
            return .full("\(provider.rawValue) refuses the order: \(error)\(credits)")
        case .unauthorized: return .notPermitted(Settings.Providers.refused(provider, error))
        default: return .refused("\(provider.rawValue) refuses the order: \(error)")
        }
    }
}
