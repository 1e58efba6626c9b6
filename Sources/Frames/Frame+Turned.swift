import CFFmpeg
package import MediaModel

extension Frame {
    /// The picture upright, mirrored and then turned; it must be YUVJ420P or YUVJ444P.
    package consuming func turned(_ orientation: Orientation) throws(FFmpegError) -> Frame {
        guard orientation != .upright else { return self }
        let size = orientation.swapsSides ? (height, width) : (width, height)
        let result = try Frame.blank(width: size.0, height: size.1, format: format)
        let half = format == AV_PIX_FMT_YUVJ444P ? 0 : 1
        for (plane, shift) in [(0, 0), (1, half), (2, half)] {
            guard let from = self.plane(plane), let to = result.plane(plane) else { continue }
            let stored = (width: (width + shift) >> shift, height: (height + shift) >> shift)
            Self.turn(from, stored, into: to, orientation)
        }
        return result
    }

    private struct Plane {
        let data: UnsafeMutablePointer<UInt8>
        let stride: Int
    }

    private func plane(_ index: Int) -> Plane? {
        let planes = [pointer.pointee.data.0, pointer.pointee.data.1, pointer.pointee.data.2]
        let strides = [pointer.pointee.linesize.0, pointer.pointee.linesize.1, pointer.pointee.linesize.2]
        return planes[index].map { Plane(data: $0, stride: Int(strides[index])) }
    }

    private static func turn(
        _ source: Plane, _ stored: (width: Int, height: Int), into target: Plane, _ orientation: Orientation
    ) {
        let (width, height) = orientation.swapsSides ? (stored.height, stored.width) : stored
        func offset(_ x: Int, _ y: Int) -> Int {
            let place = orientation.stored(x: x, y: y, width: stored.width, height: stored.height)
            return place.row * source.stride + place.column
        }
        for y in 0..<height {
            // Where the first sample of this row comes from, and the step to the next.
            var from = offset(0, y)
            let step = width > 1 ? offset(1, y) - from : 0
            let row = target.data + y * target.stride
            for x in 0..<width {
                row[x] = source.data[from]
                from += step
            }
        }
    }
}

extension Orientation {
    /// The stored sample that is shown at (x, y), in a stored picture of this size.
    func stored(x: Int, y: Int, width: Int, height: Int) -> (column: Int, row: Int) {
        let (column, row): (Int, Int)
        switch rotation {
        case 90: (column, row) = (y, height - 1 - x)
        case 180: (column, row) = (width - 1 - x, height - 1 - y)
        case 270: (column, row) = (width - 1 - y, x)
        default: (column, row) = (x, y)
        }
        return (isMirrored ? width - 1 - column : column, row)
    }
}
