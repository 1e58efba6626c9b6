import Cleansing

/// Text for a terminal: how many columns it takes, and which characters are safe to print.
package enum DisplayText {
    /// Columns of `text` in a terminal with a fixed-width font.
    package static func width(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    /// `text` without anything that controls the terminal or reorders what follows.
    ///
    /// File names may hold any byte; control characters and direction marks become `·`.
    package static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.steersText) else { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { safe.append(scalar.steersText ? "·" : scalar) }
        return String(safe)
    }

    /// `text` cut to at most `columns`, with `…` in place of its beginning: a path keeps its name.
    package static func keepingEnd(_ text: String, columns: Int) -> String {
        guard width(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var end: [Character] = []
        var used = 1
        for character in text.reversed() {
            used += width(of: character)
            if used > columns { break }
            end.append(character)
        }
        return "…" + String(end.reversed())
    }

    /// `text` cut to at most `columns`, with `…` in place of its end.
    package static func keepingStart(_ text: String, columns: Int) -> String {
        guard width(text) > columns else { return text }
        return columns > 0 ? head(of: text, columns: columns - 1) + "…" : ""
    }

    /// As much of the beginning of `text` as fits.
    private static func head(of text: String, columns: Int) -> Substring {
        var used = 0
        return text.prefix { character in
            used += width(of: character)
            return used <= columns
        }
    }

    /// `text` with spaces after it up to `columns`.
    package static func left(_ text: String, columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }

    /// `text` with spaces before it up to `columns`.
    package static func right(_ text: String, columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - width(text))) + text
    }

    /// `text` in lines of at most `columns`, broken at spaces; a longer word is broken anywhere.
    ///
    /// - Parameter keepsWords: Whether a longer word stays whole, such as a path that a user may copy.
    package static func wrapped(_ text: String, columns: Int, keepsWords: Bool = false) -> [String] {
        var lines: [String] = []
        var line = ""
        // Empty words are kept, because a name may have two spaces in a row.
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, width(line) + 1 + width(word) > columns {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
            while !keepsWords, width(line) > columns, columns > 1 {
                let head = head(of: line, columns: columns)
                lines.append(String(head))
                line = String(line.dropFirst(head.count))
            }
        }
        return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
    }
}

extension DisplayText {
    /// Columns of one character: 2 for East Asian wide ones and emoji, 0 for modifiers.
    ///
    /// Terminals show a character scalar by scalar: a vowel sign beside its letter has a column of its own, and so have
    /// the sound marks of half-width kana. Only an emoji is shown as one, whatever scalars it is made of.
    static func width(of character: Character) -> Int {
        var (widest, sum, isEmoji) = (0, 0, false)
        for scalar in character.unicodeScalars {
            if scalar.value == 0xFE0F { return 2 }
            let width = Self.width(of: scalar)
            widest = max(widest, width)
            sum += width
            isEmoji = isEmoji || scalar.properties.isEmojiPresentation
        }
        return isEmoji ? widest : sum
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? 0 : 1 }
        if isWide(scalar) { return 2 }
        // Vowels and final consonants of Hangul stand within the syllable that they follow.
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: return 1
        }
    }

    /// Wide and full-width by Unicode's EastAsianWidth.txt, neighbouring ranges merged.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }
}
