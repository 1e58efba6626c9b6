/// The names of one directory, which can be looked up one by one or listed.
///
/// Where case does not count, a lookup finds a file under several spellings; only the listing shows its real name.
struct ListedNames {
    /// Whether a lookup finds something.
    let finds: (FilePath) -> Bool
    /// Every name of the listing.
    let all: () throws(SystemError) -> [FilePath]

    /// The spelling that the listing has for `name`, which a lookup has found; `nil` if it has none or several like it.
    ///
    /// The listing is read only if a lookup also finds the name in other case: otherwise case counts.
    func spelling(of name: FilePath) throws(SystemError) -> FilePath? {
        guard let other = name.inOtherCase, finds(other) else { return name }
        let names: [FilePath]
        do {
            names = try all()
        } catch  where error.isDenied {
            // Without the right to read the directory, no other spelling can be learned.
            return name
        }
        if names.contains(name) { return name }
        let like = names.filter { $0.display.lowercased() == name.display.lowercased() }
        return like.count == 1 ? like[0] : nil
    }
}

extension FilePath {
    /// The same name with upper and lower case swapped; `nil` if it has no letters of either case.
    var inOtherCase: FilePath? {
        guard let text = string else {
            let swapped = FilePath(bytes: bytes.map { Self.isLetter($0) ? $0 ^ 0x20 : $0 })
            return swapped == self ? nil : swapped
        }
        var swapped = ""
        // Letters whose other case has two letters, such as ß, stay: no file system compares them that way.
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
    /// The facts of the file that is listed as exactly `relative`; `nil` if a lookup finds it only by another spelling.
    ///
    /// Where case does not count, a lookup also finds a file by the spelling that it had before a rename.
    package func listedFacts(of relative: FilePath) throws(SystemError) -> FileFacts? {
        guard let facts = try existingFacts(of: relative), try spelling(of: relative) == relative else { return nil }
        return facts
    }

    /// The spelling of `relative`, which a lookup has found, in the listings along it; `nil` if one of them lacks it.
    package func spelling(of relative: FilePath) throws(SystemError) -> FilePath? {
        var path = FilePath(bytes: [])
        for name in relative.components {
            let names = ListedNames { [self, path] other in
                // If the lookup fails for another reason, the name that was found is taken to be right.
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
