import TestSupport
import Testing

@testable import Supabase

@Suite struct ProjectSQLTests {
    private static func file(_ name: String) throws -> String {
        try Project.text(of: "config/supabase/" + name)
    }

    @Test func theFilesHoldTheVeryText() throws {
        #expect(try Self.file("bucket.sql") == ProjectSQL.bucket("media"))
        #expect(try Self.file("metadata.sql") == ProjectSQL.metadataTable("gallery_files"))
    }

    @Test(arguments: BucketRight.allCases)
    func theWholeHoldsEachPolicyAsItIsPrintedAlone(_ right: BucketRight) {
        #expect(ProjectSQL.bucket("b").contains(ProjectSQL.policy(right, bucket: "b")))
    }

    @Test func namesAreQuoted() {
        let sql = ProjectSQL.policy(.insert, bucket: "it's")
        #expect(sql.contains("\"gallery-sync insert it's\"") && sql.contains("bucket_id = 'it''s'"))
        #expect(ProjectSQL.metadataTable("a\"b").contains("public.\"a\"\"b\""))
    }
}
