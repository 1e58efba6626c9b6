import Supabase
import TestSupport
import Testing
import Transfer

@testable import Diagnosis

/// A trial whose requests fail one after the other: what it stored is removed, or is named.
@Suite struct ScratchTrialFaultTests {
    /// How a request fails.
    enum Fault: CaseIterable, Sendable {
        /// Before it was sent.
        case unsent
        /// After it was carried out: its answer is lost.
        case unanswered
        /// The server has too much to do.
        case busy
    }

    /// A double that fails at some of its requests, counted from 0.
    struct RoughLine: Transport {
        let server: PolicyDouble
        let faults: [Int: Fault]
        let count = Shared(0)

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            let number = count.change { count in
                defer { count += 1 }
                return count
            }
            switch faults[number] {
            case nil: return try await server.send(request)
            case .unsent?: throw TransferError(.unreachable, "no route", mayHaveArrived: false)
            case .busy?: return HTTPResponse(status: 503)
            case .unanswered?:
                _ = try await server.send(request)
                throw TransferError(.lost, "it hung up", mayHaveArrived: true)
            }
        }
    }

    private static let all: Set<BucketRight> = [.select, .insert, .update, .delete]

    /// Runs a trial and checks that no object is left unnamed; how many requests it took.
    @discardableResult
    private static func check(_ faults: [Int: Fault], _ rights: Set<BucketRight>) async -> Int {
        let server = PolicyDouble(rights)
        let line = RoughLine(server: server, faults: faults)
        let storage = StorageClient(
            endpoint: StorageEndpoint(base: "https://h/storage/v1"), credentials: StorageCredentials(key: "k"),
            transport: line)
        let result = await ScratchTrial(storage, bucket: "media", folder: "u7", name: "n").run()
        let isNamed = result.leftover == "u7/.gallery-sync-doctor/n"
        #expect(server.objects.isEmpty || isNamed, "\(faults) of \(server.requests)")
        // What is named is told to the user, and what failed is never called granted.
        let findings = result.findings(bucket: "media", kind: .user(id: "u7"))
        #expect(findings.contains { $0.name == "scratch object" } == (result.leftover != nil))
        if faults.isEmpty { #expect(findings.allSatisfy { $0.result == .fine } == (rights == all)) }
        return line.count.value
    }

    @Test(arguments: Fault.allCases)
    func oneRequestFails(_ fault: Fault) async {
        let count = await Self.check([:], Self.all)
        #expect(count >= 6)
        for number in 0..<count { await Self.check([number: fault], Self.all) }
    }

    /// The line breaks while it stores, and is still broken when it removes.
    @Test(arguments: Fault.allCases, Fault.allCases)
    func twoRequestsFail(_ first: Fault, _ second: Fault) async {
        for number in 0..<6 {
            for other in (number + 1)..<7 { await Self.check([number: first, other: second], Self.all) }
        }
    }

    @Test(arguments: [[.insert], [.insert, .select], [.insert, .select, .update]] as [Set<BucketRight>])
    func whatMayNotBeRemovedIsNamed(_ rights: Set<BucketRight>) async {
        await Self.check([:], rights)
        for fault in Fault.allCases {
            for number in 0..<5 { await Self.check([number: fault], rights) }
        }
    }
}
