import TestSupport
import Testing

@testable import Supabase

/// The SQL for projects, tried on a real PostgreSQL.
@Suite(.serialized, .enabled(if: PostgresCluster.programs != nil, PostgresCluster.absence))
struct PolicyTests {
    typealias Fixture = SupabaseStandIn

    /// A project with this bucket and table, and one object of each user.
    private static func project(_ sql: String) -> String {
        Fixture.schema + sql + Fixture.object("\(Fixture.ada)/a.jpg", in: "media", of: Fixture.ada)
            + Fixture.object("\(Fixture.bob)/b.jpg", in: "media", of: Fixture.bob)
            + "insert into storage.buckets (id, name) values ('other', 'other');\n"
            + Fixture.object("\(Fixture.ada)/a.jpg", in: "other", of: Fixture.ada)
    }

    /// A statement of a user, and its result: a number of rows, or `denied`.
    private struct Row {
        let what: String
        var role = "authenticated"
        var user = SupabaseStandIn.ada
        let statement: String
        let result: String

        init(
            _ what: String, _ statement: String, _ result: String, role: String = "authenticated",
            user: String = SupabaseStandIn.ada
        ) {
            (self.what, self.statement, self.result, self.role, self.user) = (what, statement, result, role, user)
        }
    }

    private static let rows: [Row] = [
        Row("she sees her objects only", "select * from storage.objects", "1"),
        Row("no one's are visible without a sign-in", "select * from storage.objects", "0", role: "anon"),
        Row("the service role sees all", "select * from storage.objects", "3", role: "service_role", user: ""),
        Row("she stores below her folder", insert("\(Fixture.ada)/x/new.jpg"), "1"),
        Row("not below another's", insert("\(Fixture.bob)/new.jpg"), "denied"),
        Row("not beside the folders", insert("new.jpg"), "denied"),
        Row("not under a name that only begins like hers", insert("\(Fixture.ada)x/new.jpg"), "denied"),
        Row("not in another bucket", insert("\(Fixture.ada)/new.jpg", in: "other"), "denied"),
        Row("no one without a sign-in stores", insert("\(Fixture.ada)/new.jpg"), "denied", role: "anon", user: ""),
        Row("a sign-in without a user stores nothing", insert("/new.jpg"), "denied", user: ""),
        Row("she replaces hers", Fixture.upsert("\(Fixture.ada)/a.jpg"), "1"),
        Row("not another's", Fixture.upsert("\(Fixture.bob)/b.jpg"), "denied"),
        Row("she moves below her folder", "update storage.objects set name = '\(Fixture.ada)/c.jpg'", "1"),
        Row("not to another's", "update storage.objects set name = '\(Fixture.bob)/c.jpg'", "denied"),
        Row("she deletes hers only", "delete from storage.objects", "1"),
        Row("no one without a sign-in deletes", "delete from storage.objects", "0", role: "anon"),
        Row("she sees the bucket", "select * from storage.buckets", "1"),
        Row("she cannot make it public", "update storage.buckets set public = true", "0"),
        Row("no one else sees it", "select * from storage.buckets", "0", role: "anon"),
    ]

    private static func insert(_ name: String, in bucket: String = "media") -> String {
        "insert into storage.objects (bucket_id, name) values ('\(bucket)', '\(name)')"
    }

    @Test func aUserHasHerOwnFolderAndNothingElse() async throws {
        try await PostgresCluster.run { cluster in
            // Twice, since running it again must do no harm.
            let sql = ProjectSQL.bucket("media")
            try await cluster.query(Self.project(sql + sql))
            let results = try await cluster.query(
                Self.rows.map { Fixture.attempt($0.statement, as: $0.role, $0.user) }.joined())
            for (row, result) in zip(Self.rows, results) { #expect(result == row.result, "\(row.what)") }
            #expect(results.count == Self.rows.count)
            try await Self.replacingNeedsAllThree(cluster)
            try await Self.otherNamesAreQuoted(cluster)
            try await Self.metadataRowsAreOnesOwn(cluster)
        }
    }

    /// With some of the policies only, by the statements that `doctor` prints.
    private static func replacingNeedsAllThree(_ cluster: PostgresCluster) async throws {
        let needed: [BucketRight] = [.insert, .select, .update]
        for mask in 0..<8 {
            let given = needed.indices.filter { mask >> $0 & 1 == 1 }.map { needed[$0] }
            let script =
                BucketRight.allCases.map {
                    "drop policy if exists \"gallery-sync \($0.rawValue) media\" on storage.objects;\n"
                } + given.map { ProjectSQL.policy($0, bucket: "media") + "\n" }
                + [Fixture.attempt(Fixture.upsert("\(Fixture.ada)/a.jpg"), as: "authenticated", Fixture.ada)]
            let result = try await cluster.query(script.joined())
            #expect(result == [given.count == 3 ? "1" : "denied"], "\(given)")
        }
    }

    private static func otherNamesAreQuoted(_ cluster: PostgresCluster) async throws {
        let long = String(repeating: "b", count: 90)
        for bucket in ["it's \"mine\"", long + "1", long + "2"] {
            try await cluster.query(ProjectSQL.bucket(bucket))
        }
        let policies = try await cluster.query("select count(*) from pg_policies where policyname like '% bbb%'")
        #expect(policies == ["10"])
    }

    private static func metadataRowsAreOnesOwn(_ cluster: PostgresCluster) async throws {
        let sql = try Project.text(of: "config/supabase/metadata.sql")
        func row(_ user: String) -> String {
            """
            insert into public.gallery_files (bucket, object_key, path, sha256, size, content_type, modified_at, stored_at)
            values ('media', '\(user)/P/a.jpg', 'P/a.jpg', 'ab', 5, 'image/jpeg', now(), now())
            on conflict (bucket, object_key) do update set size = excluded.size
            """
        }
        let all = "select * from public.gallery_files"
        let results = try await cluster.query(
            sql + sql + row(Fixture.ada) + ";" + row(Fixture.bob) + ";"
                + Fixture.attempt(all, as: "authenticated", Fixture.ada)
                + Fixture.attempt(row(Fixture.ada), as: "authenticated", Fixture.ada)
                + Fixture.attempt(row(Fixture.bob), as: "authenticated", Fixture.ada) + Fixture.attempt(all, as: "anon")
                + Fixture.attempt(all, as: "service_role"))
        #expect(results == ["1", "1", "denied", "denied", "2"])
    }
}
