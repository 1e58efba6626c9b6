import Platform
import Reporting
import Serving
import StorageServer
import TestSupport
import Testing

/// A watch beside the services of a desktop, on a real bus.
@Suite(.enabled(if: DeskBus.isThere, "dbus-daemon or python3-dbusmock is missing"))
struct DesktopTests {
    /// Two pieces and a half.
    private static let film = [UInt8](repeating: 7, count: 16_000_000)

    @Test func anUploadStopsForAMeteredNetworkAndForSleepAndNoByteIsSentTwice() async throws {
        try await ProgramFixture.remote(["film.mp4": .file(Self.film)]) { fixture, server in
            var fixture = fixture
            let bus = try await DeskBus(&fixture, ["logind", "networkmanager", "upower", "notification_daemon"])
            let watch = try fixture.start("watch", fixture.gallery.display, "--set", "upload.limitRate=2M")
            try await eventually("sleep waits for it") { try await bus.inhibitors() == 1 }
            try await eventually("it uploads") { try await fixture.status().queue.uploading == 1 }
            try await bus.setMetered(1)
            let held = try await eventually("it stops at the end of a piece") {
                let report = try await fixture.status()
                // The piece ends first, and then the item learns why it waits.
                return report.queue.uploading == 0 && !report.blocked.isEmpty ? report : nil
            }
            #expect(held.agent.reason == "the network is metered")
            #expect(held.blocked.map(\.reason) == ["metered"] && held.assets.stored == 0)
            try await bus.setMetered(4)
            try await eventually("it goes on") { try await fixture.status().queue.uploading == 1 }

            try await bus.sleep(true)
            try await eventually("it lets the computer sleep") { try await bus.inhibitors() == 0 }
            #expect(try await fixture.status().queue.uploading == 0)
            try await bus.sleep(false)
            try await eventually("sleep waits for it again") { try await bus.inhibitors() == 1 }
            try await eventually("it is stored") { try await fixture.status().assets.stored == 1 }
            let pieces = try Requests(of: fixture.folder.appending("server")).lines.filter { $0.method == "PATCH" }
            let sent = pieces.reduce(0) { $0 + Int($1.bytesIn) }
            #expect(sent <= Self.film.count + 6 * 1024 * 1024)

            try await eventually("the first sync is told") { try bus.notices.count == 1 }
            #expect(try bus.notices.first?.contains("The first sync is done") == true)
            try await survive(bus, fixture)
            watch.signal(.terminate)
            #expect(try await watch.end().exit == .exited(143))
        }
    }

    /// Each service dies, then the bus; the watch goes on.
    private func survive(_ bus: DeskBus, _ fixture: ProgramFixture) async throws {
        try await bus.setMetered(1)
        try await eventually("it holds back") { try await fixture.status().agent.reason == "the network is metered" }
        for template in ["networkmanager", "logind", "upower", "notification_daemon"] { bus.kill(template) }
        try await eventually("what a dead service said does not hold") {
            try await fixture.status().agent.reason == nil
        }
        bus.kill()
        try FileTree(["b.jpg": "b"]).write(to: fixture.gallery)
        try await eventually("another file is stored") { try await fixture.status().assets.stored == 2 }
    }

    @Test func whatNeedsAPersonIsShownOnceTriedAgainFromThereAndTakenBackWhenMended() async throws {
        let isOverPlan = Shared(true)
        let asked = Shared(0)
        let faults: @Sendable (Request) -> Fault? = { request in
            guard isOverPlan.value, request.path.contains("/object/") else { return nil }
            asked.change { $0 += 1 }
            return .answer(Response(status: 402))
        }
        try await ProgramFixture.remote(["a.jpg": "x"], faults: faults) { fixture, _ in
            var fixture = fixture
            let bus = try await DeskBus(&fixture, ["networkmanager", "upower", "notification_daemon"])
            let watch = try fixture.start("watch", fixture.gallery.display)
            try await eventually("it is told") { try bus.notices.count == 1 }
            #expect(try bus.notices.first?.contains("Files are not stored") == true)
            let before = asked.value
            try await bus.press("retry", of: 1)
            try await eventually("it tries again") { asked.value > before }
            isOverPlan.change { $0 = false }
            try await bus.press("retry", of: 1)
            try await eventually("it is taken back") { try bus.closings.count == 1 }
            try await eventually("the first sync is told") { try bus.notices.count == 2 }
            #expect(try bus.notices.last?.contains("The first sync is done") == true)

            try await holdBack(bus, fixture)
            #expect(try bus.notices.count == 2)
            watch.signal(.terminate)
            #expect(try await watch.end().exit == .exited(143))
        }
    }

    /// A portal, then a low battery: nothing is sent, and no person is needed.
    private func holdBack(_ bus: DeskBus, _ fixture: ProgramFixture) async throws {
        try await bus.setConnectivity(2)
        try await eventually("a portal holds it back") { try await fixture.status().agent.reason != nil }
        try FileTree(["b.jpg": "y"]).write(to: fixture.gallery)
        try await eventually("the file waits") { try await fixture.status().assets.waiting == 1 }
        try await bus.setCharge(9)
        try await bus.setConnectivity(4)
        try await eventually("a low battery holds it back") {
            try await fixture.status().agent.reason == "the battery is low"
        }
        #expect(try await fixture.status().assets.stored == 1)
        try await bus.setCharge(80)
        try await eventually("the file is stored") { try await fixture.status().assets.stored == 2 }
    }

    @Test func theTrayShowsTheStateTakesOrdersAndMayDie() async throws {
        try await ProgramFixture.local(["a.jpg": "x"]) { fixture in
            var fixture = fixture
            let bus = try await DeskBus(&fixture, [])
            try await fixture.watching(storing: 1) { _ in
                let tray = try bus.tray()
                let icon = try await eventually("it is registered") { try tray.heard("registered").first }
                try await eventually("all is well") { try await bus.picture(of: icon) == "emblem-default" }
                try await bus.choose("Pause for an hour", of: icon)
                try await eventually("others hear of it") {
                    try Set(tray.heard("signal")).isSuperset(of: ["NewIcon", "NewToolTip", "LayoutUpdated"])
                }
                #expect(try await bus.picture(of: icon) == "media-playback-pause")
                #expect(try await fixture.status().queue.paused)
                try await bus.choose("Open gallery", of: icon)
                let link = try await eventually("the page is opened") { try tray.heard("opened").first }
                #expect(link.hasPrefix("http://127.0.0.1:"))
                tray.kill()
                let next = try bus.tray()
                try await eventually("it is registered again") { try next.heard("registered") == [icon] }
                try await bus.choose("Resume", of: icon)
                try await eventually("it goes on") { try await !fixture.status().queue.paused }
            }
        }
    }

    @Test func withoutADesktopEverythingIsDoneWithoutAndTheDoctorSaysSo() async throws {
        try await ProgramFixture.local(["a.jpg": "x"]) { fixture in
            try await fixture.watching(storing: 1) { _ in }
            let doctor = try await fixture.run("doctor")
            #expect(doctor.code == 0)
            let words = doctor.results.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("watch does without NetworkManager (metered networks), UPower (battery)"))
        }
    }
}
