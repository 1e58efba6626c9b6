import Configuration
import Diagnosis
import ProviderServer
import Providers
import TestSupport
import Testing
import Transfer

/// What `doctor` says of a provider, against stand-ins of all of them.
@Suite struct ProviderExaminationTests {
    private func finding(_ site: ProviderName, key: String? = nil) async throws -> Finding {
        try await ProviderServer.running { server, client in
            let account: AccountKey? =
                site == .storyToVideo ? nil : AccountKey(secret: "s", origin: "GALLERY_SYNC_X_KEY")
            let provider = server.provider(site, key: key, transport: client)
            let finding = await ProviderExamination(site, key: .success(account), site: provider).finding()
            #expect(server.charges.isEmpty)
            return finding
        }
    }

    @Test(arguments: [
        (ProviderName.fal, "it may list jobs and ask about them; how long links live is not documented"),
        (.replicate, "it may list jobs and ask about them; links live 1 h as a rule"),
        (.kling, "it may list jobs and ask about them; links live 30 days as a rule"),
        (.runway, "it may ask about jobs; links live 1 day as a rule"),
        (.miniMax, "it may ask about jobs; links live 9 h as a rule"),
        (.wan, "it may ask about jobs; links live 1 day as a rule"),
    ])
    func whatTheKeyMayDoAndHowLongLinksLive(site: ProviderName, words: String) async throws {
        let finding = try await finding(site)
        #expect(finding == .fine(site.rawValue, "key from GALLERY_SYNC_X_KEY, accepted: \(words)"))
    }

    @Test(arguments: ProviderName.all)
    func everyProviderIsTriedAtNoCost(site: ProviderName) async throws {
        let finding = try await finding(site)
        #expect(finding.result == .fine)
        #expect(finding.sentence.contains("not tried") == (site == .vertex), "\(finding.sentence)")
    }

    @Test(arguments: ProviderName.all.filter { $0 != .storyToVideo && $0 != .vertex })
    func aKeyThatIsRefusedIsWrong(site: ProviderName) async throws {
        let finding = try await finding(site, key: "another")
        #expect(finding.result == .wrong)
        #expect(finding.sentence.hasPrefix("The key from GALLERY_SYNC_X_KEY is refused: put the right one there."))
    }

    @Test(arguments: [
        (
            [ScriptedTransport.Answer.json("{}", status: 403), .json("{}", status: 404)], Finding.Result.doubtful,
            "key from k: it may ask about jobs, not list them: "
        ),
        ([.json(#"{"results":[]}"#), .json("{}", status: 403)], .doubtful, "key from k: it may list jobs, not ask"),
        ([.json("{}", status: 503), .json("{}", status: 503)], .doubtful, "key from k, not proven: "),
    ])
    func whatIsNotPermittedOrNotProvenIsSaid(
        answers: [ScriptedTransport.Answer], result: Finding.Result, start: String
    ) async {
        let site = PolledProvider(.replicate, key: "k", transport: ScriptedTransport(answers))
        let key = AccountKey(secret: "k", origin: "k")
        let finding = await ProviderExamination(.replicate, key: .success(key), site: site).finding()
        #expect(finding.result == result && finding.sentence.hasPrefix(start), "\(finding.sentence)")
    }
}
