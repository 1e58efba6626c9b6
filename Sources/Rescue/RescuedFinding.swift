import Catalog
package import FoundationEssentials
package import Queue
package import Records

/// What the library says about a rescued file; pure logic.
package enum RescuedFinding: Hashable, Sendable {
    /// It is stored.
    case stored(Receipt)
    /// The stages have it, and it cannot be stored for this reason.
    case troubled(Item.Failure)
    /// The stages have it, and it is not stored yet.
    case waiting
    /// The library has no record of it, or counts it as gone.
    case unknown

    /// What `record` says of `file`, which is stored where it has a receipt for `destination`.
    package init(_ record: FileRecord?, of file: JobFile, destination: String) {
        guard let record else {
            self = .unknown
            return
        }
        let receipt = record.receipts.first {
            $0.role == .original && $0.destination == destination && $0.sha256 == file.sha256
        }
        switch record.asset.state {
        case .gone, .remoteOnly:
            self = receipt.map(Self.stored) ?? .unknown
        case .seen, .identifying, .queued, .stored:
            self = receipt.map(Self.stored) ?? .waiting
        case .failed, .unreadable:
            self = .troubled(Self.failure(record, "could not be stored"))
        case .indexed:
            self = .troubled(Self.failure(record, "is not uploaded: its folder's autoUpload is off"))
        case .excluded:
            self = .troubled(Self.failure(record, "is not uploaded: it was cancelled"))
        case .ignored:
            self = .troubled(Self.failure(record, "is not uploaded: galleries leave such files aside"))
        case .held:
            self = .troubled(Self.failure(record, "is held: too many files changed at once"))
        }
    }

    private static func failure(_ record: FileRecord, _ words: String) -> Item.Failure {
        Item.Failure(
            code: record.code ?? .rescue(.kept),
            message: record.message ?? "The file is safe on this computer and \(words)", retryable: false)
    }
}

extension JobFile {
    /// Notes that the file has its receipt, for the object under `key`.
    package mutating func stored(as key: String, _ url: String, at date: Date) {
        stage = .stored
        objectKey = key
        storedURL = url
        storedAt = date
        failure = nil
    }

    /// The file as it was before it was stored; its row keeps the link that it got.
    var toBeStored: JobFile {
        var file = self
        file.stage = .safe
        (file.objectKey, file.storedURL, file.storedAt) = (nil, nil, nil)
        (file.thumbnailKey, file.thumbnailURL, file.thumbnailNote) = (nil, nil, nil)
        return file
    }

    /// Notes that the file cannot be stored any more.
    package mutating func lost(_ failure: Item.Failure) {
        stage = .failed
        self.failure = failure
    }
}
