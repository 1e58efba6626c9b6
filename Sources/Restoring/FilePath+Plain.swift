import Platform

extension FilePath {
    /// The same path with a similar character in place of each that some disks refuse in names, as exFAT and NTFS do;
    /// `nil` if it has none.
    ///
    /// That is the full-width form of `" * : < > ? \ |` and of a dot at the end, the picture of a control character and
    /// of a space at the end, and the replacement character for bytes that are no text. Windows opens no file whose
    /// name ends in a dot or a space.
    var plain: FilePath? {
        let names = components.map { name -> [UInt8] in
            var text = ""
            for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
                text.unicodeScalars.append(Self.likeness(of: scalar) ?? scalar)
            }
            if let last = text.unicodeScalars.last.flatMap(Self.likeness(ofLast:)) {
                text.unicodeScalars.removeLast()
                text.unicodeScalars.append(last)
            }
            return Array(text.utf8)
        }
        let path = names.reduce(FilePath(bytes: [])) { $0.appending($1) }
        return path == self ? nil : path
    }

    /// The characters of the last name that some disks refuse, for a trial of the disk; empty if there are none.
    var odd: [UInt8] {
        guard let text = String(validating: name, as: UTF8.self) else {
            return Array(name.filter { $0 >= 0x80 }.prefix(64))
        }
        return Set(text.unicodeScalars.filter { Self.likeness(of: $0) != nil }).sorted().flatMap {
            Array(String($0).utf8)
        }
    }

    /// The dot or space at the end of the last name, which some disks refuse, too; empty if there is none.
    var oddEnd: [UInt8] {
        name.last.flatMap { Self.likeness(ofLast: Unicode.Scalar($0)) == nil ? nil : [$0] } ?? []
    }

    private static func likeness(ofLast scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case ".": "\u{FF0E}"
        case " ": "\u{2420}"
        default: nil
        }
    }

    private static func likeness(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "\"", "*", ":", "<", ">", "?", "\\", "|": Unicode.Scalar(scalar.value + 0xFEE0)
        case "\u{1}"..."\u{1F}": Unicode.Scalar(scalar.value + 0x2400)
        case "\u{7F}": "\u{2421}"
        default: nil
        }
    }
}
