import CDeflate
import CFFmpeg
import Frames

extension Packet {
    /// The most bytes of an unpacked drawing, because even a small file could unpack to more than the memory holds.
    private static let unpackedLimit = 16 << 20

    /// The content of a gzip file (RFC 1952).
    static func unpacked(_ bytes: UnsafeBufferPointer<UInt8>) throws(FFmpegError) -> Packet {
        let decoder = try FFmpegError.check(libdeflate_alloc_decompressor(), "libdeflate_alloc_decompressor")
        defer { libdeflate_free_decompressor(decoder) }
        let packet = try Packet()
        // A byte of deflate unpacks to 1,032 bytes at most.
        let room = min(unpackedLimit, bytes.count * 1032)
        try FFmpegError.check(av_new_packet(packet.pointer, Int32(room)), "av_new_packet")
        var (taken, made) = (0, 0)
        let code = libdeflate_gzip_decompress_ex(
            decoder, bytes.baseAddress, bytes.count, packet.pointer.pointee.data, room, &taken, &made)
        guard code == LIBDEFLATE_SUCCESS else {
            if code == LIBDEFLATE_INSUFFICIENT_SPACE { DecoderLog.keep("It unpacks to more than 16 MB") }
            throw FFmpegError(call: "libdeflate_gzip_decompress", code: cffmpeg_error_invalid_data)
        }
        av_shrink_packet(packet.pointer, Int32(made))
        return packet
    }
}
