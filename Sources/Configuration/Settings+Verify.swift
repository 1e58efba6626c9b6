import Formats

extension Settings {
    /// What is checked again after it was stored.
    package struct Verify: Hashable, Sendable {
        /// Which of the objects proven by size only are read back and hashed.
        package var readBack = ReadBack.plainHTTP
    }

    /// Which objects to read back, of those that are proven by size only.
    package enum ReadBack: Hashable, Sendable {
        case never
        /// All, where the connection is plain HTTP: there nothing else detects a flipped bit.
        case plainHTTP
        /// A share in percent; the choice of objects is the same each time.
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
                    guard text.hasSuffix("%"), let percent = Double(digits: text.dropLast()), percent > 0,
                        percent <= 100
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
