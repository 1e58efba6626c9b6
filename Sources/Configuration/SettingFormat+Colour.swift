import MediaModel

extension SettingFormat where Value == RGBColour {
    /// Six hexadecimal digits, as on web pages.
    static var colour: Self {
        Self(
            "a colour like \"#ffffff\"",
            read: { if case .text(let text) = $0 { RGBColour(hexadecimal: text) } else { nil } },
            write: { .text($0.hexadecimal) })
    }
}
