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

@testable import Catalog
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

    /// Gives the bench's file a receipt for `size` bytes with this hash, earned a minute ago.
    private static func earn(_ sha256: String, size: Int64, on bench: UploadBench) async throws -> Receipt {
        let (item, root) = (bench.item, try #require(try await bench.library.roots().first))
        try await bench.library.see(item, below: root)
        let before = Item(
            root: root.name, path: "a.jpg", role: .original, contentType: "image/jpeg", size: size, sha256: sha256,
            modifiedAt: item.modifiedAt, bucket: "media", objectKey: item.objectKey, now: Items.now - 60)
        let receipt = Receipt(
            destination: UploadBench.destination.name, key: before.objectKey, role: .original, item: before.id,
            sha256: sha256, size: size, objectID: "1", version: nil, eTag: "\"e\"", updatedAt: nil,
            verifiedAt: Items.now - 60, proof: .md5)
        try await bench.library.record([(receipt, before)])
        return receipt
    }

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
            let receipt = try await Self.earn(Self.former, size: 6, on: bench)
            _ = try await bench.sender.send(bench.item)
            #expect(
                bench.asked == [
                    "GET object/info/authenticated/media/Pictures/a.jpg", "POST object/media/Pictures/a.jpg",
                ])
            // What a process leaves that is killed after a later commit: the library as it is on the disk.
            try await bench.library.commit()
            let later = try Library(path: bench.folder.appending("library.sqlite"))
            let found = try await later.admission(
                of: Self.former, size: 6, as: [receipt.key], destination: UploadBench.destination.name,
                forcedAt: nil)
            #expect(found == admission)
        }
    }

    /// What the server says of an object with the file's bytes.
    private static func object(eTag: String) -> ScriptedTransport.Answer {
        .json(
            """
            {"id":"1","name":"Pictures/a.jpg","bucket_id":"media","size":7,"etag":"\\"\(eTag)\\"",\
            "metadata":{"path":"a.jpg","sha256":"\(SHA256.hash("content".utf8).hexadecimal)",\
            "mtime":"2026-11-20T10:00:00.000Z"}}
            """)
    }

    /// Whether the user asked for the bytes, whether a verification found the object wrong, and what the server says of
    /// it; whether bytes are sent.
    @Test(arguments: [
        (isForced: false, isWrong: false, eTag: "9a0364b9e99bb480dd25e1f0284c8555", isSent: false),
        (false, false, "00000000000000000000000000000000", true),
        (false, true, "9a0364b9e99bb480dd25e1f0284c8555", true),
        (true, false, "9a0364b9e99bb480dd25e1f0284c8555", true),
    ])
    func whatIsStoredIsSentAgainOnRequestOrIfItIsWrong(
        _ row: (isForced: Bool, isWrong: Bool, eTag: String, isSent: Bool)
    ) async throws {
        let answers = [Self.object(eTag: row.eTag), .json(#"{"Key":"media/Pictures/a.jpg","Id":"2"}"#)]
        try await UploadBench.with(answers, change: { $0.forcedAt = row.isForced ? Items.now : nil }) { bench in
            let receipt = try await Self.earn(bench.item.sha256, size: bench.item.size, on: bench)
            if row.isWrong {
                let wrong = Discrepancy(.different, of: receipt, isDeep: true)
                try await bench.library.remember(
                    [wrong], destination: receipt.destination, isComplete: true, wasDownloaded: { _ in false },
                    at: Items.now)
            }
            let sending = try await bench.sender.send(bench.item)
            #expect(sending.words == (row.isSent ? "uploaded" : "found"), "\(row)")
            #expect(bench.asked.count == (row.isSent ? 2 : 1))
        }
    }

    /// Nothing needed it when it was looked at; then the file whose content it is lost its own object to another file.
    @Test(arguments: [false, true])
    func whatIsALastCopyByNowIsNotDeleted(isLastCopy: Bool) async throws {
        try await UploadBench.with([.json(#"[{"name":"Pictures/a.jpg"}]"#)]) { bench in
            let receipt = try await Self.earn(Self.former, size: 6, on: bench)
            if isLastCopy {
                let root = try #require(try await bench.library.roots().first)
                try await bench.library.see(bench.item, below: root)
                let place = try #require(try await bench.library.place(of: receipt))
                try await bench.library.markLastCopy(receipt, besidesFileAt: place)
            }
            let deleted = try await bench.sender.delete([receipt.key], sparesLastCopies: true)
            #expect(deleted == (isLastCopy ? [] : [receipt.key]))
            #expect(bench.asked == (isLastCopy ? [] : ["DELETE object/media"]))
            let expected = try await bench.library.deletions(destination: receipt.destination)
            #expect(expected.map(\.key) == (isLastCopy ? [] : [receipt.key]))
        }
    }
}
