import CFFmpeg
import Frames
import Glibc

/// A seekable file in memory for a muxer to write.
///
/// FFmpeg's own (`avio_open_dyn_buf`) loses bytes when the AVI muxer goes back to fill in its header.
struct MemoryOutput: ~Copyable {
    private struct State {
        var bytes: [UInt8] = []
        var offset = 0
    }

    /// FFmpeg's view of the file; valid as long as this value.
    let context: UnsafeMutablePointer<AVIOContext>
    private let state: UnsafeMutablePointer<State>

    init() throws(FFmpegError) {
        let bufferSize: Int32 = 64 << 10
        guard let buffer = av_malloc(Int(bufferSize)) else {
            throw FFmpegError(call: "av_malloc", code: cffmpeg_error_out_of_memory)
        }
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State())
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), bufferSize, 1, state, nil, Self.write, Self.seek)
        guard let context else {
            state.deinitialize(count: 1).deallocate()
            av_free(buffer)
            throw FFmpegError(call: "avio_alloc_context", code: cffmpeg_error_out_of_memory)
        }
        self.context = context
        self.state = state
    }

    deinit {
        av_free(context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&context)
        state.deinitialize(count: 1).deallocate()
    }

    /// Everything written so far.
    var bytes: [UInt8] {
        avio_flush(context)
        return state.pointee.bytes
    }

    private static let write: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 =
        {
            opaque, buffer, count in
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

    private static let seek: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
        opaque, offset, whence in
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
