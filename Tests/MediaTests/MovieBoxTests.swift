import MediaModel
import Testing

@testable import Facts

/// The walk over a file's boxes, which reads those that state something and passes over the pictures.
@Suite struct MovieBoxTests {
    private static let pictures = MarkedMovie.box("mdat", [UInt8](repeating: 7, count: 300))
    private static let user = MarkedMovie.box("udta", MarkedMovie.box("date", Array("now".utf8)))
    private static let movie = MarkedMovie.box("moov", MarkedMovie.box("mvhd", [1, 2, 3]) + user)
    private static let start = MarkedMovie.box("ftyp", Array("qt  ".utf8))

    /// The walk over these bytes, and the most that it read at once.
    private static func walk(_ bytes: [UInt8], size: Int? = nil) -> (boxes: MovieBoxes, longest: Int, count: Int) {
        var (longest, count) = (0, 0)
        let boxes = MovieBoxes(size: size ?? bytes.count) { offset, length in
            (longest, count) = (max(longest, length), count + 1)
            return Array(bytes.dropFirst(offset).prefix(length))
        }
        return (boxes, longest, count)
    }

    /// A box whose length is written in eight bytes.
    private static func long(_ name: String, _ length: UInt64, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, 1] + Array(name.utf8) + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) } + content
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let isFound: Bool

        init(_ fact: String, _ bytes: [UInt8], _ isFound: Bool = true) {
            (testDescription, self.bytes, self.isFound) = (fact, bytes, isFound)
        }
    }

    @Test(arguments: [
        Row("behind the pictures", start + pictures + movie), Row("before them", start + movie + pictures),
        Row("behind pictures of a long length", start + long("mdat", 316, pictures.suffix(300)) + movie),
        Row("in a box to the end", start + pictures + [0, 0, 0, 0] + movie.dropFirst(4)),
        Row("behind pictures to the end", start + [0, 0, 0, 0] + pictures.dropFirst(4) + movie, false),
        Row("behind a length below its head", start + [0, 0, 0, 7] + pictures.dropFirst(4) + movie, false),
        Row("behind a long length below its head", start + long("mdat", 15, []) + movie, false),
        Row("behind a length beyond the file", start + long("mdat", 1 << 40, []) + movie, false),
        Row("behind a length beyond all numbers", start + long("mdat", .max, []) + movie, false),
        Row("behind a length whose sum overflows", start + long("mdat", UInt64(Int64.max), []) + movie, false),
        Row("in a movie that is cut short", start + movie.dropLast(), false),
        Row(
            "in user data that leaves its movie", start + MarkedMovie.box("moov", Array(user.dropLast())) + user, false),
        Row(
            "in the second user data of two",
            start + MarkedMovie.box("moov", MarkedMovie.box("udta", [0, 0, 0, 0]) + user)),
        Row("in the first movie of two", start + movie + MarkedMovie.box("moov", []), true),
        Row("in the second movie of two", start + MarkedMovie.box("moov", []) + movie, false),
        Row("behind a hundred boxes", (0..<100).flatMap { _ in start } + movie, false), Row("nowhere", [], false),
    ])
    func userDataIsFound(_ row: Row) {
        let (boxes, longest, _) = Self.walk(row.bytes)
        #expect(boxes.userData(named: "date") == (row.isFound ? Array("now".utf8) : nil))
        #expect(longest < 100)
    }

    /// What is too long for a camera's statement is not read.
    @Test(arguments: [(1 << 20, true), (1 << 20 + 1, false)]) func aLongBoxIsPassedOver(count: Int, isRead: Bool) {
        let user = MarkedMovie.box("udta", MarkedMovie.box("free", [UInt8](repeating: 0, count: count - 8)))
        // The second user data finds no room behind the first.
        let (boxes, longest, reads) = Self.walk(MarkedMovie.box("moov", user + user) + MarkedMovie.box("meta", [5]))
        #expect(boxes.userData(named: "free")?.count == (isRead ? count - 8 : nil) && boxes.metadata == [5])
        #expect(longest <= 1 << 20 && reads == (isRead ? 6 : 5))
    }

    @Test func aFileThatCannotBeReadStatesNothing() {
        let (boxes, _, reads) = Self.walk([], size: .max)
        #expect(boxes.userData(named: "date") == nil && boxes.packet == nil && reads == 1)
    }

    /// The box with XMP is known by its identifier, and other boxes of that name have others.
    @Test(arguments: [true, false]) func xmpHasABoxOfItsOwn(isXMP: Bool) {
        let identifier = isXMP ? PictureParts.xmpBox : PictureParts.xmpBox.reversed()
        let (boxes, _, _) = Self.walk(Self.start + MarkedMovie.box("uuid", identifier + [1, 2, 3]) + Self.movie)
        #expect(boxes.packet == (isXMP ? [1, 2, 3] : nil) && boxes.userData(named: "date") != nil)
        #expect(Self.walk(MarkedMovie.box("uuid", Array(identifier.prefix(9)))).boxes.packet == nil)
    }

    @Test func everyCutIsHarmless() {
        let bytes = Self.start + Self.movie + MarkedMovie.box("meta", [1]) + Self.pictures
        for count in 0..<bytes.count {
            let (boxes, _, _) = Self.walk(Array(bytes.prefix(count)))
            let isWhole = count >= Self.start.count + Self.movie.count
            #expect((boxes.userData(named: "date") != nil) == isWhole, "\(count)")
        }
    }
}
