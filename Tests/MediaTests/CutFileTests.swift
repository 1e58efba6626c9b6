import CFFmpeg
import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Files that end too early: each is refused with a reason, or shown with a note, unless nothing of the picture is lacking.
struct CutFileTests {
    /// Noise, so that no part of it looks like another.
    private static let noise: Bitmap = {
        var dice = BadFileTests.SystemDice(state: 5)
        return Bitmap(width: 40, height: 24, rgb: (0..<40 * 24 * 3).map { _ in .random(in: 0...255, using: &dice) })
    }()

    struct Kind: CustomTestStringConvertible, Sendable {
        let type: MediaType
        let file: @Sendable () throws -> [UInt8]
        var testDescription: String { type.name }

        init(_ type: MediaType, _ file: @escaping @Sendable () throws -> [UInt8]) {
            (self.type, self.file) = (type, file)
        }

        init(_ type: MediaType, encoder: String, _ format: AVPixelFormat) {
            self.init(type) {
                let target = Scaler.Target(width: 40, height: 24, format: format)
                let frame = try Scaler.convert(try Frame.copy(of: noise), to: target, flags: Scaler.exact)
                return try Encoder.file(of: frame, by: encoder)
            }
        }
    }

    private static let kinds: [Kind] =
        PictureWriter.Format.allCases.map { format in
            Kind(MediaType(format)) { try PictureWriter.encode(noise, as: format) }
        } + [
            Kind(.pnm, encoder: "ppm", AV_PIX_FMT_RGB24), Kind(.pcx, encoder: "pcx", AV_PIX_FMT_RGB24),
            Kind(.sgi, encoder: "sgi", AV_PIX_FMT_RGB24), Kind(.dpx, encoder: "dpx", AV_PIX_FMT_RGB24),
            Kind(.sunRaster, encoder: "sunrast", AV_PIX_FMT_BGR24), Kind(.qoi, encoder: "qoi", AV_PIX_FMT_RGB24),
            Kind(.tga, encoder: "targa", AV_PIX_FMT_BGR24),
            Kind(.jp2, encoder: "jpeg2000", AV_PIX_FMT_RGB24), Kind(.exr, encoder: "exr", AV_PIX_FMT_GBRPF32LE),
            Kind(.xbm, encoder: "xbm", AV_PIX_FMT_MONOWHITE), Kind(.pnm, encoder: "pam", AV_PIX_FMT_RGB24),
            Kind(.exr) {
                EXRFile(width: 40, height: 24, channels: [.init(name: "G") { x, y in Float((x * 7 + y * 3) % 9) / 9 }])
                    .bytes
            },
            Kind(.psd) {
                let head: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 24, 0, 0, 0, 40, 0, 8, 0, 3]
                return Array("8BPS".utf8) + head + [UInt8](repeating: 0, count: 14) + noise.rgb
            },
        ]

    /// All cuts near both ends, and some between.
    private static func cuts(of count: Int) -> [Int] {
        (0..<count).filter { $0 < 20 || $0 > count - 4 || $0 % max(1, count / 30) == 0 }
    }

    /// Where the mark of its scan, the scan's header or the scan itself is lacking.
    @Test(arguments: 0...13)
    func aJPEGThatEndsBeforeItsPictureIsToldOf(more: Int) throws {
        let whole = try PictureWriter.encode(Self.noise, as: .jpeg)
        let scan = try #require(whole.indices.first { whole[$0...].starts(with: [0xFF, 0xDA]) })
        switch try Examined.answer(Array(whole.prefix(scan + more)), as: .jpeg) {
        case .failed(let reason): #expect(!reason.isEmpty)
        case .examined(let facts, _): #expect(facts.notes.first?.hasPrefix("Damaged: ") == true)
        case .outOfMemory: Issue.record("out of memory")
        }
    }

    /// Libheif refuses what claims more than a file can have with the words for a lack of memory.
    @Test(arguments: [PictureWriter.Format.heic, .avif])
    func aCollectionThatClaimsTooMuchIsDamaged(format: PictureWriter.Format) throws {
        let whole = try PictureWriter.encode(Self.noise, as: format)
        for place in 8..<240 {
            for value in [0x80, 0xFF] as [UInt8] {
                var changed = whole
                changed[place] = value
                let answer = try Examined.answer(changed, as: MediaType(format), sizes: [])
                #expect(answer != .outOfMemory, "\(place): \(value)")
            }
        }
    }

    @Test(arguments: kinds)
    func aCutFileNeverLooksSound(_ kind: Kind) throws {
        let whole = try kind.file()
        let sound = try Examined.media(whole, as: kind.type, sizes: [40])
        #expect(sound.facts.notes == [] && sound.facts.width == 40 && sound.facts.height == 24)
        for count in Self.cuts(of: whole.count) {
            switch try Examined.answer(Array(whole.prefix(count)), as: kind.type, sizes: [40]) {
            case .failed(let reason): #expect(!reason.isEmpty)
            case .examined(let facts, let thumbnails):
                // Decoders cannot tell that the end of a row or a block is missing.
                let isNoted = facts.notes.contains { !$0.isEmpty } || count > whole.count * 9 / 10
                #expect(isNoted || thumbnails == sound.thumbnails, "\(count) of \(whole.count)")
            case .outOfMemory: Issue.record("\(count) of \(whole.count): out of memory")
            }
        }
    }
}
