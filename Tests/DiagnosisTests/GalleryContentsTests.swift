import FoundationEssentials
import Supabase
import Testing

@testable import Diagnosis

/// A gallery against the limits of a bucket.
@Suite struct GalleryContentsTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let bucket: String
        let results: [String]
        var types = ["image/jpeg": 3, "video/mp4": 1]
    }

    @Test(arguments: [
        Row(testDescription: "no limits", bucket: "", results: ["kinds fine", "size limit fine"]),
        Row(
            testDescription: "every kind by patterns", bucket: #","allowed_mime_types":["image/*","video/mp4"]"#,
            results: ["kinds fine", "size limit fine"]),
        Row(
            testDescription: "no videos", bucket: #","allowed_mime_types":["image/*"]"#,
            results: ["kinds wrong video/mp4", "size limit fine"]),
        Row(
            testDescription: "an empty list means all", bucket: #","allowed_mime_types":[]"#,
            results: ["kinds fine", "size limit fine"]),
        Row(
            testDescription: "the largest just fits", bucket: #","file_size_limit":1000"#,
            results: ["kinds fine", "size limit fine"]),
        Row(
            testDescription: "one byte too many", bucket: #","file_size_limit":999"#,
            results: ["kinds fine", "size limit wrong"]),
        Row(testDescription: "nothing read yet", bucket: #","file_size_limit":9"#, results: [], types: [:]),
    ])
    func limits(_ row: Row) throws {
        let text = #"{"id":"m","name":"m","public":false\#(row.bucket)}"#
        let bucket = try JSONDecoder().decode(Bucket.self, from: Data(text.utf8))
        let findings = GalleryContents(types: row.types, largest: 1000).findings(bucket)
        let results = findings.map { finding in
            "\(finding.name) \(finding.result.rawValue)"
                + (finding.sentence.contains("not video/mp4") ? " video/mp4" : "")
        }
        #expect(results == row.results)
    }
}
