/// What happens to an object of ours without a receipt, or whose receipt describes other bytes.
enum LeftoverFate: Hashable, Sendable {
    /// The file was deleted after it was sent: the object stays, and gets the receipt that it lacks.
    case adopted
    /// Another object is proven to hold its bytes, or it is a thumbnail without an original: it is deleted.
    case deleted
    /// The file is here, and other bytes of it were proven under the key: the file is sent again.
    case replaced
    /// It is left as it is: another step or a later pass settles it.
    case left

    /// - Parameters:
    ///   - file: The file that belongs to the key of the object.
    ///   - isProvenElsewhere: Whether another object of ours holds the same bytes, and has a receipt.
    ///   - isPictureOfNothing: Whether it is a thumbnail whose original storage does not hold.
    init(_ file: LeftoverFile, isProvenElsewhere: Bool, isPictureOfNothing: Bool) {
        self =
            switch file {
            case .gone: isProvenElsewhere || isPictureOfNothing ? .deleted : .adopted
            case .stored: .replaced
            case .other: .left
            }
    }
}

/// What is known of the file under whose key a leftover lies.
enum LeftoverFile: Hashable, Sendable {
    /// It was deleted; its disk is present.
    case gone
    /// It is here, and the receipt under the key describes its bytes.
    case stored
    /// It is still to be stored, or its state is unknown.
    case other
}
