import Formats
import Platform
import Text

/// The format of one kind of setting, and which values are allowed.
package struct SettingFormat<Value: Sendable>: Sendable {
    /// The description of allowed values in an error, such as `a whole number from 1 to 64`.
    let expectation: String
    /// Reads a value; throws where it is of another kind or out of range.
    let read: @Sendable (SettingValue) throws(SettingFault) -> Value
    /// The value as the configuration file would write it.
    let write: @Sendable (Value) -> SettingValue
    /// The separator of a list in a variable or flag, which can only be text; `nil` for a single value.
    var separator: Character?
}

/// What is wrong with a value, and where inside it.
struct SettingFault: Error, Hashable {
    /// The place below the setting, such as `[2].name`; empty for the setting itself.
    var place = ""
    /// The text after the place, such as `is 0, expected a whole number from 1 to 64`.
    let reason: String

    func inside(_ outer: String) -> SettingFault { SettingFault(place: outer + place, reason: reason) }
}

extension SettingFormat {
    /// A format of single values; `read` returns `nil` for a value that does not meet the expectation.
    init(
        _ expectation: String, read: @escaping @Sendable (SettingValue) -> Value?,
        write: @escaping @Sendable (Value) -> SettingValue
    ) {
        self.expectation = expectation
        self.read = { (value) throws(SettingFault) in
            if let value = read(value) { return value }
            throw SettingFault(reason: "is \(value.line), expected \(expectation).")
        }
        self.write = write
    }

    /// The value that the text of a variable or a flag means.
    func read(spoken text: String) throws(SettingFault) -> Value {
        if let value = try? read(.text(text)) { return value }
        let json = try? SettingValue.parsing(Array(text.utf8))
        if let json, let value = try? read(json) { return value }
        guard let separator else { return try read(.text(text)) }
        // It is written as a list, so its own fault is reported, and its brackets are not taken for part of a name.
        if case .list = json, let json { return try read(json) }
        let words = text.split(separator: separator).map(\.trimmed)
        // Names first, because a name may be a number: `2024,*.tmp`.
        if let value = try? read(.list(words.map(SettingValue.text))) { return value }
        return try read(.list(words.map { word in Int(digits: word).map(SettingValue.integer) ?? .text(word) }))
    }
}

extension Substring {
    /// The same without white space at its ends.
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }
}

extension SettingFormat where Value == Bool {
    static var flag: Self {
        Self(
            "true or false",
            read: { if case .flag(let flag) = $0 { flag } else { nil } },
            write: SettingValue.flag)
    }
}

extension SettingFormat where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(
            "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { if case .integer(let integer) = $0, range.contains(integer) { integer } else { nil } },
            write: SettingValue.integer)
    }

    /// Bytes, as a number or like `8M`, `200 kB`, `6 MiB`.
    static func bytes(_ range: ClosedRange<Int>) -> Self {
        let from = Quantity.exact(bytes: range.lowerBound)
        return Self(
            "a size like \"200 kB\" or \"6 MiB\", from \(from) to \(Quantity.exact(bytes: range.upperBound))",
            read: { value in
                let bytes: Int? =
                    switch value {
                    case .integer(let integer): integer
                    case .text(let text): Quantity.bytes(text)
                    default: nil
                    }
                return bytes.flatMap { range.contains($0) ? $0 : nil }
            },
            write: { .text(Quantity.exact(bytes: $0)) })
    }
}

extension SettingFormat where Value == Double {
    static func decimal(_ range: ClosedRange<Double>) -> Self {
        Self(
            "a number from \(range.lowerBound) to \(range.upperBound)",
            read: { value in
                let decimal: Double? =
                    switch value {
                    case .integer(let integer): Double(integer)
                    case .decimal(let decimal): decimal
                    default: nil
                    }
                return decimal.flatMap { range.contains($0) ? $0 : nil }
            },
            write: { $0 == $0.rounded() ? .integer(Int($0)) : .decimal($0) })
    }
}

extension SettingFormat where Value == Duration {
    /// Seconds as a number, or text like `10s`, `1h30m`.
    static func duration(_ range: ClosedRange<Duration>) -> Self {
        let bounds = (Quantity.exact(range.lowerBound), Quantity.exact(range.upperBound))
        return Self(
            "a duration like \"10s\" or \"1h30m\", from \(bounds.0) to \(bounds.1)",
            read: { value in
                let duration: Duration? =
                    switch value {
                    case .integer(let seconds) where seconds.magnitude < 1_000_000_000_000: .seconds(seconds)
                    case .decimal(let seconds) where abs(seconds) < 1e12: .seconds(seconds)
                    case .text(let text): Quantity.duration(text)
                    default: nil
                    }
                return duration.flatMap { range.contains($0) ? $0 : nil }
            },
            write: { .text(Quantity.exact($0)) })
    }
}

extension SettingFormat where Value == String {
    /// Text that `isValid` accepts; `expectation` says what that is.
    static func text(_ expectation: String, where isValid: @escaping @Sendable (String) -> Bool = { _ in true }) -> Self
    {
        Self(
            expectation,
            read: { if case .text(let text) = $0, isValid(text) { text } else { nil } },
            write: SettingValue.text)
    }
}

extension SettingFormat where Value == FilePath {
    static var path: Self {
        Self(
            "an absolute path, or one that begins with ~/",
            read: { value in
                guard case .text(let text) = value, text.hasPrefix("/") || text == "~" || text.hasPrefix("~/") else {
                    return nil
                }
                // The kernel would cut the path at a NUL and use what stands before it.
                return text.utf8.contains(0) ? nil : FilePath(text)
            },
            write: { .text($0.display) })
    }

    /// The path of a file that holds a key; an error does not repeat the text, which may be the key itself.
    static var keyFile: Self {
        let path = path
        return Self(
            expectation: path.expectation,
            read: { (value) throws(SettingFault) in
                do throws(SettingFault) {
                    return try path.read(value)
                } catch {
                    throw SettingFault(
                        reason: "names no file: expected \(path.expectation). The key itself belongs into that file.")
                }
            },
            write: path.write)
    }
}

extension SettingFormat where Value: RawRepresentable & Equatable, Value.RawValue == String {
    /// One of `values`, which may be fewer than all that the type has.
    static func choice(of values: [Value]) -> Self {
        let names = values.map { "\"\($0.rawValue)\"" }
        return Self(
            "one of " + names.joined(separator: ", "),
            read: { if case .text(let text) = $0 { values.first { $0.rawValue == text } } else { nil } },
            write: { .text($0.rawValue) })
    }
}

extension SettingFormat where Value: RawRepresentable & CaseIterable & Equatable, Value.RawValue == String {
    static var choice: Self { choice(of: Array(Value.allCases)) }
}

extension SettingFormat {
    /// This format, or `nil`, which is written as null.
    static func optional<Wrapped>(_ format: SettingFormat<Wrapped>) -> Self where Value == Wrapped? {
        Self(
            expectation: format.expectation + ", or null",
            read: { (value) throws(SettingFault) in
                if case .null = value { return nil }
                return try format.read(value)
            },
            write: { $0.map(format.write) ?? .null },
            separator: format.separator)
    }

    /// A list of this format; `separator` splits one that is given as text.
    static func list<Element>(_ format: SettingFormat<Element>, separator: Character) -> Self
    where Value == [Element] {
        let expectation = "a list, each \(format.expectation)"
        return Self(
            expectation: expectation,
            read: { (value) throws(SettingFault) in
                guard case .list(let list) = value else {
                    throw SettingFault(reason: "is \(value.line), expected \(expectation).")
                }
                var elements: [Element] = []
                for (index, element) in list.enumerated() {
                    do throws(SettingFault) {
                        elements.append(try format.read(element))
                    } catch {
                        throw error.inside("[\(index)]")
                    }
                }
                return elements
            },
            write: { .list($0.map(format.write)) },
            separator: separator)
    }
}
