package import Frames
import MediaModel

/// A file that `make` writes: its path, and how its bytes are made.
package struct MadeFile: Sendable {
    /// The path below the target directory, with slashes between directories.
    package let path: String
    private let content: Content

    private enum Content: Sendable {
        case picture(Picture, PictureWriter.Format)
        case movie(MovieWriter.Film, MovieWriter.Format, seed: UInt64, fadesIn: Bool)
        /// The first half of another file.
        indirect case cut(MadeFile)
        case bytes([UInt8])
    }

    /// A still scene.
    struct Picture: Sendable {
        var width: Int
        var height: Int
        var seed: UInt64
        /// EXIF, for JPEGs only; the stored picture is turned so that this orientation shows it upright.
        var exif: ExifSegment?
        /// Whether its background is transparent; PNG only.
        var isTransparent = false
    }

    static func picture(_ path: String, _ format: PictureWriter.Format, _ picture: Picture) -> MadeFile {
        MadeFile(path: path, content: .picture(picture, format))
    }

    static func movie(
        _ path: String, _ format: MovieWriter.Format, _ film: MovieWriter.Film, seed: UInt64, fadesIn: Bool = false
    ) -> MadeFile {
        MadeFile(path: path, content: .movie(film, format, seed: seed, fadesIn: fadesIn))
    }

    static func cut(_ path: String, from whole: MadeFile) -> MadeFile {
        MadeFile(path: path, content: .cut(whole))
    }

    static func bytes(_ path: String, _ bytes: [UInt8]) -> MadeFile {
        MadeFile(path: path, content: .bytes(bytes))
    }

    /// Encodes the file, to the same bytes each time.
    package func encoded() throws(FFmpegError) -> [UInt8] {
        switch content {
        case .picture(let picture, let format): return try Self.encode(picture, as: format)
        case .movie(let film, let format, let seed, let fadesIn):
            return try Self.encode(film, as: format, seed: seed, fadesIn: fadesIn)
        case .cut(let whole):
            let bytes = try whole.encoded()
            return Array(bytes.prefix(bytes.count / 2))
        case .bytes(let bytes): return bytes
        }
    }

    private static func encode(_ picture: Picture, as format: PictureWriter.Format) throws(FFmpegError) -> [UInt8] {
        let orientation = picture.exif.flatMap { Orientation(exif: $0.orientation) } ?? .upright
        let upright = Scene(seed: picture.seed, width: picture.width, height: picture.height).bitmap()
        if picture.isTransparent {
            return try PictureWriter.transparentPNG(upright, alpha: ellipse(picture.width, picture.height))
        }
        let bytes = try PictureWriter.encode(upright.turned(orientation.inverse), as: format)
        return picture.exif?.inserted(into: bytes) ?? bytes
    }

    private static func encode(
        _ film: MovieWriter.Film, as format: MovieWriter.Format, seed: UInt64, fadesIn: Bool
    ) throws(FFmpegError) -> [UInt8] {
        let turn = Orientation(rotation: film.rotation, isMirrored: false)
        // The film's size is that of stored frames, but the scene is drawn as a player shows it.
        let shown = turn.swapsSides ? (film.height, film.width) : (film.width, film.height)
        let scene = Scene(seed: seed, width: shown.0, height: shown.1)
        return try MovieWriter.encode(film, as: format) { number in
            let time = Double(number) / Double(film.frames)
            let shown = scene.bitmap(time: time, light: fadesIn ? min(1, time * 3) : 1).turned(turn.inverse)
            return film.transfer.map(shown.coded) ?? shown
        }
    }

    /// The opacity of each pixel: opaque in the middle, transparent in the corners.
    private static func ellipse(_ width: Int, _ height: Int) -> [UInt8] {
        (0..<width * height).map { at in
            let right = Double(at % width * 2 - width) / Double(width)
            let down = Double(at / width * 2 - height) / Double(height)
            return UInt8(max(0, min(255, (1.05 - right * right - down * down) * 2550)))
        }
    }
}
