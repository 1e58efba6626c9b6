import Testing
import Transfer

/// What a `Content-Range` tells, and what it does not.
@Suite struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 2-5/6", 2, 5, 6), ("bytes 0-0/*", 0, 0, nil), ("BYTES 0-0/1", 0, 0, 1), ("bytes */9", nil, nil, 9),
            ("bytes 0-9223372036854775807/*", 0, .max, nil), ("bytes 5-2/6", 5, nil, 6), ("bytes 5-x/6", 5, nil, 6),
            ("bytes -5/6", nil, nil, 6),
            ("bytes -1-7/9", nil, nil, 9), ("bytes +2-5/+6", nil, nil, nil), ("bytes 2-+5/6", 2, nil, 6),
            ("bytes a-b/c", nil, nil, nil), ("bytes */*", nil, nil, nil),
            ("bytes 0-7/-1", 0, 7, nil), ("items 0-1/2", nil, nil, nil), ("bytes 1-2", nil, nil, nil),
            ("bytes", nil, nil, nil), ("", nil, nil, nil),
        ] as [(String, Int64?, Int64?, Int64?)])
    func aRangeIsRead(_ row: (text: String, start: Int64?, end: Int64?, size: Int64?)) {
        let range = ContentRange(row.text)
        #expect(range?.start == row.start && range?.end == row.end && range?.size == row.size)
        #expect((range == nil) == (row.start == nil && row.size == nil))
    }

    @Test func aMissingHeaderIsNone() {
        #expect(ContentRange(nil) == nil)
    }
}
