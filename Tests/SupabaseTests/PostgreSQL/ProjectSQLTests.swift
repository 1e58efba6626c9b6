import Foundation
import Testing

@testable import Supabase

@Suite struct ProjectSQLTests {
    private static func file(_ name: String) throws -> String {
        let project = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return try String(contentsOf: project.appendingPathComponent("config/supabase/" + name), encoding: .utf8)
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
