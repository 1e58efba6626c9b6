import Formats

/// Changes values in the text of a JSON5 file; comments and everything else stay as they were written.
struct ConfigurationEdit {
    private let scalars: [Unicode.Scalar]
    private var changes: [(range: Range<Int>, text: String)] = []

    private init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    /// The text with its value `present` changed to `wanted`; `nil` if that is not possible in place.
    static func text(_ bytes: [UInt8], from present: SettingValue, to wanted: SettingValue) -> String? {
        guard case .table(let before) = present, case .table(let after) = wanted else { return nil }
        var scanner = JSON5Scanner(Array(String(decoding: bytes, as: UTF8.self).unicodeScalars))
        guard scanner.firstFault() == nil else { return nil }
        var edit = ConfigurationEdit(scanner.text)
        // A file without comments is not edited: it is written anew, which reads better.
        guard let whole = scanner.table, scanner.hasComments, edit.change(whole, from: before, to: after)
        else { return nil }
        var result = scanner.text
        for change in edit.changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            result.replaceSubrange(change.range, with: change.text.unicodeScalars)
        }
        let text = String(String.UnicodeScalarView(result))
        // Guards against mistakes of the editing above: the text is used only if it parses to `wanted`.
        guard let said = try? SettingValue.parsing(Array(text.utf8)), said == wanted else { return nil }
        return text
    }

    /// Notes the changes of one table; returns whether all of its members were found.
    private mutating func change(
        _ table: JSON5Scanner.Table, from before: [String: SettingValue], to after: [String: SettingValue]
    ) -> Bool {
        for member in table.members {
            guard let old = before[member.name] else { return false }
            guard let new = after[member.name] else {
                changes.append((lines(of: member), ""))
                continue
            }
            if old == new { continue }
            if case .table(let old) = old, case .table(let new) = new, let inner = member.table {
                guard change(inner, from: old, to: new) else { return false }
            } else if case .list(let old) = old, case .list(let new) = new, let inner = member.list,
                new.starts(with: old)
            {
                let added = new.dropFirst(old.count).map(\.line)
                add(added, open: inner.open, close: inner.close, end: inner.end) { index, _ in added[index] }
            } else {
                let indent = indentation(at: member.start)
                changes.append((member.value, ConfigurationText.lines(new, indent: indent)))
            }
        }
        let known = Set(table.members.map(\.name))
        let added = after.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
        guard !added.isEmpty else { return true }
        // If the last member goes, those before it already end in commas; a comma may stand before the closing bracket.
        let last = table.members.last.flatMap { after[$0.name] == nil ? nil : $0 }
        let end = last.flatMap { $0.comma == nil ? $0.value.upperBound : nil }
        let inline = added.map { "\(ConfigurationText.name($0.key)): \($0.value.line)" }
        add(inline, open: table.open, close: table.close, end: end) { index, indent in
            "\(ConfigurationText.name(added[index].key)): "
                + ConfigurationText.lines(added[index].value, indent: indent)
        }
        return true
    }

    /// Inserts before the closing bracket; if that has a line of its own, so does each addition.
    ///
    /// - Parameters:
    ///   - inline: The additions as they are written on one line.
    ///   - end: The end of the last remaining member or element, if no comma follows it.
    ///   - line: The addition with an index, as it is written on a line with an indent.
    private mutating func add(
        _ inline: [String], open: Int, close: Int, end: Int?, line: (_ index: Int, _ indent: Int) -> String
    ) {
        let lineStart = (scalars[..<close].lastIndex(of: "\n") ?? -1) + 1
        guard lineStart > open, scalars[lineStart..<close].allSatisfy(\.properties.isWhitespace) else {
            let place = end ?? close
            let text = inline.joined(separator: ", ")
            changes.append((place..<place, end == nil ? text : ", " + text))
            return
        }
        if let end { changes.append((end..<end, ",")) }
        let indent = close - lineStart + 4
        let margin = String(repeating: " ", count: indent)
        let text = inline.indices.map { margin + line($0, indent) + ",\n" }
        changes.append((lineStart..<lineStart, text.joined()))
    }

    /// The range of a member and its comma; the whole line if nothing else is on it.
    private func lines(of member: JSON5Scanner.Member) -> Range<Int> {
        let end = member.comma.map { $0 + 1 } ?? member.value.upperBound
        let lineStart = member.start - indentation(at: member.start)
        let isFirst = lineStart == 0 || scalars[lineStart - 1] == "\n"
        guard isFirst, end < scalars.count, scalars[end] == "\n" else { return member.start..<end }
        return lineStart..<end + 1
    }

    /// The number of spaces right before `place`.
    private func indentation(at place: Int) -> Int {
        scalars[..<place].reversed().prefix { $0 == " " }.count
    }
}
