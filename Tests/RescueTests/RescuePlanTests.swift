import Fixtures
import Foundation
import Providers
import Rescue
import Testing

/// What a rescue does next.
@Suite struct RescuePlanTests {
    static let now = Jobs.now

    static func plan(
        _ jobs: [Job], busy: Set<RescueAct> = [], providers: Set<ProviderName> = [.fal], hasRows: Bool = true
    ) -> RescuePlan {
        RescuePlan(jobs, busy: busy, slots: 2, providers: providers, hasRows: hasRows, at: now)
    }

    static func fetch(_ job: Job, _ index: Int = 0) -> RescueAct { .fetch(JobPlace(job.id, index)) }

    @Test func theEarliestDeadlinesComeFirstAndThoseWithoutOneLast() {
        let jobs = [
            Jobs.link("never"), Jobs.link("late", expires: now + 900), Jobs.link("soon", expires: now + 60),
            Jobs.link("past", expires: now - 60),
        ]
        #expect(Self.plan(jobs).acts == [Self.fetch(jobs[3]), Self.fetch(jobs[2])])
        #expect(Self.plan(jobs, busy: [Self.fetch(jobs[3])]).acts == [Self.fetch(jobs[2])])
        #expect(Self.plan(jobs, busy: [Self.fetch(jobs[0]), Self.fetch(jobs[1])]).acts == [])
        #expect(Self.plan([jobs[0], Jobs.link("b")]).acts == [Self.fetch(jobs[0]), Self.fetch(Jobs.link("b"))])
    }

    // MARK: Refused keys

    @Test(arguments: [(401, ["a"]), (403, ["a", "b", "c"])])
    func aRefusedKeyHoldsTheOtherJobsOfItsProvider(_ row: (status: Int, asked: [String])) {
        let refused = Jobs.with(Jobs.generation("a")) { $0.trouble = JobAskingTests.refusal(.unauthorized, row.status) }
        let jobs = [refused, Jobs.generation("b"), Jobs.generation("c"), Jobs.generation("r", at: .luma)]
        let plan = Self.plan(jobs, providers: [.fal, .luma])
        #expect(plan.acts == (row.asked.map { .ask(Jobs.generation($0).id) } + [.ask(jobs[3].id)]))
        let waiting = Jobs.with(refused) { $0.nextQuestionAt = Self.now + 60 }
        #expect(Self.plan([waiting] + jobs.dropFirst()).next == Self.now + 60)
    }

    // MARK: What the line can do

    /// A link to a file of `bytes` bytes that expires in `seconds`.
    static func link(_ name: String, _ bytes: Int64?, in seconds: Double?) -> Job {
        Jobs.file(Jobs.link(name, expires: seconds.map { now + $0 })) { $0.size = bytes }
    }

    /// The downloads begun at 100 bytes per second with requests of at most 10 bytes.
    static func begun(_ jobs: [Job], busy: [Job] = []) -> [String] {
        let plan = RescuePlan(
            jobs, busy: Set(busy.map { fetch($0) }), slots: 2, speed: LineSpeed(rate: 100, chunk: 10), providers: [],
            at: now)
        let names = Dictionary(uniqueKeysWithValues: jobs.map { (fetch($0), $0.files[0].identity) })
        return plan.acts.compactMap { names[$0]?.split(separator: "/").last.map { String($0.dropLast(4)) } }
    }

    @Test(
        arguments: [
            ("with time for both, both", [link("a", 1_000, in: 20.1), link("b", 1_000, in: 90)], [], ["a", "b"]),
            ("a tight one alone", [link("a", 1_000, in: 20), link("b", 1_000, in: 90)], [], ["a"]),
            ("beside a tight one nothing", [link("a", 1_000, in: 20), link("b", 1_000, in: 90)], [0], []),
            ("a tight one beside what runs", [link("a", 1_000, in: 20), link("b", 1_000, in: 90)], [1], ["a"]),
            (
                "one whose bytes are all here leaves the line to others",
                [link("a", 0, in: 1), link("b", 1_000, in: 90)], [], ["a", "b"]
            ),
            (
                "what has no known size is not alone", [link("a", nil, in: 1), link("b", 9, in: 90)], [],
                ["a", "b"]
            ),
            (
                "what cannot come in time gives way to whom it would make late",
                [link("a", 3_000, in: 9), link("b", 900, in: 20), link("c", 900, in: 30)], [], ["b", "c"]
            ),
            (
                "and to no other",
                [link("a", 3_000, in: 9), link("b", 900, in: 90), link("c", 900, in: 90)], [], ["a", "b"]
            ),
            (
                "it still comes before what has for ever",
                [link("d", 10, in: nil), link("a", 3_000, in: 9), link("b", 900, in: 19)], [], ["b", "a"]
            ),
            ("none is given up for a tenth", [link("a", 1_000, in: 9.1), link("b", 900, in: 18)], [], ["a"]),
            ("but for more", [link("a", 1_000, in: 9), link("b", 900, in: 12)], [], ["b"]),
        ] as [(String, [Job], [Int], [String])])
    func theLineDecides(_ row: (words: String, jobs: [Job], busy: [Int], begun: [String])) {
        #expect(Self.begun(row.jobs, busy: row.busy.map { row.jobs[$0] }) == row.begun, "\(row.words)")
    }

    private var now: Date { Self.now }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let job: Job
        var acts: [RescueAct] = []
        var safe: [JobPlace] = []
        var next: Date?

        init(_ words: String, _ job: Job, _ acts: [RescueAct] = [], safe: [JobPlace] = [], next: Date? = nil) {
            (testDescription, self.job, self.acts, self.safe, self.next) = (words, job, acts, safe, next)
        }
    }

    static let link = Jobs.link()
    static let generation = Jobs.generation()
    static let later = now + 5

    @Test(arguments: [
        Row("a new link is fetched", link, [fetch(link)]),
        // No wait is longer than 36 days: such a time is one of a clock that was set back since.
        Row(
            "a fetch in years to come is due", Jobs.file(link) { $0.nextAttemptAt = now + 1e8 }, [fetch(link)]),
        Row(
            "so is a question", Jobs.with(generation) { $0.nextQuestionAt = now + 41 * 86_400 }, [.ask(generation.id)]),
        Row(
            "one in forty days is not", Jobs.with(generation) { $0.nextQuestionAt = now + 40 * 86_400 },
            next: now + 40 * 86_400),
        Row("one that waits is not", Jobs.file(link) { $0.nextAttemptAt = later }, next: later),
        Row("one whose wait is over is", Jobs.file(link) { $0.nextAttemptAt = now }, [fetch(link)]),
        Row("half a file is gone on with", Jobs.file(link) { $0.stage = .downloading }, [fetch(link)]),
        Row("a probed one is put in place", Jobs.file(link) { $0.stage = .probed }, [fetch(link)]),
        Row("a safe one waits for its receipt", Jobs.file(link) { $0.stage = .safe }, safe: [JobPlace(link.id, 0)]),
        Row("a stored one is done", Jobs.file(link) { $0.stage = .stored }),
        Row("a failed one is done", Jobs.file(link) { $0.stage = .failed }),
        Row("a cancelled one is done", Jobs.with(link) { $0.isCancelled = true }),
        Row("a generation is asked about", generation, [.ask(generation.id)]),
        Row("not before its time", Jobs.with(generation) { $0.nextQuestionAt = later }, next: later),
        Row("nor at a provider without a key", Jobs.generation("r", at: .luma)),
        Row("nor once it has ended badly", Jobs.with(generation) { $0.error = JobTests.failed }),
        Row("nor once its files are known", Jobs.with(generation) { $0.files = link.files }, [fetch(generation)]),
        Row("a stored row is told", JobTests.stored(nil), [.tell(JobPlace(Jobs.row().id, 0))]),
        Row("a told one is done", JobTests.stored(.written)),
        Row("one that waits", Jobs.file(JobTests.stored(.waiting("503"))) { $0.nextAttemptAt = later }, next: later),
    ])
    func whatIsNext(_ row: Row) {
        let plan = Self.plan([row.job])
        #expect(plan.acts == row.acts && plan.safe == row.safe && plan.next == row.next)
    }

    /// No wait of these settings is as long: the clock was set back since.
    @Test(arguments: [(100.0, false), (101, true)])
    func whatLiesFartherThanAnyWaitIsDue(seconds: Double, isDue: Bool) {
        let job = Jobs.file(Self.link) { $0.nextAttemptAt = now + seconds }
        let plan = RescuePlan([job], providers: [], farthest: 100, at: now)
        #expect(plan.acts == (isDue ? [Self.fetch(Self.link)] : []))
        #expect(plan.next == (isDue ? nil : now + seconds))
    }

    @Test func withoutADatabaseNoRowIsTold() {
        #expect(Self.plan([JobTests.stored(nil)], hasRows: false).acts == [])
    }

    @Test func nothingUnderWayIsBegunTwice() {
        let acts = Self.plan([Self.link, Self.generation]).acts
        #expect(Self.plan([Self.link, Self.generation], busy: Set(acts)).acts == [])
    }

    @Test func onlySoManyQuestionsAreAskedAtOnce() {
        let jobs = (0..<20).map { Jobs.generation("\($0)") }
        let acts = Self.plan(jobs).acts
        #expect(acts.count == 8)
        #expect(Self.plan(jobs, busy: Set(acts.prefix(3))).acts.count == 5)
    }

    @Test func anEmptyBookWaitsForNothing() {
        #expect(Self.plan([]) == Self.plan([Jobs.file(Self.link) { $0.stage = .stored }]))
        #expect(Self.plan([]).next == nil)
    }
}
