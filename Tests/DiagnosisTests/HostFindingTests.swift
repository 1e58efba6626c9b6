import Desktop
import Testing

@testable import Diagnosis

@Suite struct HostFindingTests {
    private static let sentences: [(Set<HostSource>, String)] = [
        (
            Set(HostSource.allCases),
            "watch heeds NetworkManager, UPower, power-profiles-daemon, logind, notifications, tray"
        ),
        (
            [.logind, .networkManager, .upower],
            """
            watch heeds NetworkManager, UPower, logind and does without power-profiles-daemon (power saver), \
            notifications (messages on the screen), tray (its icon)
            """
        ),
        (
            [],
            """
            watch does without NetworkManager (metered networks), UPower (battery), \
            power-profiles-daemon (power saver), logind (sleep), notifications (messages on the screen), tray (its icon)
            """
        ),
    ]

    @Test(arguments: sentences)
    func whatIsAbsentIsDoneWithout(_ answering: Set<HostSource>, _ sentence: String) {
        let finding = Finding.host(answering: answering)
        #expect(finding.result == .fine)
        #expect(finding.sentence == sentence)
    }
}
