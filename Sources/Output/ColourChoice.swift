/// When output is coloured.
package enum ColourChoice: String, Hashable, Sendable, CaseIterable {
    case auto, always, never
}
