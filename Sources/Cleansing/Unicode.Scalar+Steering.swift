extension Unicode.Scalar {
    /// Whether the scalar is invisible and controls a terminal, or the order or look of its neighbours.
    ///
    /// C0 and C1 controls, direction marks (UAX #9), line separators, the Mongolian vowel separator, annotations
    /// and tags. Joiners stay: emoji and many scripts are made with them.
    package var steersText: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x180E, 0x200E, 0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x206F, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }
}
