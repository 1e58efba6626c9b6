import FoundationEssentials
import Platform
import ProviderServer
import Providers
import TestSupport
import Testing
import Transfer

@Suite struct TroubleTests {
    static let media = MadeMedia("v.mp4", "video/mp4", [UInt8](repeating: 7, count: 300_000))

    /// Fetches the file once under the fault `effect`.
    private func fetch(
        _ effect: Trouble.Effect, limit: Int = 1 << 20
    ) async throws -> (answer: Result<HTTPResponse, TransferError>, sent: Int64) {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(effect, path: "/files/*")]
        return try await ProviderServer.running(plan) { server, client in
            let link = server.add(Self.media)
            let request = HTTPRequest(.get, link, answer: .memory(limit: limit))
            let answer: Result<HTTPResponse, TransferError>
            do throws(TransferError) {
                answer = .success(try await client.send(request))
            } catch {
                answer = .failure(error)
            }
            await server.stop()
            return (answer, server.sent("/files/v.mp4"))
        }
    }

    @Test(arguments: [
        (Trouble.Effect.cut(after: 100_000), TransferError.Kind.lost), (.cut(after: 0), .lost), (.dropped, .lost),
        (.lostAnswer, .lost), (.replaced(after: 10, by: [1]), .lost), (.endless, .tooLarge),
        (.announcing(10 << 30), .tooLarge), (.stalled(after: 5, .milliseconds(5)), .lost),
    ])
    func aBrokenDownloadHasNoAnswer(effect: Trouble.Effect, kind: TransferError.Kind) async throws {
        let (answer, sent) = try await fetch(effect)
        #expect(throws: TransferError.self) { _ = try answer.get() }
        if case .failure(let error) = answer { #expect(error.kind == kind) }
        if case .cut(let count) = effect { #expect(sent == Int64(count)) }
    }

    @Test func aShortenedFileLooksWhole() async throws {
        let answer = try await fetch(.shortened(to: 1_000)).answer.get()
        #expect(answer.body.count == 1_000)
        #expect(answer.headers["content-length"] == "1000")
    }

    @Test func announcedBytesAreSent() async throws {
        let answer = try await fetch(.announcing(500_000)).answer.get()
        #expect(answer.headers["content-length"] == "500000")
        #expect(answer.body == Self.media.bytes + [UInt8](repeating: 0, count: 200_000))
    }

    @Test(arguments: [
        (Trouble.Effect.status(503, retryAfter: 7), 503, ""), (.redirect(to: "http://169.254.169.254/"), 302, ""),
        (.instead(contentType: "text/html", "<html>Sign in</html>"), 200, "<html>Sign in</html>"),
    ])
    func somethingElseComes(effect: Trouble.Effect, status: Int, text: String) async throws {
        let answer = try await fetch(effect).answer.get()
        #expect(answer.status == status)
        #expect(String(decoding: answer.body, as: UTF8.self) == text)
        if status == 503 { #expect(answer.headers["retry-after"] == "7") }
        if status == 302 { #expect(answer.headers["location"] == "http://169.254.169.254/") }
    }

    @Test func aLostAnswerWasActedOn() async throws {
        try await ProviderServer.running { server, client in
            server.set([Trouble(.lostAnswer, method: "POST", times: 1), Trouble(.dropped, method: "POST", times: 1)])
            for (index, count) in [1, 1, 2].enumerated() {
                let answer = try? await server.submitElsewhere(.fal, with: client)
                #expect((answer != nil) == (index == 2))
                #expect(server.charges.count == count)
            }
        }
    }

    @Test func aFileChangesInTheMiddle() async throws {
        try await ProviderServer.running { server, client in
            let link = server.add(Self.media)
            let other = [UInt8](repeating: 8, count: 100)
            server.set([Trouble(.replaced(after: 10, by: other), times: 1)])
            await #expect(throws: TransferError.self) { _ = try await client.get(link) }
            let again = try await client.get(link, ["range": "bytes=10-", "if-range": "\"x\""])
            #expect(again.body == other)
        }
    }

    @Test func aSlowRouteIsSlowForAll() async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(.slow(bytesPerSecond: 50_000_000), path: "/files/*")]
        try await ProviderServer.running(plan) { server, client in
            let answer = try await client.get(server.add(Self.media))
            #expect(answer.body == Self.media.bytes)
        }
    }
}
