import CFFmpeg
import Frames

extension Frame {
    /// Brings the samples of a PAM with transparency from its largest value to 255, which FFmpeg does without it only.
    ///
    /// - Parameter file: The bytes that were decoded (Netpbm, pam).
    func spreadSamples(ofPAM file: UnsafeBufferPointer<UInt8>) {
        let samples = format == AV_PIX_FMT_YA8 ? 2 : format == AV_PIX_FMT_RGBA ? 4 : 0
        guard samples > 0, let largest = Self.largestSample(ofPAM: file), (1..<255).contains(largest),
            av_frame_make_writable(pointer) >= 0, let start = pointer.pointee.data.0
        else { return }
        let spread = (0...255).map { UInt8((min($0, largest) * 255 + largest / 2) / largest) }
        for y in 0..<height {
            let row = start + y * Int(pointer.pointee.linesize.0)
            for x in 0..<width * samples { row[x] = spread[Int(row[x])] }
        }
    }

    /// The value of `MAXVAL` in its header, a line of which has a word and a value.
    private static func largestSample(ofPAM file: UnsafeBufferPointer<UInt8>) -> Int? {
        for line in file.prefix(4096).split(separator: UInt8(ascii: "\n")) {
            let words = line.split { " \t\r".utf8.contains($0) }
            if words.count == 1, words[0].elementsEqual("ENDHDR".utf8) { return nil }
            guard words.count == 2, words[0].elementsEqual("MAXVAL".utf8) else { continue }
            return Int(String(decoding: words[1], as: UTF8.self))
        }
        return nil
    }
}
