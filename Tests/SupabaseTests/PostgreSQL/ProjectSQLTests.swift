import TestSupport
import Testing

@testable import Supabase

@Suite struct ProjectSQLTests {
    @Test func theFileHoldsTheVeryText() throws {
        #expect(try Project.text(of: "config/supabase/bucket.sql") == ProjectSQL.bucket("media"))
    }

    @Test(arguments: BucketRight.allCases)
    func theWholeHoldsEachPolicyAsItIsPrintedAlone(_ right: BucketRight) {
        #expect(ProjectSQL.bucket("b").contains(ProjectSQL.policy(right, bucket: "b")))
    }

    @Test func namesAreQuoted() {
        let sql = ProjectSQL.policy(.insert, bucket: "it's")
        #expect(sql.contains("\"gallery-sync insert it's\"") && sql.contains("bucket_id = 'it''s'"))
    }
}
