import Configuration

/// What lies under a key that an item is to fill.
enum KeyHolder: Hashable, Sendable, CaseIterable {
    /// The item's very bytes, no matter which client put them there.
    case same
    /// The object that our receipt is for; the user asked for the item once more.
    case unchanged
    /// The object that our receipt is for; the file changed since.
    case older
    /// The object that our receipt is for, whose file was gone before this one got its name.
    case lastCopy
    /// What an attempt of ours left, although no receipt covers it.
    case attempt
    /// What another computer stored: it alone may replace it.
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
    /// Of a thumbnail there is one, that of the file as it is: it is no version of anything.
    ///
    /// - Parameters:
    ///   - isOriginal: Whether the item is an original, and not a picture of one.
    ///   - isBeside: Whether the key is already one beside another: a second one beside it is not made.
    init(_ holder: KeyHolder, _ settings: Settings.Upload, isOriginal: Bool, isBeside: Bool) {
        switch holder {
        case .same: self = .accept
        case .unchanged, .attempt: self = .replace
        case .older: self = settings.onChange == .keepBoth && isOriginal ? .beside : .replace
        case .lastCopy: self = .setAside
        // The hash of its bytes is in the key, and others were found.
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
