import Configuration

/// What lies under a key that an item is to fill.
enum KeyHolder: Hashable, Sendable, CaseIterable {
    /// The item's very bytes, no matter which client put them there.
    case same
    /// The object that our receipt is for; the user asked for the bytes once more, or it does not hold them.
    case unchanged
    /// The object that our receipt is for; the file changed since.
    case older
    /// The object that our receipt is for, whose file was gone before the item's file got its name.
    case lastCopy
    /// What an attempt of ours left, although no receipt covers it.
    case attempt
    /// What another computer stored: only that computer may replace it.
    case otherComputer
    /// What this computer stored before its library was lost: it may be all that is left of a file.
    case orphan
    /// Anything else.
    case foreign
}

/// What is to become of an item whose key is taken; design.md, "When files change, move, go".
enum KeyVerdict: Hashable, Sendable {
    /// Nothing needs to be sent.
    case accept
    case replace
    /// The object there is moved to a key beside this one, and the item takes its place.
    case setAside
    /// The item goes under a key of its own beside this one.
    case beside
    case refuse
}

extension KeyVerdict {
    /// Decides by whose object it is and what the settings say.
    ///
    /// A thumbnail always shows the file as it is now, so no second one is kept beside it.
    ///
    /// - Parameters:
    ///   - isOriginal: Whether the item is an original, and not a picture of one.
    ///   - isBeside: Whether the key is already beside another one: then no second one is made.
    init(_ holder: KeyHolder, _ settings: Settings.Upload, isOriginal: Bool, isBeside: Bool) {
        switch holder {
        case .same: self = .accept
        case .unchanged, .attempt: self = .replace
        case .older: self = settings.onChange == .keepBoth && isOriginal ? .beside : .replace
        case .lastCopy: self = .setAside
        // The key contains the hash of the item's bytes, so an object with other bytes there is wrong.
        case .orphan: self = isBeside ? .replace : .beside
        case .otherComputer: self = isBeside || settings.onForeign == .fail ? .refuse : .beside
        case .foreign:
            switch settings.onForeign {
            case .replace: self = .replace
            case .fail: self = .refuse
            case .keepBoth: self = isBeside ? .refuse : .beside
            }
        }
    }
}
