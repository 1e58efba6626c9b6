import Platform
import Queue

/// Names that are escaped or shortened to become keys, and names by which files belong together.
extension GalleryModel {
    /// The number of the first of these names.
    private static let firstOdd = 60

    /// Groups of names that are easily taken for one another.
    static let confusable: [Range<Int>] = groups(of: confusing, from: firstOdd)
    /// Photos with their notes and their movies, and names for each kind that no history draws.
    static let related = (firstOdd + confusing.joined().count)..<(firstOdd + confusing.joined().count + album.count)

    /// Files whose names others have as the names of their folders.
    static let nested = related.upperBound..<(related.upperBound + nesting.count)

    /// The kinds of content that only files of these names have.
    static let (sidecar, movie) = (4, 5)

    /// The name with that number below `numbers`; `nil` if it is none of these.
    static func oddName(_ number: Int) -> FilePath? {
        guard number >= firstOdd, number - firstOdd < odd.count else { return nil }
        return odd[number - firstOdd]
    }

    /// The kind of content of the file with that name; `nil` if it is none of these.
    static func oddFormat(_ number: Int) -> Int? {
        guard let name = oddName(number) else { return nil }
        return name.fileExtension.elementsEqual(".xmp".utf8)
            ? sidecar : name.fileExtension.elementsEqual(".mov".utf8) ? movie : 0
    }

    /// Whether the file may get the name of another without being taken for something that it is not.
    func canBeCalled(_ number: Int, _ other: Int) -> Bool {
        let isPlain = max(number % Self.numbers, other % Self.numbers) < Self.firstOdd
        return (isPlain || Self.format(number) == Self.format(other))
            && (Self.canBeEmpty(other) || bytes(number)?.isEmpty == false)
    }

    /// Whether its name says media, so that it counts even without content.
    static func canBeEmpty(_ number: Int) -> Bool { name(number).fileExtension.count == 4 }

    /// An editor's notes about a photo, most of which say when it was taken.
    static func notes(_ content: UInt64) -> [UInt8] {
        Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'>\(content == 0 ? 0 : 1_000_000 * content)</x:xmpmeta>".utf8)
    }

    /// The name of the file whose object has that key.
    func name(ofKey key: String) -> FilePath? {
        if let path = ObjectKey(text: key).location()?.path { return path }
        return (0..<Self.numbers).map(Self.name).first { self.key($0) == key }
    }

    private static let odd = confusing.joined() + album + nesting

    private static let confusing: [[FilePath]] = [
        // The same letters composed, decomposed and in two encodings that are not UTF-8, of which people see the same.
        ["Caf\u{E9}.jpg", "Cafe\u{301}.jpg", latin([0xE9]), latin([0xE8])],
        ["STRAND.jpg", "Strand.jpg", "strand.jpg"],
        ["100%.jpg", "100%25.jpg", "100!25.jpg", "100#1?.jpg", "100\\\"\n.jpg", "\u{1F3D6}\u{FE0F}.jpg"],
        ["Ende", "Ende.", "Ende ", "Ende. "],
        [long("\u{E4}", 110, "1.jpg"), long("\u{E4}", 110, "2.jpg"), long("x", 196, ".jpg"), long("x", 197, ".jpg")],
        [deep("e"), deep("f")],
        // The name beside "a.jpg" under which its first or second content is stored if another program has the key.
        ["a.jpg", beside(0), beside(1)],
    ]

    private static let album: [FilePath] = [
        "Album/IMG_1.jpg", "Album/IMG_1.jpg.xmp", "Album/IMG_1.xmp", "Album/IMG_1.mov", "Album/IMG_2.jpg",
        "Album/IMG_2.jpg.xmp", "Album/IMG_2.xmp", "Album/IMG_2.mov", "hidden.xmp", "hidden.mov",
    ]

    private static let nesting: [FilePath] = ["Reise", "Reise/1.jpg", "Reise/2.jpg", "Reise/1.jpg/3.jpg"]

    private static func latin(_ letter: [UInt8]) -> FilePath {
        FilePath(bytes: Array("Caf".utf8) + letter + Array(".jpg".utf8))
    }

    private static func long(_ letter: String, _ count: Int, _ end: String) -> FilePath {
        FilePath(String(repeating: letter, count: count) + end)
    }

    private static func deep(_ letter: String) -> FilePath {
        FilePath("Deep/" + (0..<5).map { _ in String(repeating: letter, count: 190) + "/" }.joined() + "a.jpg")
    }

    private static func beside(_ content: UInt64) -> FilePath {
        FilePath("a--\(SHA256.hash(photo(content, size: 0)).hexadecimal.prefix(8)).jpg")
    }

    private static func groups(of names: [[FilePath]], from first: Int) -> [Range<Int>] {
        var next = first
        return names.map { group in
            defer { next += group.count }
            return next..<next + group.count
        }
    }
}
