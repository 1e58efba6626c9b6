package import Queue

extension UploadOutcome {
    /// The file gave other bytes than when it was read, though it looks as before.
    package static let unsteady = UploadOutcome.retry(
        Item.Failure(
            code: .unsteady, message: "The file gave other bytes when it was sent than when it was read before",
            retryable: true), after: nil)

    /// Whether the file gave other bytes than when it was read, though it looks as before.
    var isUnsteady: Bool { failure?.code == .unsteady }

    /// Whether the attempt may have left bytes under the key that are not the item's.
    var mayLeaveOtherBytes: Bool { self == .withdrawn || isUnsteady }
}
