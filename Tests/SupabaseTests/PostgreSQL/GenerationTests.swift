import TestSupport
import Testing

/// `generation.sql` on a real PostgreSQL: many orders at once, double clicks, timeouts and kills.
@Suite(.serialized, .enabled(if: PostgresCluster.programs != nil, PostgresCluster.absence))
struct GenerationTests {
    typealias Fixture = SupabaseStandIn

    /// One cluster for all, since to make one takes longer than all that is tried in it.
    @Test func creditsAreNeverBelowZeroAndEachJobIsChargedAndRefundedOnce() async throws {
        try await PostgresCluster.run { cluster in
            // Twice, since running it again must do no harm.
            let sql = try ["webhooks", "generation"].map { try Project.text(of: "config/supabase/\($0).sql") }.joined()
            try await cluster.query(Fixture.schema + sql + sql)
            let facts = [
                Self.aHundredOrdersAtOnceSpendWhatIsThere, Self.ordersClickedTwiceAreChargedOnce,
                Self.theQuotaHoldsForOrdersAtOnce, Self.aHundredRefundsAtOnceAreOneAJob,
                Self.aTimeoutChargesNothingAndLeavesTheKeyFree, Self.aPurchaseIsGrantedOnce,
                Self.aFileThatCouldNotBeHadIsRefundedButNotOnItsUsersWord, Self.onlyTheFunctionsWriteCredits,
                Self.killedConnectionsAndAKilledServerChangeNothing,
            ]
            for fact in facts {
                try await cluster.query(Self.reset)
                try await fact(cluster)
                #expect(try await cluster.query(Self.unsound) == ["0", "0"])
            }
        }
    }

    /// Ada has 120 credits, Bob 0; the model costs 4.
    private static let reset = """
        alter table generation_log disable trigger user;
        truncate rescue_inbox, generation_log, generation_jobs, generation_accounts, generation_models;
        alter table generation_log enable trigger user;
        insert into generation_models values ('veo', 'fal', 'fal-ai/veo3.1', 4);
        insert into generation_accounts values ('\(Fixture.ada)', 0, 1000), ('\(Fixture.bob)', 0, 1000);
        select grant_credits('\(Fixture.ada)', 120, 'purchase 1');
        """

    /// Accounts, then jobs, that do not agree with the log: there are never any.
    private static let unsound = """
        select count(*) from generation_accounts a where credits < 0 or credits <> (
            select coalesce(sum(change), 0) from generation_log l where l.user_id = a.user_id);
        select count(*) from generation_jobs j where (
            select array_agg(change order by id) from generation_log where job_id = j.id) is distinct from
            case when status = 'failed' then array[-price, price] else array[-price] end;
        """

    /// Jobs, what is left, and the least that ever was.
    private static let sums = """
        select (select count(*) from generation_jobs), a.credits, (select min(balance) from generation_log)
        from generation_accounts a where user_id = '\(Fixture.ada)';
        """

    /// An order of Ada's; the same `number` is the same click.
    private static func order(_ number: String) -> String {
        "select order_generation('\(Fixture.ada)', md5((\(number))::text)::uuid, 'veo', 'a cat')"
    }

    private static func aHundredOrdersAtOnceSpendWhatIsThere(_ cluster: PostgresCluster) async throws {
        try await cluster.storm(order(":client_id") + ";", connections: 100)
        #expect(try await cluster.query(sums) == ["30|0|0"])
    }

    private static func ordersClickedTwiceAreChargedOnce(_ cluster: PostgresCluster) async throws {
        try await cluster.storm(order(":client_id % 20") + ";", connections: 100)
        #expect(try await cluster.query(sums) == ["20|40|40"])
    }

    private static func theQuotaHoldsForOrdersAtOnce(_ cluster: PostgresCluster) async throws {
        try await cluster.query("update generation_accounts set hourly_limit = 3")
        try await cluster.storm(order(":client_id") + ";", connections: 100)
        #expect(try await cluster.query(sums) == ["3|108|108"])
        let later = """
            update generation_jobs set ordered_at = now() - interval '1 hour' where id = (
                select min(id::text)::uuid from generation_jobs);
            \(order("'later'")) ->> 'outcome'; \(order("'even later'")) ->> 'outcome';
            """
        #expect(try await cluster.query(later) == ["ordered", "quota"])
    }

    private static func aHundredRefundsAtOnceAreOneAJob(_ cluster: PostgresCluster) async throws {
        try await cluster.query((1...10).map { order("\($0)") + ";" }.joined())
        try await cluster.storm(
            """
            select count(fail_generation(id, 'refused')) from (
                select id from generation_jobs order by id offset :client_id % 10 limit 1) as one;
            select expire_generations();
            """, connections: 100)
        #expect(try await cluster.query(sums) == ["10|120|80"])
    }

    /// A prepared transaction holds its locks, like an order that is stuck half-way.
    private static func aTimeoutChargesNothingAndLeavesTheKeyFree(_ cluster: PostgresCluster) async throws {
        let results = try await cluster.query(
            """
            create function pg_temp.attempt(number text) returns text language plpgsql as $$ begin
                return \(order("number").dropFirst("select ".count)) ->> 'outcome';
            exception when lock_not_available or query_canceled then return 'timeout'; end $$;
            begin; \(order("'a'")) ->> 'outcome'; prepare transaction 'half';
            set lock_timeout = '5ms';
            select pg_temp.attempt('a'); select pg_temp.attempt('b');
            set lock_timeout = 0; set statement_timeout = '5ms';
            select pg_temp.attempt('b');
            set statement_timeout = 0;
            select count(*) from generation_jobs;
            commit prepared 'half';
            select pg_temp.attempt('a'); select pg_temp.attempt('b');
            begin; \(order("'c'")) ->> 'outcome'; prepare transaction 'half'; rollback prepared 'half';
            select pg_temp.attempt('c');
            """ + sums)
        let words = "ordered timeout timeout timeout 0 replay ordered ordered ordered 3|108|108"
        #expect(results == words.split(separator: " ").map(String.init))
    }

    private static func aPurchaseIsGrantedOnce(_ cluster: PostgresCluster) async throws {
        try await cluster.storm(
            "select grant_credits('\(Fixture.bob)', 5, 'purchase ' || 2 + :client_id % 4);", connections: 40)
        let left = "select credits from generation_accounts where user_id = '\(Fixture.bob)'"
        #expect(try await cluster.query(left) == ["20"])
    }

    private static func aFileThatCouldNotBeHadIsRefundedButNotOnItsUsersWord(_ cluster: PostgresCluster) async throws {
        func lost(_ number: Int, role: String) -> String {
            """
            \(order("\(number)"));
            select start_generation(id, '\(number)') from generation_jobs where status = 'pending';
            select receive_rescue('fal', '\(number)', 'succeeded', '{}');
            set role \(role); set request.jwt.claim.sub = '\(Fixture.ada)';
            create temporary table result_\(number) as select finish_rescue(token) from claim_rescues();
            reset role;

            """
        }
        try await cluster.query(lost(1, role: "service_role") + lost(2, role: "authenticated"))
        let jobs = try await cluster.query("select status, error from generation_jobs order by provider_job")
        let error = "Reported as lost; to be checked."
        #expect(jobs == ["failed|The finished file could not be fetched.", "processing|\(error)"])
    }

    /// A statement of a user, and its result: a number of rows, or `denied`.
    private static let rows: [(what: String, statement: String, role: String, user: String, result: String)] = [
        ("she sees her account", "select * from public.generation_accounts", "authenticated", Fixture.ada, "1"),
        ("she sees her jobs", "select * from public.generation_jobs", "authenticated", Fixture.ada, "1"),
        ("she sees what was charged", "select * from public.generation_log", "authenticated", Fixture.ada, "2"),
        ("another sees none of hers", "select * from public.generation_jobs", "authenticated", Fixture.bob, "0"),
        ("nor what she paid", "select * from public.generation_log", "authenticated", Fixture.bob, "0"),
        ("all see the models", "select * from public.generation_models", "authenticated", Fixture.bob, "1"),
        ("nothing without a sign-in", "select * from public.generation_models", "anon", "", "denied"),
        (
            "she gives herself no credits", "update public.generation_accounts set credits = 99", "authenticated",
            Fixture.ada, "denied"
        ),
        (
            "nor by a grant", "select public.grant_credits('\(Fixture.ada)', 9, 'x')", "authenticated", Fixture.ada,
            "denied"
        ),
        (
            "nor by a refund", "select public.fail_generation(id, '') from public.generation_jobs", "authenticated",
            Fixture.ada, "denied"
        ),
        (
            "nor through what the functions use",
            "select public.change_credits('\(Fixture.ada)', 9, 'grant', null, 'x')",
            "service_role", "", "denied"
        ),
        (
            "orders come through the edge function", "select public." + order("1").dropFirst("select ".count),
            "authenticated", Fixture.ada, "denied"
        ),
        ("the service role sees all", "select * from public.generation_accounts", "service_role", "", "2"),
        (
            "and writes none of it", "update public.generation_accounts set credits = 99", "service_role", "",
            "denied"
        ),
        ("nor the log", "delete from public.generation_log", "service_role", "", "denied"),
    ]

    private static func onlyTheFunctionsWriteCredits(_ cluster: PostgresCluster) async throws {
        try await cluster.query(order("1"))
        for row in rows {
            let result = try await cluster.query(Fixture.attempt(row.statement, as: row.role, row.user))
            #expect(result == [row.result], "\(row.what)")
        }
        for change in ["update generation_log set change = 1", "delete from generation_log", "truncate generation_log"]
        {
            await #expect(throws: PostgresCluster.Failure.self, "\(change)") { try await cluster.query(change) }
        }
    }

    /// Orders and refunds by 100 connections, of which some die all the time, and at last the server by `SIGKILL`.
    private static func killedConnectionsAndAKilledServerChangeNothing(_ cluster: PostgresCluster) async throws {
        try await cluster.query("select grant_credits('\(Fixture.ada)', 10000, 'much')")
        let storm = """
            \\set n random(1, 150)
            \(order(":n"));
            select fail_generation(id, 'killed') from generation_jobs where idempotency_key = md5((:n / 3 * 3)::text)::uuid;
            """
        // More rounds than are ever reached: the kill of the server is what ends them.
        async let orders: Void = cluster.storm(storm, connections: 100, rounds: 100_000, mayBreak: true)
        let running = "from pg_stat_activity where application_name = 'pgbench'"
        try await eventually("100 connections order") {
            try await cluster.query("select count(*) \(running)") == ["100"]
        }
        let some = "\(running) order by random() limit"
        for _ in 1...12 { try await cluster.query("select pg_terminate_backend(pid) \(some) 6") }
        try await eventually("the server was killed") {
            guard let backend = try await cluster.query("select pid \(some) 1").first else { return false }
            // One that just ended by itself is no longer there to be killed.
            return (try? await cluster.kill(backend)) != nil
        }
        try await orders
        try await eventually("PostgreSQL has recovered") { (try? await cluster.query("select 1")) == ["1"] }
        #expect(try await cluster.query(unsound) == ["0", "0"])
        try await cluster.query("do $$ begin for n in 1..150 loop perform \(order("n").dropFirst(7)); end loop; end $$")
        #expect(try await cluster.query("select count(*) from generation_jobs") == ["150"])
    }
}
