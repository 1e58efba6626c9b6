import Platform
import TestSupport
import Testing

@testable import Rescue

/// A movie that ends at any of its bytes.
@Suite struct MovieCutTests {
    /// A box whose length is told in 64 bits.
    static func long(_ name: String, _ content: [UInt8]) -> [UInt8] {
        head(name, UInt64(16 + content.count)) + content
    }

    private static func head(_ name: String, _ length: UInt64) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 1] + Array(name.utf8)
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
        return bytes
    }

    static func extent(_ bytes: [UInt8], reading: Int = .max) throws -> MovieExtent {
        try MovieExtent(size: Int64(bytes.count)) { offset, count throws(SystemError) in
            Array(bytes.dropFirst(Int(offset)).prefix(min(count, reading)))
        }
    }

    static let movie =
        Reels.box("ftyp", [1, 2, 3, 4]) + Reels.box("moov", [UInt8](repeating: 7, count: 20))
        + long("mdat", [UInt8](repeating: 9, count: 30)) + Reels.box("free", [])

    /// Its index is at its beginning, so a decoder would open it all the same.
    @Test func onlyAtTheEndOfABoxItIsWhole() throws {
        // Less than the head of one box is no movie, and told by its first bytes.
        let boundaries = [12, 40, 86, 94]
        #expect(Self.movie.count == 94)
        for length in 8...Self.movie.count {
            let extent = try Self.extent(Array(Self.movie.prefix(length)))
            guard boundaries.contains(length) else {
                guard case .cut(let needed) = extent else {
                    Issue.record("\(length) bytes count as a whole movie")
                    continue
                }
                #expect(needed > Int64(length))
                continue
            }
            #expect(extent == .whole, "\(length) bytes")
        }
    }

    @Test(
        arguments: [
            ("a length of 8 is a box", [0, 0, 0, 8], .whole), ("one of 7 is none", [0, 0, 0, 7], .whole),
            ("one beyond the end", [0, 0, 0, 9], .cut(21)),
            ("the largest short one", [255, 255, 255, 255], .cut(4_294_967_307)),
        ] as [(String, [UInt8], MovieExtent)])
    func lengths(_ row: (why: String, length: [UInt8], extent: MovieExtent)) throws {
        let bytes = Reels.box("ftyp", [1, 2, 3, 4]) + row.length + Array("mdat".utf8)
        #expect(try Self.extent(bytes) == row.extent, "\(row.why)")
    }

    /// Nothing that a file says overflows, and every file is read to its end or not at all.
    @Test(
        arguments: [
            0, 1, 7, 8, 15, 16, 0x8000_0000, 0x4000_0000_0000_0000, 0x3fff_ffff_ffff_ffff, 0x7fff_ffff_ffff_ffff,
            0x8000_0000_0000_0000, .max,
        ] as [UInt64])
    func longLengths(length: UInt64) throws {
        let extent = try Self.extent(Reels.box("ftyp", [1, 2, 3, 4]) + Self.head("mdat", length))
        // The 15 bytes end a byte before the file does.
        let end: Int64 = length == 15 ? 15 + 8 : Int64(length & UInt64(Int64.max))
        let isWhole = end <= 16 || end >= Int64.max / 2
        #expect(extent == (isWhole ? MovieExtent.whole : .cut(12 + end)))
    }

    @Test func aDiskThatCannotBeReadIsNoVerdict() {
        #expect(throws: SystemError.self) {
            try MovieExtent(size: 100) { _, _ throws(SystemError) in throw SystemError(call: "pread", code: 5) }
        }
    }
}
