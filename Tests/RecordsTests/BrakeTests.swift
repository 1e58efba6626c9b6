import Testing

@testable import Records

@Suite struct BrakeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changed: Int
        var unread = 0
        let stored: Int
        var isOn = false
        let verdict: BrakeVerdict

        init(
            _ testDescription: String, changed: Int, unread: Int = 0, stored: Int, isOn: Bool = false,
            _ verdict: BrakeVerdict
        ) {
            self.testDescription = testDescription
            self.changed = changed
            self.unread = unread
            self.stored = stored
            self.isOn = isOn
            self.verdict = verdict
        }
    }

    @Test(arguments: [
        Row("nothing", changed: 0, stored: 0, .free),
        Row("one of one", changed: 1, stored: 1, .free),
        Row("50 are never too many", changed: 50, stored: 50, .free),
        Row("51 of 51 are", changed: 51, stored: 51, .hold),
        Row("51 of 509 are more than a tenth", changed: 51, stored: 509, .hold),
        Row("51 of 510 are a tenth", changed: 51, stored: 510, .free),
        Row("60 of 500", changed: 60, stored: 500, .hold),
        Row("100,000 of a million are a tenth", changed: 100_000, stored: 1_000_000, .free),
        Row("one more is not", changed: 100_001, stored: 1_000_000, .hold),
        Row("while too many may follow, none goes", changed: 1, unread: 50, stored: 500, .wait),
        Row("49 more are no reason to wait", changed: 1, unread: 49, stored: 50, .free),
        Row("nor is a tenth", changed: 1, unread: 50, stored: 510, .free),
        Row("what is known suffices", changed: 51, unread: 400, stored: 500, .hold),
        Row("it holds on", changed: 1, stored: 500, isOn: true, .hold),
    ])
    func theTable(_ row: Row) {
        let verdict = BrakeVerdict(changed: row.changed, unread: row.unread, stored: row.stored, isOn: row.isOn)
        #expect(verdict == row.verdict)
    }
}
