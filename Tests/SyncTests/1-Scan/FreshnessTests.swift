import Foundation
import Platform
import Testing
import Text

@testable import Sync

/// How long a file is left alone, by the time that it states.
@Suite struct FreshnessTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test(arguments: [
        ("just written", 0.0, Freshness.fresh(until: now + 2)),
        ("a second ago", -1.0, .fresh(until: now + 1)),
        ("as long ago as is asked for", -2.0, .settled),
        ("long ago", -86_400.0, .settled),
        ("a time in the future is the user's own", 1.0, .settled),
        ("as long ago as a file can say", -10_690_000_000.0, .settled),
    ])
    func freshness(_ sentence: String, age: Double, freshness: Freshness) {
        let found = Freshness(modifiedAt: FileTime(Self.now + age), settle: .seconds(2), now: Self.now)
        #expect(found == freshness, Comment(rawValue: sentence))
    }
}
