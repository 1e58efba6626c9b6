/// The names of one directory, as far as it is asked for them: by a lookup, or by its listing.
///
/// Where case does not count, a lookup finds a file by other names than its own; only the listing has that one.
struct ListedNames {
    /// Whether a lookup finds something.
    let finds: (FilePath) -> Bool
    /// Every name of the listing.
    let all: () throws(SystemError) -> [FilePath]

    /// How the listing has `name`, which a lookup has found; `nil` where it does not, or has several like it.
    ///
    /// The directory is read only where a lookup finds the name in other letters, too: elsewhere each name is its own.
    func spelling(of name: FilePath) throws(SystemError) -> FilePath? {
        guard let other = name.inOtherCase, finds(other) else { return name }
        let names: [FilePath]
        do {
            names = try all()
        } catch  where error.isDenied {
            // Who may not read the directory knows no other name of the file either.
            return name
        }
        if names.contains(name) { return name }
        let like = names.filter { $0.display.lowercased() == name.display.lowercased() }
        return like.count == 1 ? like[0] : nil
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
        guard let facts = try existingFacts(of: relative), try spelling(of: relative) == relative else { return nil }
        return facts
    }

    /// How the directories along `relative`, which a lookup has found, list it; `nil` where one of them does not.
    package func spelling(of relative: FilePath) throws(SystemError) -> FilePath? {
        var path = FilePath(bytes: [])
        for name in relative.components {
            let names = ListedNames { [self, path] other in
                // Where the lookup fails for another reason, nothing speaks against the name that was found.
                (try? existingFacts(of: path.appending(other))).flatMap { $0 } != nil
            } all: { [self, path] () throws(SystemError) in
                try open(directory: path).names()
            }
            guard let spelt = try names.spelling(of: FilePath(bytes: name)) else { return nil }
            path = path.appending(spelt)
        }
        return path
    }
}
