extension SettingFormat where Value == StorageAllowance {
    /// Bytes, or the word `unlimited`.
    static var allowance: Self {
        let bytes = SettingFormat<Int>.bytes(0...1_000_000_000_000_000)
        return Self(
            bytes.expectation + ", or \"unlimited\"",
            read: { value in
                if case .text("unlimited") = value { return .unlimited }
                return (try? bytes.read(value)).map(StorageAllowance.bytes)
            },
            write: { allowance in
                switch allowance {
                case .unlimited: .text("unlimited")
                case .bytes(let count): bytes.write(count)
                }
            })
    }
}

extension SettingValue {
    /// A budget as the configuration writes it.
    package init(_ allowance: StorageAllowance) {
        self = SettingFormat<StorageAllowance>.allowance.write(allowance)
    }
}

extension SettingFormat where Value == RateTimetable {
    /// Bytes per second, or a table of them by the time of the week.
    static var rates: Self {
        let rate = SettingFormat<Int>.bytes(1000...1_000_000_000_000)
        let expectation =
            rate.expectation + ", or a timetable like {\"mon-fri 08:00-18:00\": \"1M\", default: null}"
        return Self(
            expectation: expectation,
            read: { (value) throws(SettingFault) in
                guard case .table(let table) = value else {
                    if let single = try? rate.read(value) { return RateTimetable(always: single) }
                    throw SettingFault(reason: "is \(value.line), expected \(expectation).")
                }
                return try RateTimetable(table, rate)
            },
            write: { $0.value(rate) })
    }
}

extension RateTimetable {
    fileprivate init(
        _ table: [String: SettingValue], _ format: SettingFormat<Int>
    ) throws(SettingFault) {
        self.init(always: nil)
        for (name, value) in table.sorted(by: { $0.key < $1.key }) {
            do throws(SettingFault) {
                let rate = try SettingFormat<Int?>.optional(format).read(value)
                if name == "default" { self.otherwise = rate; continue }
                guard let span = Span(name) else {
                    throw SettingFault(reason: "is no time like \"mon-fri 08:00-18:00\", \"sat\" or \"22:00-06:00\".")
                }
                add(span, rate)
            } catch {
                throw error.inside(".\"\(name)\"")
            }
        }
    }

    fileprivate func value(_ format: SettingFormat<Int>) -> SettingValue {
        let write = SettingFormat<Int?>.optional(format).write
        guard !entries.isEmpty else { return write(otherwise) }
        var table = Dictionary(entries.map { ($0.span.text, write($0.rate)) }) { $1 }
        table["default"] = write(otherwise)
        return .table(table)
    }
}
