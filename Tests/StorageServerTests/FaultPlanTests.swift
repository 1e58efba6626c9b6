import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct FaultPlanTests {
    private static func request(_ method: String = "GET", _ target: String = "/object/b/k") -> Request {
        Request(method: method, target: target)
    }

    @Test(
        arguments: [
            Fact("everything", (nil, nil, "GET", "/x"), true), Fact("the method", ("GET", nil, "GET", "/x"), true),
            Fact("another method", ("PUT", nil, "GET", "/x"), false),
            Fact("the path", (nil, "/x", "GET", "/x?y"), true),
            Fact("a longer path", (nil, "/x", "GET", "/x/y"), false),
            Fact("what follows", (nil, "/x*", "GET", "/x/y/z"), true),
            Fact("a gap", (nil, "/*/k", "GET", "/a/b/k"), true), Fact("no gap", (nil, "/*/k", "GET", "/a/b/l"), false),
            Fact("two gaps", (nil, "/a*b*c", "GET", "/a-b-b-c"), true),
            Fact("behind a gateway's prefix", (nil, "/object/*", "GET", "/storage/v1/object/b/k"), true),
            Fact("sign-in", (nil, "/auth/*", "POST", "/auth/v1/token"), true),
        ] as [Fact<(String?, String?, String, String), Bool>])
    func whatARuleIsAbout(_ fact: Fact<(String?, String?, String, String), Bool>) {
        let rule = FaultRule(.reset(after: 0), method: fact.input.0, path: fact.input.1)
        #expect(rule.matches(Self.request(fact.input.2, fact.input.3)) == fact.output)
    }

    /// Which of a hundred requests are hit.
    private func hits(_ plan: FaultPlan) -> [Int] {
        (0..<100).filter { _ in plan.fault(for: Self.request()) != nil }
    }

    @Test func theSameSeedHitsTheSameRequests() {
        let rule = FaultRule(.reset(after: 0), rate: 0.3)
        let first = hits(FaultPlan(seed: 7, [rule]))
        #expect(first == hits(FaultPlan(seed: 7, [rule])))
        #expect(first != hits(FaultPlan(seed: 8, [rule])))
        #expect((15...45).contains(first.count))
        // Another rule before it changes nothing.
        #expect(hits(FaultPlan(seed: 7, [FaultRule(.reset(after: 0), rate: 0), rule])) != [])
    }

    @Test(arguments: [
        Fact("none", FaultRule(.reset(after: 0), rate: 0), []),
        Fact("all", FaultRule(.reset(after: 0)), Array(0..<100)),
        Fact("so many", FaultRule(.reset(after: 0), times: 3), [0, 1, 2]),
        Fact("none of them", FaultRule(.reset(after: 0), times: 0), []),
        Fact("after some", FaultRule(.reset(after: 0), skip: 98), [98, 99]),
        Fact("so many after some", FaultRule(.reset(after: 0), skip: 4, times: 2), [4, 5]),
        Fact("after more than there are", FaultRule(.reset(after: 0), skip: 100), []),
    ])
    func aRuleHits(_ fact: Fact<FaultRule, [Int]>) {
        let plan = FaultPlan([fact.input])
        #expect(hits(plan) == fact.output)
        #expect(plan.hits == [fact.output.count])
    }

    @Test func slowingAddsUpAndOneRuleBreaks() {
        let plan = FaultPlan([
            FaultRule(.latency(.seconds(1))), FaultRule(.bandwidth(9)), FaultRule(.truncate(after: 4)),
            FaultRule(.reset(after: 5)),
        ])
        guard case .late(.seconds(1), .slow(_, .cutAnswer(4))) = plan.fault(for: Self.request()) else {
            return #expect(Bool(false))
        }
        #expect(plan.hits == [1, 1, 1, 0])
    }

    @Test func aStatusKnowsTheResumableEndpoint() async throws {
        let plan = FaultPlan([FaultRule(.status(409))])
        for (target, status) in [("/storage/v1/upload/resumable/x", 409), ("/object/b/k", 400)] {
            guard case .answer(let response) = plan.fault(for: Self.request("PATCH", target)) else {
                return #expect(Bool(false))
            }
            #expect(response.status == status)
        }
    }

    // MARK: Files

    private static func plan(_ text: String) throws(FaultPlanError) -> FaultPlan {
        try FaultPlan(json5: Array(text.utf8))
    }

    @Test func aFileHasEveryEffect() throws {
        let plan = try Self.plan(
            """
            // slow, and then some
            {seed: 3, rules: [
                {latency: 0.5}, {bandwidth: 1000, method: 'PUT'},
                {path: "/upload/*", rate: 0.25, skip: 3, times: 2, status: 503, retryAfter: 4, body: "<p>", clock: -60},
                {reset: 10}, {truncate: 0}, {stall: 2.5, after: 7},
            ]}
            """)
        let expected = [
            FaultRule(.latency(.milliseconds(500))), FaultRule(.bandwidth(1000), method: "PUT"),
            FaultRule(
                .status(503, retryAfter: 4, body: "<p>", clock: -60), path: "/upload/*", rate: 0.25, skip: 3, times: 2),
            FaultRule(.reset(after: 10)), FaultRule(.truncate(after: 0)),
            FaultRule(.stall(after: 7, .milliseconds(2500))),
        ]
        #expect(plan.rules == expected)
        #expect(plan.seed == 3)
    }

    @Test(arguments: [
        ("{}", "there is no list of \"rules\""), ("{rules: [], seed: 'x'}", "\"seed\" must be a whole number"),
        ("{rules: [1]}", "rule 1: is no object"),
        ("{rules: [{}]}", "rule 1: needs exactly one of latency, bandwidth, status, reset, truncate, stall"),
        (
            "{rules: [{reset: 1}, {reset: 1, stall: 1}]}",
            "rule 2: needs exactly one of latency, bandwidth, status, reset, truncate, stall"
        ),
        ("{rules: [{reset: 1, rate: 1.5}]}", "rule 1: \"rate\" must be a number from 0.0 to 1.0"),
        ("{rules: [{reset: -1}]}", "rule 1: \"reset\" must be a number from 0.0 to 1000000000000000.0"),
        ("{rules: [{reset: 1, method: 1}]}", "rule 1: \"method\" must be a text"),
        (
            "{rules: [{status: 503, clock: 'fast'}]}",
            "rule 1: \"clock\" must be a number from -1000000000.0 to 1000000000.0"
        ),
        ("{rules: [{status: 600}]}", "rule 1: \"status\" must be a number from 100.0 to 599.0"),
        ("{rules: [{bandwidth: 0}]}", "rule 1: \"bandwidth\" must be a number from 1.0 to 1000000000000.0"),
        ("{rules: [{latency: 3601}]}", "rule 1: \"latency\" must be a number from 0.0 to 3600.0"),
        ("{rules: [{stall: 1, after: null}]}", "rule 1: \"after\" must be a number from 0.0 to 1000000000000000.0"),
    ])
    func aFileThatIsRefused(text: String, reason: String) {
        let error = #expect(throws: FaultPlanError.self) { try Self.plan(text) }
        #expect(error?.description == reason)
    }

    @Test func anUnknownNameIsNamed() {
        let error = #expect(throws: FaultPlanError.self) { try Self.plan("{rules: [{lag: 1}]}") }
        #expect(error?.description.hasPrefix("rule 1: \"lag\" is unknown; a rule has latency,") == true)
        #expect(throws: FaultPlanError.self) { try Self.plan("no") }
    }
}
