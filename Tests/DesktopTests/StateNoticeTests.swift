import Desktop
import Testing

@Suite struct StateNoticeTests {
    @Test(arguments: [
        (StateNotice.ready, "READY=1"), (.alive, "WATCHDOG=1"), (.stopping, "STOPPING=1"),
        (.status("All 3 files are stored."), "STATUS=All 3 files are stored."),
    ])
    func aNoticeIsAVariable(_ notice: StateNotice, _ text: String) {
        #expect(notice.text == text)
    }

    @Test func aStatusStaysOneVariable() {
        #expect(StateNotice.status("Waits\nWATCHDOG=1").text == "STATUS=Waits WATCHDOG=1")
    }
}
