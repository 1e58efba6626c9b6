import MediaModel
import Testing

@testable import Frames
@testable import Media

@Suite struct BitmapTests {
    /// EXIF 2.32, 4.6.4: which side of the shown picture the stored first row and first column are.
    ///
    /// Here as the shown letters of a stored "ab / cd / ef".
    @Test(arguments: [
        (1, ["ab", "cd", "ef"]), (2, ["ba", "dc", "fe"]), (3, ["fe", "dc", "ba"]), (4, ["ef", "cd", "ab"]),
        (5, ["ace", "bdf"]), (6, ["eca", "fdb"]), (7, ["fdb", "eca"]), (8, ["bdf", "ace"]),
    ])
    func anOrientationPutsEachPixelInItsPlace(number: Int, shown: [String]) throws {
        let orientation = try #require(Orientation(exif: number))
        let stored = Self.bitmap(["ab", "cd", "ef"])
        #expect(stored.turned(orientation) == Self.bitmap(shown))
        #expect(stored.turned(orientation).turned(orientation.inverse) == stored)
    }

    @Test(arguments: 1...8)
    func oneRowAndOneColumnTurnToo(number: Int) throws {
        let orientation = try #require(Orientation(exif: number))
        for stored in [Self.bitmap(["abc"]), Self.bitmap(["a", "b"]), Self.bitmap(["a"])] {
            #expect(stored.turned(orientation).turned(orientation.inverse) == stored)
        }
    }

    private static func bitmap(_ rows: [String]) -> Bitmap {
        let letters = rows.flatMap(\.utf8)
        return Bitmap(
            width: rows[0].utf8.count, height: rows.count, rgb: letters.flatMap { [$0, $0 &+ 1, $0 &+ 2] })
    }
}
