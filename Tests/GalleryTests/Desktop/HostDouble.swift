import Desktop
import TestSupport

/// A desktop that says what a test makes it say, and notes what it is asked.
struct HostDouble: HostLink {
    let changes: AsyncStream<HostChange>
    private let told: AsyncStream<HostChange>.Continuation
    /// Whether sleep waits for the agent.
    let isDelaying = Shared(false)
    /// How often the agent has let the computer sleep.
    let sleeps = Shared(0)
    /// The notices that are shown, by topic, and all that ever were.
    let shown = Shared<[String: HostNotice]>([:])
    let history = Shared<[HostNotice]>([])
    /// What the tray shows.
    let tray = Shared<TrayState?>(nil)
    /// The links that the desktop was to open.
    let opened = Shared<[String]>([])

    init() { (changes, told) = AsyncStream.makeStream() }

    func say(_ change: HostChange) { told.yield(change) }

    /// Says a state that differs from the usual one by `change`.
    func say(_ change: (inout HostState) -> Void) {
        var state = HostState()
        state.network = "/1"
        change(&state)
        say(.state(state))
    }

    func begin() {}
    func delaySleep() { isDelaying.change { $0 = true } }

    func letSleep() {
        isDelaying.change { $0 = false }
        sleeps.change { $0 += 1 }
    }

    func show(_ notice: HostNotice) {
        shown.change { $0[notice.topic] = notice }
        history.change { $0.append(notice) }
    }

    func close(topic: String) { shown.change { $0[topic] = nil } }
    func present(_ tray: TrayState) { self.tray.change { $0 = tray } }
    func open(_ link: String) { opened.change { $0.append(link) } }
    func end() { told.finish() }
}
