package import CFFmpeg
import Glibc

/// Lets FFmpeg read an open file with `pread`; opens no other file and does not close this one.
package struct DescriptorInput: ~Copyable {
    private struct State {
        let descriptor: Int32
        let size: Int64
        var offset: Int64
    }

    /// FFmpeg's view of the file; valid as long as this value.
    package let context: UnsafeMutablePointer<AVIOContext>
    private let state: UnsafeMutablePointer<State>

    private static let bufferSize: Int32 = 64 << 10

    init(descriptor: Int32) throws(FFmpegError) {
        let size = try Self.size(of: descriptor)
        guard let buffer = av_malloc(Int(Self.bufferSize)) else {
            throw FFmpegError(call: "av_malloc", code: cffmpeg_error_out_of_memory)
        }
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(descriptor: descriptor, size: size, offset: 0))
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, state, Self.read, nil, Self.seek)
        guard let context else {
            state.deallocate()
            av_free(buffer)
            throw FFmpegError(call: "avio_alloc_context", code: cffmpeg_error_out_of_memory)
        }
        self.context = context
        self.state = state
    }

    deinit {
        // FFmpeg may have replaced the buffer, so free the one it has now.
        av_free(context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&context)
        state.deallocate()
    }

    /// The size in bytes of the file behind `descriptor`.
    package static func size(of descriptor: Int32) throws(FFmpegError) -> Int64 {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            throw FFmpegError(call: "fstat", code: cffmpeg_error_of_errno(errno))
        }
        return Int64(facts.st_size)
    }

    /// The first bytes of the file, as many as there are.
    package static func start(of descriptor: Int32, count: Int) throws(FFmpegError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let read = pread(descriptor, buffer.baseAddress, count, 0)
            code = read < 0 ? cffmpeg_error_of_errno(errno) : 0
            filled = max(0, read)
        }
        try FFmpegError.check(code, "pread")
        return bytes
    }

    private static let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
        opaque, buffer, count in
        guard let state = opaque?.assumingMemoryBound(to: State.self) else { return cffmpeg_error_invalid_data }
        let read = pread(state.pointee.descriptor, buffer, Int(count), off_t(state.pointee.offset))
        guard read >= 0 else { return cffmpeg_error_of_errno(errno) }
        guard read > 0 else { return cffmpeg_error_end_of_file }
        state.pointee.offset += Int64(read)
        return Int32(read)
    }

    private static let seek: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
        opaque, offset, whence in
        guard let state = opaque?.assumingMemoryBound(to: State.self) else { return -1 }
        let origin: Int64
        switch whence & ~Int32(AVSEEK_FORCE) {
        case Int32(AVSEEK_SIZE): return state.pointee.size
        case SEEK_SET: origin = 0
        case SEEK_CUR: origin = state.pointee.offset
        case SEEK_END: origin = state.pointee.size
        default: return Int64(cffmpeg_error_invalid_data)
        }
        let (target, overflows) = origin.addingReportingOverflow(offset)
        guard !overflows, target >= 0 else { return Int64(cffmpeg_error_invalid_data) }
        state.pointee.offset = target
        return target
    }
}
