import CFFmpeg
import Frames

extension Frame {
    /// Corrects the format of a grey TGA with alpha, which FFmpeg's decoder takes for sixteen bits of colour.
    ///
    /// - Parameter file: The bytes that were decoded (Truevision TGA 2.0, field 5.6).
    func correctGrey(ofTarga file: UnsafeBufferPointer<UInt8>) {
        guard file.count > 18, file[2] & 7 == 3, file[16] == 16, format == AV_PIX_FMT_RGB555LE else { return }
        pointer.pointee.format = AV_PIX_FMT_YA8.rawValue
    }
}
