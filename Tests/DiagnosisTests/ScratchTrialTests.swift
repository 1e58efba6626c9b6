import Catalog
import Records
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Diagnosis

@Suite struct ScratchTrialTests {
    private static func client(_ transport: any Transport) -> StorageClient {
        StorageClient(
            endpoint: StorageEndpoint(base: "https://h/storage/v1"), credentials: StorageCredentials(key: "k"),
            transport: transport)
    }

    private static func trial(_ transport: any Transport) -> ScratchTrial {
        ScratchTrial(client(transport), bucket: "media", folder: "u7", name: "n")
    }

    /// Rights that are granted, and those whose policies are reported as missing.
    private static let rows: [(has: Set<BucketRight>, missing: Set<BucketRight>, untried: Int)] = [
        ([.select, .insert, .update, .delete], [], 0),
        ([.select, .insert, .update], [.delete], 0),
        ([.select, .insert, .delete], [.update], 0),
        ([.insert, .update, .delete], [.select], 2),
        ([.insert], [.select], 2),
        ([.select, .insert], [.update, .delete], 0),
        ([.select, .update, .delete], [.insert], 3),
        ([], [.insert], 3),
    ]

    @Test(arguments: rows.indices)
    func theMissingPolicyIsNamedWithItsSQL(_ index: Int) async throws {
        let row = Self.rows[index]
        let double = PolicyDouble(row.has)
        let result = await Self.trial(double).run()
        let findings = result.findings(bucket: "media", kind: .user(id: "u7"))
        let wanted = row.missing.map { ProjectSQL.policy($0, bucket: "media") }
        #expect(Set(findings.compactMap(\.sql)) == Set(wanted), "\(row.has)")
        #expect(findings.filter { $0.result == .wrong }.count == row.missing.count)
        let untried = findings.filter { $0.sentence.hasPrefix("not tried") }
        #expect(untried.count == row.untried)
        #expect(findings.first { $0.name == "resumable" }?.result == .fine)
        // An object that may be seen and deleted is removed; any other is named.
        let isRemovable = row.has.isSuperset(of: [.select, .delete]) || !row.has.contains(.insert)
        #expect(double.objects.isEmpty == isRemovable)
        #expect(result.leftover == (isRemovable ? nil : "u7/.gallery-sync-doctor/n"))
    }

    @Test func withoutASignInNoPolicyIsAskedFor() async throws {
        for kind in [KeyKind.publishable, .legacy(role: "anon")] {
            let findings = await Self.trial(PolicyDouble([])).run().findings(bucket: "media", kind: kind)
            let wrong = try #require(findings.first { $0.result == .wrong })
            #expect(wrong.sentence.hasSuffix("Run \"gallery-sync login\".") && wrong.sql == nil)
            #expect(ExitMeaning(wrong) == .notPermitted)
        }
    }

    @Test func aMissingBucketIsOneFindingWithAllOfItsSQL() {
        var result = ScratchTrial.Result()
        let body =
            #"{"statusCode":"404","error":"Bucket not found","message":"Bucket not found","code":"NoSuchBucket"}"#
        result.insert = .failed(.refused(StorageRefusal(HTTPResponse(status: 400, body: Array(body.utf8)))))
        let findings = result.findings(bucket: "b", kind: .user(id: "u"))
        #expect(findings.count == 1 && findings[0].sql == ProjectSQL.bucket("b"))
        #expect(ExitMeaning(findings[0]) == .needsHuman)
    }

    @Test func aLostAnswerIsCleanedUpAfter() async throws {
        let lost = ScriptedTransport.Answer.failure(TransferError(.lost, "gone", mayHaveArrived: true))
        let transport = ScriptedTransport([lost, .json(#"[{"name":"u7/.gallery-sync-doctor/n"}]"#)])
        let result = await Self.trial(transport).run()
        #expect(transport.requests.map(\.method) == [.post, .delete])
        #expect(result.leftover == nil && result.select == .untried)
    }

    @Test func aServerWithoutUploadsInPiecesIsTold() async throws {
        let ok = #"{"Id":"i","Key":"media/u7/.gallery-sync-doctor/n"}"#
        let transport = ScriptedTransport([
            .json(ok), .json(#"{"message":"Route POST:/upload/resumable not found","statusCode":404}"#, status: 404),
            .json(#"{"id":"i","name":"n","bucket_id":"media"}"#), .json(ok),
            .json(#"[{"name":"u7/.gallery-sync-doctor/n"}]"#),
        ])
        let findings = await Self.trial(transport).run().findings(bucket: "media", kind: .unknown)
        #expect(findings.filter { $0.result != .fine }.map(\.name) == ["resumable"])
        #expect(transport.unusedAnswers == 0)
    }
}

/// How a finding ends a command, without its sentence.
enum ExitMeaning: Hashable {
    case nothing, temporary, notPermitted, full, needsHuman, other

    init(_ finding: Finding) {
        switch finding.ending {
        case nil: self = .nothing
        case .temporary: self = .temporary
        case .notPermitted: self = .notPermitted
        case .full: self = .full
        case .needsHuman: self = .needsHuman
        default: self = .other
        }
    }
}
