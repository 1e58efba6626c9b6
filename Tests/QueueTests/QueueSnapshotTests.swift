import Fixtures
import Platform
import Testing

@testable import Queue

/// What stands in the way of how many items.
@Suite struct QueueSnapshotTests {
    private static func item(_ blocked: Item.Blocked?, _ code: FailureCode, isBackingOff: Bool = false) -> Item {
        Items.with { item in
            item.blocked = blocked
            item.lastError = Item.Failure(code: code, message: "why", retryable: true)
            item.nextAttemptAt = isBackingOff ? Items.now : nil
        }
    }

    @Test(
        arguments: [
            ("silence", .offline, "network.unreachable", 3), ("a paused project", .offline, "http.540", 3),
            ("an ended sign-in", .signIn, "auth.signedOut", 3), ("no bucket", .bucket, "storage.NoSuchBucket", 3),
            ("a used up plan", .budget, "http.402", 3), ("a full disk", .budget, "http.507", 3),
            ("one folder's policy", .signIn, "storage.AccessDenied", 1),
            ("room for this one", .budget, "limit.budget", 1), ("one file's size", .tooLarge, "limit.storage", 1),
        ] as [(String, Item.Blocked, FailureCode, Int)])
    func whatIsDueWaitsForWhatStandsBeforeAll(why: String, reason: Item.Blocked, code: FailureCode, files: Int) {
        let due = Items.pending()
        let snapshot = QueueSnapshot([
            Self.item(reason, code), due, due, Self.item(nil, "http.503", isBackingOff: true),
        ])
        #expect(snapshot.causes.map(\.value.files) == [files], "\(why)")
        #expect(snapshot.causes.first?.value.message == "why")
    }

    /// A file that was too large before the sign-in ended, and is smaller than the one that met that.
    @Test func whatIsDueTellsNothingOfWhatStandsBeforeAll() {
        let due = Items.with(Items.pending("2026/IMG_2.jpg", size: 10)) {
            $0.lastError = Item.Failure(code: "limit.storage", message: "too large", retryable: false)
        }
        let count = QueueSnapshot([due, Self.item(.signIn, "auth.signedOut"), due]).causes.first?.value
        #expect(count?.files == 3)
        #expect(count?.message == "why")
        #expect(count?.path == "Pictures/2026/IMG_1.jpg")
    }
}
