import Dashboard
import Foundation
import Output
import Platform
import SetUp
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// Signing in within the set-up page, at a scripted Auth server.
@Suite struct PageSignInTests {
    private static let session =
        #"{"access_token":"secret-a","refresh_token":"secret-r","expires_in":3600,"user":{"id":"u7","email":"e@x"}}"#

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var email = "e@x"
        var password = ""
        var code = ""
        var status = 200
        let asked: [String]
        let told: String
        var isSignedIn = true

        init(_ fact: String, asked: [String], told: String, _ change: (inout Row) -> Void) {
            (testDescription, self.asked, self.told) = (fact, asked, told)
            change(&self)
        }
    }

    @Test(arguments: [
        Row("a password signs in", asked: ["token?grant_type=password"], told: "Signed in as e@x.") {
            $0.password = "hunter2"
        },
        Row("a code is sent for", asked: ["otp"], told: "An e-mail is on its way to e@x.") { $0.isSignedIn = false },
        Row("the code signs in", asked: ["verify"], told: "Signed in as e@x.") { $0.code = "123456" },
        Row("a refused password", asked: ["token?grant_type=password"], told: #""field":"password""#) {
            ($0.password, $0.status, $0.isSignedIn) = ("hunter2", 400, false)
        },
        Row("a refused code", asked: ["verify"], told: #""field":"code""#) {
            ($0.code, $0.status, $0.isSignedIn) = ("123456", 403, false)
        },
        Row("no address", asked: [], told: #""field":"email""#) { ($0.email, $0.isSignedIn) = ("e", false) },
    ])
    func itIsTheSameAsLogin(_ row: Row) async throws {
        let asked = Shared<[String]>([])
        let server = try RawServer { connection in
            connection.serve { head, _ in
                asked.change {
                    $0.append("\(head.target.dropFirst("/auth/v1/".count)) \(head.value(of: "apikey") ?? "")")
                }
                connection.answer(row.status, row.status == 200 ? Self.session : #"{"msg":"no"}"#)
            }
        }
        let fixture = try CommandFixture()
        defer {
            server.stop()
            fixture.remove()
        }
        let typed = """
            {"answers":{"folders":[],"url":"\(server.url)","place":"media","budget":"","key":"anon-key","makesBucket":false},
            "email":"\(row.email)","password":"\(row.password)","code":"\(row.code)"}
            """
        let page = try PageSetUp(fixture.unattended())
        let outcome = try await page.signIn(JSONDecoder().decode(SetUpSignIn.self, from: Data(typed.utf8)))
        #expect(asked.value == row.asked.map { "\($0) anon-key" })
        #expect(outcome.isSignedIn == row.isSignedIn)
        let told = String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self)
        #expect(told.contains(row.told), "\(told)")
        #expect(!["hunter2", "123456", "secret-", "anon-key"].contains { told.contains($0) })
        let path = fixture.home.appending(".local/state/gallery-sync/default/session.json")
        #expect(try FileFacts.existing(path).map(\.mode) == (row.isSignedIn ? 0o600 : nil))
        // Nothing else is written before the start.
        #expect(try FileFacts.existing(fixture.configurationPath) == nil)
    }
}

extension CommandFixture {
    /// A run of `open` that nothing is typed to.
    func unattended() throws -> Run {
        let surroundings = Surroundings(
            environment: environment, workingDirectory: home, user: Host.userID, accountHome: nil,
            results: recorded.results, notes: recorded.notes, isInteractive: false, answer: { _ in nil },
            interruption: Interruption(), exit: { _ in fatalError("a test never exits") })
        let invocation = try Invocation(["open", "--print"].map { Array($0.utf8) })
        return Run(invocation: invocation, surroundings: surroundings, console: surroundings.console(.auto))
    }
}
