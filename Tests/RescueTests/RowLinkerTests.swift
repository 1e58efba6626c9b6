import Configuration
import Fixtures
import Foundation
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Rescue

@Suite struct RowLinkerTests {
    private static func linker(_ kind: Settings.RowLinkKind, _ transport: ScriptedTransport) -> RowLinker {
        var table = Settings().rescue.table
        table.link = kind
        return RowLinker(
            storage: StorageClient(
                endpoint: StorageEndpoint(base: "https://h/storage/v1"), credentials: StorageCredentials(key: "k"),
                transport: transport), bucket: "b", table: table
        ) { Jobs.now }
    }

    private static func stored(_ number: Int, picture: Bool = false) -> JobFile {
        Jobs.file(Jobs.row()) { file in
            file.stage = .stored
            file.objectKey = "generated/\(number).mp4"
            file.storedURL = "https://h/address/\(number).mp4"
            if picture {
                file.thumbnailKey = "pictures/\(number).jpg"
                file.thumbnailURL = "https://h/address/\(number).jpg"
            }
        }.files[0]
    }

    /// The answer of the service to a list of `count` keys.
    private static func signed(_ count: Int) -> ScriptedTransport.Answer {
        let items = (0..<count).map { #"{"error":null,"path":"","signedURL":"/object/sign/b/x?token=t\#($0)"}"# }
        return .json("[" + items.joined(separator: ",") + "]")
    }

    private static func bucket(_ isPublic: Bool) -> ScriptedTransport.Answer {
        .json(#"{"id":"b","name":"b","public":\#(isPublic)}"#)
    }

    @Test func filesAndTheirPicturesAreSignedInOneRequest() async throws {
        let transport = ScriptedTransport([Self.signed(4)])
        let answers = try await Self.linker(.signed, transport).links(
            to: (0..<2).map { Self.stored($0, picture: true) })
        let term = RowLink.Term(from: Jobs.now, seconds: 7 * 86_400)
        let start = "https://h/storage/v1/object/sign/b"
        #expect(
            answers
                == (0..<2).map {
                    .link(
                        RowLink(
                            url: "\(start)/generated/\($0).mp4?token=t\($0)",
                            thumbnail: "\(start)/pictures/\($0).jpg?token=t\($0 + 2)", term: term))
                })
        #expect(transport.requests.map(\.url) == ["https://h/storage/v1/object/sign/b"])
        let keys = #"["generated/0.mp4","generated/1.mp4","pictures/0.jpg","pictures/1.jpg"]"#
        guard case .bytes(let sent)? = transport.requests.first?.body else {
            Issue.record("nothing was asked")
            return
        }
        #expect(String(decoding: sent, as: UTF8.self) == #"{"expiresIn":604800,"paths":\#(keys)}"#)
    }

    @Test func aRequestSignsAThousandAtMost() async throws {
        let transport = ScriptedTransport([Self.signed(1_000), Self.signed(1)])
        let answers = try await Self.linker(.signed, transport).links(to: (0..<1_001).map { Self.stored($0) })
        #expect(answers.count == 1_001 && Set(answers).count == 1_001 && transport.unusedAnswers == 0)
    }

    @Test func whatIsNotThereAnyMoreLeavesItsRow() async throws {
        let answer = #"[{"error":"Either the object does not exist or you do not have access to it","signedURL":null}]"#
        let answers = try await Self.linker(.signed, ScriptedTransport([.json(answer)])).links(to: [Self.stored(1)])
        #expect(
            answers == [.none(.left("storage does not have the file any more, or this sign-in may not read it"))])
    }

    @Test(
        arguments: [
            ("an address needs no question", .path, [], false, "https://h/address/1.mp4", nil),
            ("nor does that of a picture", .path, [], true, "https://h/address/1.mp4", "https://h/address/1.jpg"),
            (
                "a public link leads to a public bucket", .public, [bucket(true)], false,
                "https://h/storage/v1/object/public/b/generated/1.mp4", nil
            ),
            (
                "as does its picture's", .public, [bucket(true)], true,
                "https://h/storage/v1/object/public/b/generated/1.mp4",
                "https://h/storage/v1/object/public/b/pictures/1.jpg"
            ),
        ] as [(String, Settings.RowLinkKind, [ScriptedTransport.Answer], Bool, String, String?)])
    func aLinkIsMade(
        _ row: (
            why: String, kind: Settings.RowLinkKind, answers: [ScriptedTransport.Answer], picture: Bool, url: String,
            thumbnail: String?
        )
    ) async {
        let transport = ScriptedTransport(row.answers)
        let link = await Self.linker(row.kind, transport).link(to: Self.stored(1, picture: row.picture))
        #expect(link == .link(RowLink(url: row.url, thumbnail: row.thumbnail)), "\(row.why)")
        #expect(transport.unusedAnswers == 0, "\(row.why)")
    }

    private static let lost = TransferError(.unreachable, "no such host", mayHaveArrived: false)

    @Test(
        arguments: [
            ("a private bucket", .public, bucket(false), "bucket \"b\" is not public"),
            (
                "one that may not be seen", .public,
                .json(#"{"statusCode":"404","error":"Bucket not found","message":"Bucket not found"}"#, status: 400),
                "bucket \"b\" is not public"
            ), ("no answer about it", .public, .failure(lost), "no link to the file can be made"),
            ("no answer to signing", .signed, .failure(lost), "no link to the file can be made"),
        ] as [(String, Settings.RowLinkKind, ScriptedTransport.Answer, String)])
    func theRowWaitsFor(why: String, kind: Settings.RowLinkKind, answer: ScriptedTransport.Answer, words: String) async
    {
        guard
            case .none(.waiting(let reason)) = await Self.linker(kind, ScriptedTransport([answer])).link(
                to: Self.stored(1))
        else {
            Issue.record("\(why)")
            return
        }
        #expect(reason.contains(words), "\(why): \(reason)")
    }
}
