import CFFmpeg
import Frames
import Glibc

/// A seekable file in memory for a muxer to write.
///
/// FFmpeg's own one (`avio_open_dyn_buf`) is not used, because it loses bytes when the AVI muxer goes back to fill in
/// its header.
struct MemoryOutput: ~Copyable {
    private struct State {
        var bytes: [UInt8] = []
        var offset = 0
    }

    private let file: CallbackIO<State>

    init() throws(FFmpegError) {
        file = try CallbackIO(State(), write: Self.write, seek: Self.seek)
    }

    /// FFmpeg's view of the file; valid as long as this value.
    var context: UnsafeMutablePointer<AVIOContext> { file.context }

    /// Everything written so far.
    var bytes: [UInt8] {
        avio_flush(context)
        return file.state.pointee.bytes
    }

    private static let write: CallbackIO<State>.Transfer = { opaque, buffer, count in
        guard let state = opaque?.assumingMemoryBound(to: State.self) else { return cffmpeg_error_invalid_data }
        let new = UnsafeBufferPointer(start: buffer, count: Int(count))
        let start = state.pointee.offset
        let gap = start - state.pointee.bytes.count
        if gap > 0 { state.pointee.bytes.append(contentsOf: repeatElement(0, count: gap)) }
        let overwritten = min(new.count, state.pointee.bytes.count - start)
        state.pointee.bytes.replaceSubrange(start..<start + overwritten, with: new.prefix(overwritten))
        state.pointee.bytes.append(contentsOf: new.dropFirst(overwritten))
        state.pointee.offset += new.count
        return count
    }

    private static let seek: CallbackIO<State>.Seek = { opaque, offset, whence in
        guard let state = opaque?.assumingMemoryBound(to: State.self) else { return Int64(cffmpeg_error_invalid_data) }
        switch whence & ~Int32(AVSEEK_FORCE) {
        case Int32(AVSEEK_SIZE): return Int64(state.pointee.bytes.count)
        case SEEK_SET: state.pointee.offset = max(0, Int(offset))
        case SEEK_CUR: state.pointee.offset = max(0, state.pointee.offset + Int(offset))
        default: state.pointee.offset = max(0, state.pointee.bytes.count + Int(offset))
        }
        return Int64(state.pointee.offset)
    }
}
