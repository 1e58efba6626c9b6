import CFFmpeg
import MediaModel

/// Makes the wanted JPEGs from one decoded picture.
enum ThumbnailRenderer {
    /// One thumbnail per spec, all from `frame`, which is decoded once.
    ///
    /// - Parameter shape: Of the whole picture, which no thumbnail exceeds; the frame may be smaller when its
    ///   decoder halved it.
    static func thumbnails(
        of frame: borrowing Frame, shownAs shape: Shape, specs: [ThumbnailSpec]
    ) throws(FFmpegError) -> [Thumbnail] {
        guard let largest = specs.map(\.longSide).max() else { return [] }
        // Scaled before it is turned: there are fewer pixels to move.
        let stored = shape.fitted(into: largest).stored
        let bitmap = try Scaler.bitmap(from: frame, width: stored.width, height: stored.height)
        return try thumbnails(of: bitmap.turned(shape.orientation), shape: shape, specs: specs)
    }

    private static func thumbnails(
        of master: Bitmap, shape: Shape, specs: [ThumbnailSpec]
    ) throws(FFmpegError) -> [Thumbnail] {
        var result: [Thumbnail] = []
        for spec in specs {
            let size = shape.fitted(into: spec.longSide).shown
            result.append(try JPEGEncoder.thumbnail(of: master, width: size.width, height: size.height, spec: spec))
        }
        return result
    }
}

/// The shape of a picture as it is stored and as it is shown.
struct Shape: Hashable {
    struct Size: Hashable {
        var width: Int
        var height: Int
    }

    /// Stored pixels, already square.
    let stored: Size
    let orientation: Orientation

    /// - Parameter pixelAspect: Width of a stored pixel over its height; the width is stretched or shrunk by it.
    init(width: Int, height: Int, pixelAspect: Double, orientation: Orientation) {
        stored = Size(width: max(1, Int((Double(width) * pixelAspect).rounded())), height: height)
        self.orientation = orientation
    }

    private init(stored: Size, orientation: Orientation) {
        self.stored = stored
        self.orientation = orientation
    }

    /// Pixels after turning.
    var shown: Size {
        orientation.swapsSides ? Size(width: stored.height, height: stored.width) : stored
    }

    /// The same shape with a longer side of `longSide` at most, never enlarged, never thinner than a pixel.
    func fitted(into longSide: Int) -> Shape {
        let long = max(stored.width, stored.height)
        guard long > longSide, longSide > 0 else { return self }
        func scaled(_ side: Int) -> Int {
            max(1, Int((Double(side) * Double(longSide) / Double(long)).rounded()))
        }
        let size = Size(width: scaled(stored.width), height: scaled(stored.height))
        return Shape(stored: size, orientation: orientation)
    }
}
