import CFFmpeg
import Facts
import Frames

/// Bitmaps, icons and pointers of OS/2, one or an array of them for several screens (IBM OS/2 Toolkit, `pmbitmap.h`).
struct OS2Picture {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Where the file headers of the pictures are.
    private var places: [Int] = []

    /// - Parameter bytes: The file, which must outlive this value.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        guard bytes.count >= 28 else { return nil }
        guard bytes.starts(with: "BA".utf8) else {
            guard Self.isMasked(bytes[...]) else { return nil }
            places = [0]
            return
        }
        var place = 0
        repeat {
            places.append(place + 14)
            let next = bytes.number(at: place + 6, bigEndian: false)
            // Only forwards, so that the walk ends.
            guard next > place else { return }
            place = next
        } while place <= bytes.count - 28
    }

    private static func isMasked(_ mark: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        ["CI", "CP", "IC", "PT"].contains { mark.starts(with: $0.utf8) }
    }

    /// The widest picture; among equally wide ones that with the most colours; `nil` if none can be read.
    func frame(maxPixels: Int) throws(FFmpegError) -> Frame? {
        let parts = places.compactMap(parts(at:))
        guard let best = parts.max(by: { ($0.picture.width, $0.picture.bits) < ($1.picture.width, $1.picture.bits) }),
            let frame = try best.picture.frame(maxPixels: maxPixels)
        else { return nil }
        guard let mask = try best.mask?.frame(maxPixels: maxPixels) else { return frame }
        let height = mask.height / 2
        guard height > 0, mask.width == frame.width, let hidden = mask.pointer.pointee.data.0 else { return frame }
        let stride = Int(mask.pointer.pointee.linesize.0)
        // The mask's upper half is white in hidden pixels; for an icon of two colours, its lower half is the picture.
        let shown = best.isOfTwoColours ? try frame.cropped(to: height) : frame
        guard shown.height == height else { return shown }
        return try shown.masked { x, y in hidden[y * stride + x * 3] > 127 }
    }

    private struct Parts {
        let picture: BMPPicture
        let mask: BMPPicture?
        var isOfTwoColours = false
    }

    private func parts(at place: Int) -> Parts? {
        guard place <= bytes.count - 28, let first = BMPPicture(bytes, at: place) else { return nil }
        guard Self.isMasked(bytes[place...]) else { return Parts(picture: first, mask: nil) }
        guard bytes[place] == UInt8(ascii: "C") else { return Parts(picture: first, mask: first, isOfTwoColours: true) }
        return BMPPicture(bytes, at: first.end).map { Parts(picture: $0, mask: first) }
    }
}

extension Frame {
    /// A copy of the lowest rows.
    fileprivate func cropped(to rows: Int) throws(FFmpegError) -> Frame {
        let result = try Frame.blank(width: width, height: rows, format: format)
        guard let from = pointer.pointee.data.0, let to = result.pointer.pointee.data.0 else { return result }
        let stride = Int(pointer.pointee.linesize.0)
        for y in 0..<rows {
            let row = to + y * Int(result.pointer.pointee.linesize.0)
            row.update(from: from + (height - rows + y) * stride, count: width * 3)
        }
        return result
    }
}
