import Configuration
import FoundationEssentials
import Providers
package import Records
package import Rescue

extension Agent {
    /// Orders a video and follows it from then on; its cost is reserved first.
    ///
    /// Throws `Refusal` where the order needs consent, exceeds `maxSpend`, or its provider is not configured.
    package func generate(_ order: GenerateOrder) async throws -> (job: Job, ending: Ending) {
        let limit = setup.settings.providers[order.provider].maxSpend.flatMap(GenerateOrder.millionths)
        if let refusal = order.refusal(limit: limit) { throw Refusal(refusal) }
        guard setup.rescue.providers[order.provider] != nil else { throw RescueSurvey.unknown(order.provider) }
        try await generator.resume()
        let job = try await generator.generate(order, limit: limit)
        rescuer.notify()
        return (job.redacted, Self.ending(of: job, by: order.provider))
    }

    private static func ending(of job: Job, by provider: ProviderName) -> Ending {
        if let advice = job.advice { return .temporary("\(job.id.rawValue): \(advice)") }
        if let error = job.error {
            if error.kind == .insufficientCredits, let credits = error.credits {
                return .full("\(error): \(credits.required) credits needed, \(credits.current) left")
            }
            guard error.kind != .unauthorized else { return .notPermitted(Settings.Providers.refused(provider, error)) }
            return .notPermitted("\(provider.rawValue) refuses the order: \(error)")
        }
        guard job.reference == nil else { return .done }
        return .temporary(
            "\(job.id.rawValue) was not taken yet; \"watch\" or the next \"generate\" sends it, \"jobs cancel\" gives it up"
        )
    }
}
