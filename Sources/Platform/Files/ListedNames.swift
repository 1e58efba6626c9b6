/// The names of one directory, as far as it is asked for them: by a lookup, or by its listing.
///
/// Where case does not count, a lookup finds a file by other names than its own; only the listing has that one.
struct ListedNames {
    /// Whether a lookup finds something.
    let finds: (FilePath) -> Bool
    /// Every name of the listing.
    let all: () throws(SystemError) -> [FilePath]

    /// Whether the listing has `name`, which a lookup has found.
    ///
    /// The directory is read only where a lookup finds the name in other letters, too: elsewhere each name is its own.
    func holds(_ name: FilePath) throws(SystemError) -> Bool {
        guard let other = name.inOtherCase, finds(other) else { return true }
        do {
            return try all().contains(name)
        } catch  where error.isDenied {
            // Who may not read the directory knows no other name of the file either.
            return true
        }
    }
}

extension FilePath {
    /// The same with small letters in place of capitals and the reverse; `nil` where it has none of either.
    var inOtherCase: FilePath? {
        guard let text = string else {
            let swapped = FilePath(bytes: bytes.map { Self.isLetter($0) ? $0 ^ 0x20 : $0 })
            return swapped == self ? nil : swapped
        }
        var swapped = ""
        // A letter that becomes two, as ß does, is none that disks compare so.
        for scalar in text.unicodeScalars {
            let cases = [scalar.properties.uppercaseMapping, scalar.properties.lowercaseMapping]
            let other = cases.first { $0.unicodeScalars.count == 1 && $0.unicodeScalars.first != scalar }
            swapped += other ?? String(scalar)
        }
        let path = FilePath(swapped)
        return path == self ? nil : path
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }
}

extension Directory {
    /// The facts of the file that is listed as `relative`; `nil` where nothing is, though it may be found by that name.
    ///
    /// Where case does not count, a renamed file is found by its former name as well.
    package func listedFacts(of relative: FilePath) throws(SystemError) -> FileFacts? {
        guard let facts = try existingFacts(of: relative) else { return nil }
        var directory = FilePath(bytes: [])
        for name in relative.components {
            let names = ListedNames { [self, directory] other in
                // Where the lookup fails for another reason, nothing speaks against the name that was found.
                (try? existingFacts(of: directory.appending(other))).flatMap { $0 } != nil
            } all: { [self, directory] () throws(SystemError) in
                try open(directory: directory).names()
            }
            guard try names.holds(FilePath(bytes: name)) else { return nil }
            directory = directory.appending(name)
        }
        return facts
    }
}
