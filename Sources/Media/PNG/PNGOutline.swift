import Facts
import Frames

/// A large PNG without its pixels, which are read from the file part by part while they are unpacked.
///
/// Not mapped, because a program that cuts the file meanwhile would end this process.
enum PNGOutline {
    /// The most bytes of a file that is read whole: with a copy of its packed pixels and the unpacked ones, 100 MB.
    static let wholeLimit: Int64 = 24 << 20

    /// The most bytes of all that is not pixels.
    private static let limit = 64 << 20

    /// The file's chunks, of which those with pixels are empty; up to the first incomplete one.
    static func read(_ descriptor: Int32) throws(FFmpegError) -> Packet {
        let size = Int(try DescriptorInput.size(of: descriptor))
        var outline = try DescriptorInput.start(of: descriptor, count: 8)
        var offset = 8
        while offset + 12 <= size {
            let head = try DescriptorInput.start(of: descriptor, at: offset, count: 8)
            guard head.count == 8 else { break }
            let length = head.withUnsafeBufferPointer { $0.number(at: 0, bigEndian: true) }
            guard length <= size - offset - 12 else { break }
            if head[4...].elementsEqual("IDAT".utf8) || head[4...].elementsEqual("fdAT".utf8) {
                outline += [0, 0, 0, 0] + head[4...] + [0, 0, 0, 0]
            } else if outline.count + length <= limit {
                outline += try DescriptorInput.start(of: descriptor, at: offset, count: 12 + length)
            }
            offset += 12 + length
        }
        return try Packet.copy(of: outline)
    }
}
