import TestSupport
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

    /// While it is up, or about to be, nothing has ended; whatever else is said is passed over.
    @Test(
        arguments: [
            Fact("active", ["ActiveState=active"], nil), Fact("reloading", ["ActiveState=reloading"], nil),
            Fact("on its way down", ["ActiveState=deactivating", "Result=timeout"], "timeout"),
            Fact("the last line counts", ["ActiveState=active", "ActiveState=failed", "Result=signal"], "signal"),
            Fact("a value with a sign in it", ["ActiveState=failed", "Result=a=b"], "a=b"),
            Fact("an empty value", ["ActiveState=failed", "Result="], ""),
            Fact("a line without one", ["ActiveState"], ""),
            Fact("a key in other letters", ["activestate=active", "Result=protocol"], "protocol"),
            Fact("nothing", [], ""), Fact("no key", ["=active", "Result=oom-kill"], "oom-kill"),
        ] as [Fact<[String], String?>])
    func whatOfTheLinesCounts(_ fact: Fact<[String], String?>) {
        #expect(UnitEnd(fact.input)?.result == fact.output)
        #expect(UnitEnd(fact.input)?.isTriedAgain != true)
    }
}
