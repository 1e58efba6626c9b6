/// What the icon in the desktop's tray shows.
package struct TrayState: Hashable, Sendable {
    /// A name of the icon theme.
    package let icon: String
    /// What is shown beside the pointer, as plain text.
    package let text: String
    /// Whether the icon is to stand out.
    package let needsAttention: Bool
    /// From the top.
    package let menu: [Entry]

    /// A line of the menu.
    package enum Entry: Hashable, Sendable {
        /// Text that nothing happens with.
        case text(String)
        case separator
        /// The action is heard as `HostChange.chose` about `topic`; a disabled one cannot be chosen.
        case action(String, label: String, isEnabled: Bool = true)
    }

    /// What choices in the tray are about.
    package static let topic = "tray"
    /// The action of a click on the icon itself.
    static let activation = "open"

    /// A state that nothing shows yet.
    package init(icon: String, text: String, needsAttention: Bool, menu: [Entry]) {
        self.icon = icon
        self.text = text
        self.needsAttention = needsAttention
        self.menu = menu
    }
}
