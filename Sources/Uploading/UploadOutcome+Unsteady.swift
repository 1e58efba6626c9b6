package import Queue

extension UploadOutcome {
    /// The file gave other bytes than when it was read, though it looks as before.
    package static let unsteady = UploadOutcome.retry(
        Item.Failure(
            code: .unsteady, message: "The file gave other bytes when it was sent than when it was read before",
            retryable: true), after: nil)

    /// Whether the file gave other bytes than when it was read, though it looks as before.
    var isUnsteady: Bool { failure?.code == .unsteady }

    /// Whether it says that the item's bytes are stored, or that others lie under its key: nothing of it is in doubt then.
    var tellsOfItem: Bool {
        switch self {
        case .verified, .sent, .moved: true
        case .withdrawn, .interrupted, .notStored, .retry, .refused, .unreachable, .blocked: false
        }
    }

    /// Whether the attempt may have left bytes under the key that are not the item's.
    var mayLeaveOtherBytes: Bool { self == .withdrawn || isUnsteady }
}
