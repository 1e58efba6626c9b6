import TestSupport
import Testing

/// `webhooks.sql` on a real PostgreSQL: machines that claim at once, and leases that end.
@Suite(.serialized, .enabled(if: PostgresCluster.programs != nil, PostgresCluster.absence))
struct RescueInboxTests {
    typealias Fixture = SupabaseStandIn

    /// One cluster for all, since to make one takes longer than all that is tried in it.
    @Test func machinesShareTheInboxWithoutTakingTheSameRow() async throws {
        try await PostgresCluster.run { cluster in
            // Twice, since running it again must do no harm.
            let sql = try Project.text(of: "config/supabase/webhooks.sql")
            try await cluster.query(Fixture.schema + sql + sql)
            let facts = [
                Self.twoMachinesNeverTakeTheSameOne, Self.whatAnotherIsJustTakingIsPassedOver,
                Self.aLeaseThatEndedIsTheNextOnes, Self.anAgentGivesARowBack, Self.rowsAreTheirOwners,
                Self.senselessClaimsAreRefused,
            ]
            for fact in facts {
                try await fact(cluster)
                try await cluster.query("truncate rescue_inbox")
            }
        }
    }

    /// A call that adds a finished job.
    private static func received(_ job: String, owner: String? = nil) -> String {
        let owner = owner.map { ", p_owner => '\($0)'" } ?? ""
        return "select receive_rescue('fal', '\(job)', 'succeeded', '{\"url\": \"https://x\"}'\(owner));"
    }

    private static func twoMachinesNeverTakeTheSameOne(_ cluster: PostgresCluster) async throws {
        try await cluster.query(
            "do $$ begin for n in 1..200 loop perform receive_rescue('fal', n::text, 'succeeded'); end loop; end $$;"
                + "create table taken (id bigint, token uuid); grant insert on taken to service_role;")
        try await cluster.storm(
            "insert into taken select id, token from claim_rescues(7);", connections: 20, rounds: 3)
        let facts = """
            select count(*), count(distinct id), count(distinct token) from taken;
            select min(claims), max(claims) from rescue_inbox;
            select count(*) from taken natural join rescue_inbox;
            """
        #expect(try await cluster.query(facts) == ["200|200|200", "1|1", "200"])
    }

    /// A prepared transaction keeps its rows locked, like a machine that is just claiming.
    private static func whatAnotherIsJustTakingIsPassedOver(_ cluster: PostgresCluster) async throws {
        let results = try await cluster.query(
            (1...3).map { received("\($0)") }.joined() + """
                begin; select provider_job from claim_rescues(2) order by 1; prepare transaction 'claiming';
                set lock_timeout = '1ms';
                select provider_job from claim_rescues(3);
                select count(*) from claim_rescues(3);
                rollback prepared 'claiming';
                select provider_job from claim_rescues(3) order by 1;
                """)
        #expect(results == ["t", "t", "t", "1", "2", "3", "0", "1", "2"])
    }

    private static func aLeaseThatEndedIsTheNextOnes(_ cluster: PostgresCluster) async throws {
        let results = try await cluster.query(
            received("1") + received("1") + """
                create temporary table claim as select 'first' as machine, token from claim_rescues();
                select count(*) from claim_rescues();
                update rescue_inbox set lease_until = now() - interval '1 second';
                insert into claim select 'second', token from claim_rescues();
                select renew_rescue(token) from claim where machine = 'first';
                select finish_rescue(token, 'media/x.mp4') from claim where machine = 'first';
                select renew_rescue(token, '1 hour') from claim where machine = 'second';
                select finish_rescue(token, 'media/x.mp4') from claim where machine = 'second';
                select finish_rescue(token, 'media/x.mp4') from claim where machine = 'second';
                select claims, object_key, payload is null from rescue_inbox;
                select count(*) from claim_rescues();
                """ + received("1"))
        #expect(results == ["t", "f", "0", "f", "f", "t", "t", "t", "2|media/x.mp4|t", "0", "f"])
    }

    /// PostgREST passes arguments by name and text, as the agent sends them.
    private static func anAgentGivesARowBack(_ cluster: PostgresCluster) async throws {
        let results = try await cluster.query(
            received("1") + """
                create temporary table mine as
                select token from claim_rescues(p_limit => 10, p_lease => '600 seconds');
                select renew_rescue(p_token => token, p_lease => '1 seconds') from mine;
                select lease_until < now() + interval '2 seconds' from rescue_inbox;
                update rescue_inbox set lease_until = now();
                select count(*) from claim_rescues(p_limit => 10, p_lease => '600 seconds');
                select renew_rescue(p_token => token, p_lease => '600 seconds') from mine;
                select finish_rescue(p_token => token, p_object_key => null) from mine;
                """)
        #expect(results == ["t", "t", "t", "1", "f", "f"])
    }

    /// A statement of a user, and its result: a number of rows, or `denied`.
    private static let rows: [(what: String, statement: String, role: String, user: String, result: String)] = [
        ("she sees hers", "select * from public.rescue_inbox", "authenticated", Fixture.ada, "1"),
        ("she claims hers", "select * from public.claim_rescues()", "authenticated", Fixture.ada, "1"),
        ("another sees none of hers", "select * from public.claim_rescues()", "authenticated", Fixture.bob, "0"),
        ("a sign-in without a user sees none", "select * from public.rescue_inbox", "authenticated", "", "0"),
        ("the service role claims all", "select * from public.claim_rescues()", "service_role", "", "2"),
        ("nothing is seen without a sign-in", "select * from public.rescue_inbox", "anon", "", "denied"),
        ("nothing is claimed without one", "select * from public.claim_rescues()", "anon", "", "denied"),
        ("only the webhook writes", String(received("9").dropLast()), "authenticated", Fixture.ada, "denied"),
        (
            "she gives hers to none", "update public.rescue_inbox set owner = null", "authenticated", Fixture.ada,
            "denied"
        ),
        ("she deletes none", "delete from public.rescue_inbox", "authenticated", Fixture.ada, "denied"),
    ]

    private static func rowsAreTheirOwners(_ cluster: PostgresCluster) async throws {
        try await cluster.query(received("1", owner: Fixture.ada) + received("2"))
        for row in rows {
            let result = try await cluster.query(Fixture.attempt(row.statement, as: row.role, row.user))
            #expect(result == [row.result], "\(row.what)")
        }
    }

    private static func senselessClaimsAreRefused(_ cluster: PostgresCluster) async throws {
        for words in ["0", "101", "10, '0 s'", "10, '2 days'"] {
            await #expect(throws: PostgresCluster.Failure.self, "\(words)") {
                try await cluster.query("select claim_rescues(\(words))")
            }
        }
    }
}
