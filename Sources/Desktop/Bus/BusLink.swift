import Glibc
package import Platform
import Synchronization

/// The desktop by D-Bus: a thread of its own owns both buses, since sd-bus is not thread-safe.
///
/// The thread sleeps until a message or an order comes. Without any bus it ends, and nothing is ever reported.
package final class BusLink: HostLink {
    /// An order for the thread.
    enum Order {
        case delaySleep
        case show(HostNotice)
        case close(topic: String)
        case present(TrayState)
        case open(String)
    }

    private struct Inbox {
        var orders: [Order] = []
        var isEnded = false
        /// The computer waits with its sleep while this descriptor is open.
        var inhibitor: Int32?
        /// Whether to keep a descriptor that arrives for that purpose.
        var isDelaying = false
    }

    /// What the buses report; the first state comes once every service has answered, or `patience` has passed.
    package let changes: AsyncStream<HostChange>
    private let told: AsyncStream<HostChange>.Continuation
    private let inbox = Mutex(Inbox())
    let wakeup: Wakeup
    /// The address of a bus that serves as both; `nil` for the two of this computer.
    let address: String?
    /// How long to wait for an answer; a later answer still counts.
    let patience: Duration
    /// How long later orders about a notice wait for the answer to its first call; the service may have to start first.
    let noticePatience: Duration

    /// A little less than the two seconds that `doctor` waits for the first state.
    private static let usualPatience = Duration.milliseconds(1_500)

    /// The default of bus libraries for a call.
    private static let usualNoticePatience = Duration.seconds(25)

    /// A link that listens once `begin()` is called.
    package convenience init() throws(SystemError) { try self.init(at: nil) }

    /// A link to the bus at `address`.
    init(
        at address: String?, patience: Duration = usualPatience, noticePatience: Duration = usualNoticePatience
    ) throws(SystemError) {
        self.address = address
        self.patience = patience
        self.noticePatience = noticePatience
        wakeup = try Wakeup()
        (changes, told) = AsyncStream.makeStream()
    }

    /// Starts the thread; once.
    package func begin() {
        do throws(SystemError) {
            // The thread keeps this object alive until `end()`.
            try SystemThread.start("desktop") { BusLoop(self).run() }
        } catch {
            told.finish()
        }
    }

    /// Ends the thread, and lets the computer sleep.
    package func end() {
        inbox.withLock { $0.isEnded = true }
        letSleep()
        told.finish()
        wakeup.raise()
    }

    /// Takes a delay inhibitor of logind, also of one that is restarted.
    package func delaySleep() {
        inbox.withLock { $0.isDelaying = true }
        post(.delaySleep)
    }

    /// Closes the inhibitor at once, on the caller's thread.
    package func letSleep() {
        let inhibitor = inbox.withLock { inbox in
            inbox.isDelaying = false
            defer { inbox.inhibitor = nil }
            return inbox.inhibitor
        }
        if let inhibitor { Glibc.close(inhibitor) }
    }

    /// Shows a notice by `org.freedesktop.Notifications`.
    package func show(_ notice: HostNotice) { post(.show(notice)) }
    /// Closes a notice that is shown.
    package func close(topic: String) { post(.close(topic: topic)) }

    /// Puts the icon into the tray by `org.kde.StatusNotifierItem`.
    package func present(_ tray: TrayState) { post(.present(tray)) }
    /// Opens a link by the desktop's portal.
    package func open(_ link: String) { post(.open(link)) }

    private func post(_ order: Order) {
        inbox.withLock { $0.orders.append(order) }
        wakeup.raise()
    }
}

// MARK: - For the thread

extension BusLink {
    var isEnded: Bool { inbox.withLock { $0.isEnded } }
    var isDelaying: Bool { inbox.withLock { $0.isDelaying } }

    func takeOrders() -> [Order] {
        inbox.withLock { inbox in
            defer { inbox.orders.removeAll() }
            return inbox.orders
        }
    }

    func tell(_ change: HostChange) { told.yield(change) }

    /// Keeps the descriptor that delays sleep, unless it is no longer wanted.
    func hold(_ inhibitor: Int32) {
        let unwanted = inbox.withLock { inbox -> Int32? in
            guard inbox.isDelaying, !inbox.isEnded else { return inhibitor }
            defer { inbox.inhibitor = inhibitor }
            return inbox.inhibitor
        }
        if let unwanted { Glibc.close(unwanted) }
    }
}
