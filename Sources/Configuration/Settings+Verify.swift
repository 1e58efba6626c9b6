extension Settings {
    /// What is looked at again once it is stored.
    package struct Verify: Hashable, Sendable {
        /// Which of the objects that only their size proves are read back and hashed.
        package var readBack = ReadBack.plainHTTP
    }

    /// Of the objects that are proven by size only, those to be read back.
    package enum ReadBack: Hashable, Sendable {
        case never
        /// All, where the connection is plain http: there nothing else notices a bit that turned over.
        case plainHTTP
        /// A part of all, in percent, the same one each time.
        case share(Double)
        case always
    }
}

extension SettingFormat where Value == Settings.ReadBack {
    /// One of three words, or a share like `5%`.
    static var readBack: Self {
        Self(
            "one of \"never\", \"plain-http\", \"always\", or a share like \"5%\"",
            read: { value in
                guard case .text(let text) = value else { return nil }
                switch text {
                case "never": return .never
                case "plain-http": return .plainHTTP
                case "always": return .always
                default:
                    guard text.hasSuffix("%"), let percent = Double(text.dropLast()), percent > 0, percent <= 100
                    else { return nil }
                    return .share(percent)
                }
            },
            write: { readBack in
                switch readBack {
                case .never: .text("never")
                case .plainHTTP: .text("plain-http")
                case .always: .text("always")
                case .share(let percent):
                    .text(percent == percent.rounded() ? "\(Int(percent))%" : "\(percent)%")
                }
            })
    }
}
