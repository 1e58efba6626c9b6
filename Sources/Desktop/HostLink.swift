/// News from the desktop, in order.
package enum HostChange: Hashable, Sendable {
    /// The present state; the first one comes when every service has answered, is known to be absent, or stays silent.
    case state(HostState)
    /// The computer is about to sleep, and waits for `letSleep()` for a few seconds.
    case sleeps
    /// It has woken, or does not sleep after all.
    case woke
    /// The user has chosen an action of the notice about a topic, or of the tray.
    case chose(action: String, topic: String)
}

/// The desktop as a watch uses it: the news it sends, and the orders it takes; no call ever fails or blocks.
package protocol HostLink: Sendable {
    /// The news from `begin()` on; ends with `end()`. For one reader.
    var changes: AsyncStream<HostChange> { get }
    /// Begins to listen.
    func begin()
    /// Makes the computer wait for `letSleep()` before it sleeps, from now on.
    func delaySleep()
    /// Lets the computer sleep now.
    func letSleep()
    /// Shows a notice; it replaces an earlier one of the same topic.
    func show(_ notice: HostNotice)
    /// Closes the notice about `topic`, if there is one.
    func close(topic: String)
    /// Shows the icon in the tray, now or whenever there is one.
    func present(_ tray: TrayState)
    /// Lets the desktop open a link; if it cannot, a notice names the command that does.
    func open(_ link: String)
    /// Ends listening.
    func end()
}

/// The content of a notification.
package struct HostNotice: Hashable, Sendable {
    /// What it is about; there is at most one notice for each.
    package let topic: String
    /// One line.
    package let title: String
    /// The sentences below it, as plain text.
    package let text: String
    /// Whether it stays until it is seen.
    package let isUrgent: Bool
    /// Names and labels of its buttons.
    package let actions: [Action]

    /// A button.
    package struct Action: Hashable, Sendable {
        /// The name that is reported when it is chosen.
        let name: String
        /// Its text.
        let label: String

        /// A button with a label.
        package init(_ name: String, _ label: String) {
            self.name = name
            self.label = label
        }
    }

    /// A notice that is not shown yet.
    package init(topic: String, title: String, text: String, isUrgent: Bool = false, actions: [Action] = []) {
        self.topic = topic
        self.title = title
        self.text = text
        self.isUrgent = isUrgent
        self.actions = actions
    }
}
