import Catalog
package import FoundationEssentials
package import Queue
package import Records
import Text

/// The thumbnail of a rescued file, whose URL goes into its row; pure logic.
package enum RescuedPicture: Hashable, Sendable {
    case stored(Receipt)
    /// It is being made or uploaded.
    case coming
    /// There is none, or none soon, for this reason; `nil` where none is wanted.
    case missing(String?)

    /// Seconds that a row waits at most for the thumbnail of a stored file.
    static let patience = 3_600.0

    /// Decides from what the library and the queue know about the file.
    ///
    /// - Parameters:
    ///   - items: Its thumbnails that are in the queue and not stored yet.
    ///   - areMade: Whether this agent makes thumbnails.
    ///   - since: When the file itself was stored.
    package init(
        _ record: FileRecord?, items: [Item], destination: String, areMade: Bool, since: Date, now: Date
    ) {
        if let receipt = record.flatMap({ Self.nearest(of: $0, destination: destination) }) {
            self = .stored(receipt)
            return
        }
        let isOpen = items.contains { $0.isOpen && $0.blocked != .budget && $0.blocked != .tooLarge }
        let isOnItsWay =
            switch record?.pictures {
            case .wanted?, .lost?: areMade
            case .made?: isOpen
            case .unwanted?, .failed?, nil: false
            }
        guard !isOnItsWay || DatedWait(from: since, seconds: Self.patience).isOver(at: now) else {
            self = .coming
            return
        }
        let isWanted = (areMade || record?.pictures == .made) && record?.pictures != .unwanted
        self = .missing(isWanted ? Self.reason(record, items) : nil)
    }

    private static func reason(_ record: FileRecord?, _ items: [Item]) -> String {
        let words =
            if let failure = items.lazy.compactMap(\.lastError).first {
                failure.message
            } else if record?.pictures == .failed {
                record?.note ?? "none could be made of it"
            } else {
                "it is not stored yet"
            }
        return "Stored without its picture: \(words)"
    }

    /// The receipt of the thumbnail whose size is nearest to 512 pixels.
    private static func nearest(of record: FileRecord, destination: String) -> Receipt? {
        func distance(_ receipt: Receipt) -> Int? {
            receipt.destination == destination ? receipt.role.thumbnailSize.map { abs($0 - 512) } : nil
        }
        return record.receipts.filter { distance($0) != nil }.min { distance($0) ?? 0 < distance($1) ?? 0 }
    }
}

extension RescuedPicture {
    /// Whether the row should wait for it.
    package var isComing: Bool { self == .coming }

    /// The receipt of the stored thumbnail; `nil` for every other case.
    package var receipt: Receipt? { if case .stored(let receipt) = self { receipt } else { nil } }

    /// Why the row gets no thumbnail; `nil` where it does, and where none is wanted.
    package var absence: String? {
        switch self {
        case .stored: nil
        case .coming: "Stored without its picture: it is not stored yet"
        case .missing(let words): words
        }
    }
}
