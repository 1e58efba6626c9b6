package import Foundation
package import Providers
package import Rescue
import Supabase

/// Jobs and files for tests.
package enum Jobs {
    package static let now = Items.now

    /// A link job, such as `https://cdn.example/a.mp4`.
    package static func link(_ name: String = "a", expires: Date? = nil) -> Job {
        Job(RescueLink("https://cdn.example/\(name).mp4?sig=secret", expires: expires), addedAt: now)
    }

    /// A generation whose provider was not asked about it yet.
    package static func generation(_ id: String = "r1", at provider: ProviderName = .fal) -> Job {
        Job(JobReference(provider, id, model: "fal-ai/veo3.1"), addedAt: now)
    }

    /// An order that was not sent yet.
    package static func order(at provider: ProviderName = .fal) -> Job {
        Job(
            SubmitIntent(
                key: IdempotencyKey(rawValue: "k"), provider: provider, model: "m", input: ["prompt": "a cat"],
                madeAt: now))
    }

    /// A job for the link in a row of a table.
    package static func row(_ link: String = "https://cdn.example/a.mp4?sig=secret", table: String = "video_jobs")
        -> Job
    {
        let row = TableRow(TableOrder(table: table, column: "video_url"), link: link)
        return Job(RescueLink(link), origin: .row(row), addedAt: now)
    }

    package static func with(_ job: Job, _ change: (inout Job) -> Void) -> Job {
        var job = job
        change(&job)
        return job
    }

    /// The same job with a changed first file.
    package static func file(_ job: Job, _ change: (inout JobFile) -> Void) -> Job {
        with(job) { change(&$0.files[0]) }
    }
}
