import Configuration
import Diagnosis
import Supabase
import TestSupport
import Testing

@Suite struct RowLinkExaminationTests {
    @Test(
        arguments: [
            ("an address works in every bucket", .path, nil, nil, ""),
            ("and so does a signed link", .signed, nil, nil, ""),
            (
                "a public link in a public bucket", .public, .json(#"{"id":"b","name":"b","public":true}"#), .fine,
                "public"
            ),
            (
                "in a private one", .public, .json(#"{"id":"b","name":"b","public":false}"#), .wrong,
                "rescue.table.link is \"public\", but bucket \"b\" is not public, so no such link would work: "
                    + "set it to \"signed\", or make the bucket public and set destination.allowPublicBucket to true."
            ),
            (
                "in one that may not be seen", .public,
                .json(#"{"statusCode":"404","error":"Bucket not found","message":"Bucket not found"}"#, status: 400),
                .wrong, "bucket \"b\" is not public"
            ),
            ("where there is no answer", .public, .json("", status: 503), .doubtful, "the bucket cannot be looked at"),
        ] as [(String, Settings.RowLinkKind, ScriptedTransport.Answer?, Finding.Result?, String)])
    func whetherLinksInRowsWork(
        why: String, kind: Settings.RowLinkKind, bucket: ScriptedTransport.Answer?, result: Finding.Result?,
        words: String
    ) async {
        let transport = ScriptedTransport(bucket.map { [$0] } ?? [])
        var table = Settings().rescue.table
        table.link = kind
        let storage = StorageClient(
            endpoint: StorageEndpoint(base: "https://h/storage/v1"), credentials: StorageCredentials(key: "k"),
            transport: transport)
        let finding = await RowLinkExamination(storage: storage, bucket: "b", table: table).finding()
        #expect(
            finding?.result == result && finding?.sentence.contains(words) ?? true,
            "\(why): \(String(describing: finding))")
        #expect(transport.unusedAnswers == 0)
    }
}
