import Testing

@testable import Desktop

@Suite struct UnitEndTests {
    @Test(arguments: [
        (["ActiveState=active", "Result=success", "ExecMainStatus=0"], nil),
        (
            ["ActiveState=failed", "Result=exit-code", "ExecMainStatus=78"],
            "u.service was started and ended again (exit 78). See \"gallery-sync service logs\"."
        ),
        (
            ["ActiveState=activating", "Result=watchdog", "ExecMainStatus=9"],
            "u.service was started and ended again (watchdog). systemd tries again. "
                + "See \"gallery-sync service logs\"."
        ),
        (
            ["Result=exit-code", "ExecMainStatus=1", "ActiveState=inactive"],
            "u.service was started and ended again (exit 1). See \"gallery-sync service logs\"."
        ),
    ])
    func whatSystemdSaysIsSaid(_ lines: [String], _ sentence: String?) {
        #expect(UnitEnd(lines)?.sentence("u.service") == sentence)
    }
}
