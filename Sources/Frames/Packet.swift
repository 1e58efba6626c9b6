package import CFFmpeg
import Glibc

/// Coded bytes of one picture or frame, freed with their owner.
package struct Packet: ~Copyable {
    /// FFmpeg's own structure, valid as long as the packet.
    package let pointer: UnsafeMutablePointer<AVPacket>

    /// An empty packet for a demuxer or encoder to fill.
    package init() throws(FFmpegError) {
        pointer = try FFmpegError.check(av_packet_alloc(), "av_packet_alloc")
    }

    /// A whole file as one packet.
    ///
    /// - Parameter limit: Bytes at most; a longer file is refused rather than cut.
    package static func contents(of descriptor: Int32, limit: Int64) throws(FFmpegError) -> Packet {
        let size = try DescriptorInput.size(of: descriptor)
        guard size <= limit else {
            throw FFmpegError(call: "read", code: cffmpeg_error_of_errno(EFBIG))
        }
        let packet = try Packet()
        try FFmpegError.check(av_new_packet(packet.pointer, Int32(size)), "av_new_packet")
        var offset = 0
        while offset < Int(size) {
            let read = pread(descriptor, packet.pointer.pointee.data + offset, Int(size) - offset, off_t(offset))
            guard read >= 0 else { throw FFmpegError(call: "pread", code: cffmpeg_error_of_errno(errno)) }
            guard read > 0 else { break }
            offset += read
        }
        // The file may have shrunk meanwhile; the bytes after the end must be zero for FFmpeg's readers.
        av_shrink_packet(packet.pointer, Int32(offset))
        return packet
    }

    /// A copy of coded bytes.
    package static func copy(of bytes: [UInt8]) throws(FFmpegError) -> Packet {
        let packet = try Packet()
        try FFmpegError.check(av_new_packet(packet.pointer, Int32(bytes.count)), "av_new_packet")
        bytes.withUnsafeBufferPointer { source in
            if let from = source.baseAddress { packet.pointer.pointee.data.update(from: from, count: source.count) }
        }
        return packet
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&pointer)
    }

    /// Bytes.
    package var count: Int { Int(pointer.pointee.size) }
    /// Whether decoding can start here.
    package var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }

    /// The bytes, valid as long as the packet.
    package var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: pointer.pointee.data, count: count) }

    /// A copy of the bytes.
    package var bytes: [UInt8] { Array(buffer) }

    /// Puts bytes in the place of as many others; those that lie beyond its end are left out.
    package func replace(at offset: Int, by bytes: [UInt8]) {
        let buffer = UnsafeMutableBufferPointer(start: pointer.pointee.data, count: count)
        for (place, byte) in zip(buffer.indices.dropFirst(offset), bytes) { buffer[place] = byte }
    }

    /// Releases the contents, so that the packet can be filled again.
    func clear() {
        av_packet_unref(pointer)
    }
}
