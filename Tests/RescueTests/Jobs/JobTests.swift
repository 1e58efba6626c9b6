import Fixtures
import Foundation
import Platform
import Providers
import Rescue
import Testing

@Suite struct JobTests {
    @Test func aGenerationIsNamedForItsProviderAndIdentifier() {
        #expect(Jobs.generation("80e7").id.rawValue == "fal:80e7")
    }

    @Test(arguments: [
        ("https://a.example/x.mp4", "https://a.example/x.mp4?X-Amz-Signature=1", true),
        ("https://a.example/x.mp4?sig=1", "https://a.example:443/x.mp4?sig=2", true),
        ("https://a.example/x.mp4", "https://a.example/y.mp4", false),
        ("https://a.example/x.mp4", "https://b.example/x.mp4", false),
    ])
    func linksThatDifferInTheirQueryAreOneJob(_ row: (one: String, other: String, isSame: Bool)) {
        let one = JobIdentifier(link: row.one)
        #expect((one == JobIdentifier(link: row.other)) == row.isSame)
        #expect(one.rawValue.hasPrefix("link:") && one.rawValue.count == 21)
    }

    @Test func aRowThatGetsAnotherLinkIsAnotherJob() {
        let first = Jobs.row().id
        #expect(first == Jobs.row("https://cdn.example/a.mp4?sig=renewed").id)
        #expect(first != Jobs.row("https://cdn.example/b.mp4").id)
        #expect(first != Jobs.row(table: "others").id)
        #expect(first.rawValue.hasPrefix("video_jobs:"))
    }

    @Test func aLinkKnowsItsKindAndItsEnd() {
        let end = Jobs.now + 60
        let file = Jobs.link(expires: end).files[0]
        #expect(file.kind == .video && file.deadline == Deadline(end) && file.stage == .waiting)
        let link = "https://s3.example/x.mp4?X-Amz-Date=20261120T100000Z&X-Amz-Expires=60"
        #expect(Job(RescueLink(link, expires: nil), addedAt: Jobs.now).files.first?.deadline == Deadline(Jobs.now + 60))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let job: Job
        let isSettled: Bool

        init(_ words: String, _ job: Job, _ isSettled: Bool) {
            testDescription = words
            self.job = job
            self.isSettled = isSettled
        }
    }

    static let failed = ProviderError(.contentFiltered, "no")

    @Test(arguments: [
        Row("a new generation", Jobs.generation(), false),
        Row("a generation without files yet", Jobs.with(Jobs.generation()) { $0.state = .succeeded }, false),
        Row("one that failed for good", Jobs.with(Jobs.generation()) { $0.error = failed }, true),
        Row("one the user cancelled", Jobs.with(Jobs.generation()) { $0.isCancelled = true }, true),
        Row("a link", Jobs.link(), false),
        Row("safe on this disk is not stored", Jobs.file(Jobs.link()) { $0.stage = .safe }, false),
        Row("stored", Jobs.file(Jobs.link()) { $0.stage = .stored }, true),
        Row("failed", Jobs.file(Jobs.link()) { $0.stage = .failed }, true),
        Row("one of two stored", Jobs.with(Jobs.link()) { $0.files = two(.stored, .waiting) }, false),
        Row("one stored, one failed", Jobs.with(Jobs.link()) { $0.files = two(.stored, .failed) }, true),
        Row("a stored row that has not heard of it", Jobs.file(Jobs.row()) { $0.stage = .stored }, false),
        Row("a row that could not be told yet", stored(.waiting("503")), false),
        Row("a row that was told", stored(.written), true), Row("a row left alone", stored(.left("edited")), true),
        Row("a row whose file failed", Jobs.file(Jobs.row()) { $0.stage = .failed }, true),
    ])
    func settled(_ row: Row) {
        #expect(row.job.isSettled == row.isSettled)
    }

    static func two(_ one: JobFile.Stage, _ other: JobFile.Stage) -> [JobFile] {
        [one, other].map { stage in Jobs.file(Jobs.link()) { $0.stage = stage }.files[0] }
    }

    static func stored(_ outcome: RowOutcome?) -> Job {
        Jobs.file(Jobs.row()) {
            $0.stage = .stored
            $0.row = outcome
        }
    }

    @Test func whatIsShownHoldsNoQuery() throws {
        for job in [Jobs.link(), Jobs.row()] {
            let shown = job.redacted
            #expect(shown.id == job.id)
            #expect(!String(decoding: try JSONEncoder().encode(shown), as: UTF8.self).contains("secret"))
        }
    }
}
