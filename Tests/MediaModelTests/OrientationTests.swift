import Testing

@testable import MediaModel

@Suite struct OrientationTests {
    private static let one: Int32 = 1 << 16

    /// The matrix that turns clockwise by `degrees`, after mirroring left to right if `isMirrored`.
    private static func matrix(_ degrees: Int, isMirrored: Bool) -> [Int32] {
        let turn: (a: Int32, b: Int32, c: Int32, d: Int32) =
            switch degrees {
            case 90: (0, one, -one, 0)
            case 180: (-one, 0, 0, -one)
            case 270: (0, -one, one, 0)
            default: (one, 0, 0, one)
            }
        let side: Int32 = isMirrored ? -1 : 1
        return [side * turn.a, side * turn.b, 0, turn.c, turn.d, 0, 0, 0, 1 << 30]
    }

    @Test(arguments: [0, 90, 180, 270], [false, true])
    func aDisplayMatrixTellsTurnAndMirror(degrees: Int, isMirrored: Bool) {
        let orientation = Orientation(displayMatrix: Self.matrix(degrees, isMirrored: isMirrored))
        #expect(orientation == Orientation(rotation: degrees, isMirrored: isMirrored))
    }

    @Test(arguments: [
        (1, 0, false), (2, 0, true), (3, 180, false), (4, 180, true), (5, 270, true), (6, 90, false), (7, 90, true),
        (8, 270, false),
    ])
    func anEXIFNumberTellsTurnAndMirror(number: Int, rotation: Int, isMirrored: Bool) {
        let orientation = Orientation(exif: number)
        #expect(orientation == Orientation(rotation: rotation, isMirrored: isMirrored))
        #expect(orientation?.exif == number)
    }

    @Test(arguments: [Int.min, -1, 0, 9, 65_535])
    func otherNumbersMeanNothing(number: Int) {
        #expect(Orientation(exif: number) == nil)
    }

    @Test(arguments: [
        [], [Int32](repeating: 0, count: 9), [Int32](repeating: .min, count: 9), [1 << 16],
        [Int32](repeating: 5, count: 10),
    ])
    func nonsenseIsAnOrientationToo(matrix: [Int32]) {
        #expect([0, 90, 180, 270].contains(Orientation(displayMatrix: matrix).rotation))
    }

    @Test func aSlightlySkewedMatrixIsTheNearest() {
        let matrix: [Int32] = [3_000, Self.one - 400, 0, 400 - Self.one, 2_000, 0, 0, 0, 1 << 30]
        #expect(Orientation(displayMatrix: matrix).rotation == 90)
    }

    @Test(arguments: 1...8)
    func theInverseOfTheInverseIsTheSame(number: Int) throws {
        let orientation = try #require(Orientation(exif: number))
        #expect(orientation.inverse.inverse == orientation)
        #expect(orientation.inverse.swapsSides == orientation.swapsSides)
        #expect(orientation.swapsSides == (number > 4))
    }
}
