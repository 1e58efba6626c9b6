import Catalog
import Configuration
import Fixtures
import Foundation
import Platform
import Queue
import Records
import Roots
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Uploading

/// A changed file goes over the object of what it was, and the agent may end at any moment.
@Suite struct ReplacingTests {
    private static let former = SHA256.hash("former".utf8).hexadecimal

    /// What the server says of the object of the former bytes.
    private static let info = ScriptedTransport.Answer.json(
        """
        {"id":"1","name":"Pictures/a.jpg","bucket_id":"media","size":6,"etag":"\\"e\\"",\
        "metadata":{"path":"a.jpg","sha256":"\(former)","mtime":"2026-11-20T10:00:00.000Z"}}
        """)

    /// How the upload ends, and whether the receipt of the former bytes counts if the agent is killed after it, and the
    /// file is as it was.
    @Test(arguments: [
        (ScriptedTransport.Answer.json(#"{"Key":"media/Pictures/a.jpg","Id":"2"}"#), AssetAdmission.doubtful),
        (.failure(TransferError(.lost, "words", mayHaveArrived: true)), .doubtful),
        (.failure(TransferError(.unreachable, "words", mayHaveArrived: false)), .stored),
    ])
    func theFormerReceiptCountsOnlyWhereNothingWasTaken(
        _ answer: ScriptedTransport.Answer, _ admission: AssetAdmission
    ) async throws {
        try await UploadBench.with([Self.info, answer]) { bench in
            let root = try #require(try await bench.library.roots().first)
            try await bench.library.see(bench.item, below: root)
            let item = bench.item
            let before = Item(
                root: root.name, path: "a.jpg", role: .original, contentType: "image/jpeg", size: 6,
                sha256: Self.former, modifiedAt: item.modifiedAt, bucket: "media", objectKey: item.objectKey,
                now: Items.now - 60)
            let receipt = Receipt(
                destination: UploadBench.destination.name, key: before.objectKey, role: .original, item: before.id,
                sha256: before.sha256, size: before.size, objectID: "1", version: nil, eTag: "\"e\"", updatedAt: nil,
                verifiedAt: Items.now - 60, proof: .md5)
            try await bench.library.record([(receipt, before)])
            _ = try await bench.sender.send(bench.item)
            #expect(
                bench.asked == [
                    "GET object/info/authenticated/media/Pictures/a.jpg", "POST object/media/Pictures/a.jpg",
                ])
            // What a process leaves that is killed after a later commit: the library as it is on the disk.
            try await bench.library.commit()
            let later = try Library(path: bench.folder.appending("library.sqlite"))
            let found = try await later.admission(
                of: Self.former, size: 6, as: [before.objectKey], destination: UploadBench.destination.name,
                forcedAt: nil)
            #expect(found == admission)
        }
    }
}
