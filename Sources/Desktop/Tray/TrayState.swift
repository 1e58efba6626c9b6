/// What the icon in the desktop's tray shows.
package struct TrayState: Hashable, Sendable {
    /// A name in the icon theme.
    package let icon: String
    /// The text beside the pointer, without markup.
    package let text: String
    /// Whether the icon is to stand out.
    package let needsAttention: Bool
    /// The menu's entries from the top.
    package let menu: [Entry]

    /// A line of the menu.
    package enum Entry: Hashable, Sendable {
        /// Text that cannot be chosen.
        case text(String)
        case separator
        /// Choosing it is reported as `HostChange.chose` about `topic`; a disabled one cannot be chosen.
        case action(String, label: String, isEnabled: Bool = true)
    }

    /// The topic of choices in the tray.
    package static let topic = "tray"
    /// The action of a click on the icon itself.
    static let activation = "open"

    /// A state that is not shown yet.
    package init(icon: String, text: String, needsAttention: Bool, menu: [Entry]) {
        self.icon = icon
        self.text = text
        self.needsAttention = needsAttention
        self.menu = menu
    }
}
