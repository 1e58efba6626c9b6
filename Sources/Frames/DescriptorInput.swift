import CFFmpeg
import Glibc

/// Lets FFmpeg read an open file with `pread`; opens no other file and does not close this one.
package struct DescriptorInput: ~Copyable {
    private struct State {
        let descriptor: Int32
        let size: Int64
        var offset: Int64
    }

    private let file: CallbackIO<State>

    /// FFmpeg's view of the file; valid as long as this value.
    var context: UnsafeMutablePointer<AVIOContext> { file.context }

    init(descriptor: Int32) throws(FFmpegError) {
        let state = State(descriptor: descriptor, size: try Self.size(of: descriptor), offset: 0)
        file = try CallbackIO(state, read: Self.read, seek: Self.seek)
    }

    /// The size in bytes of the file behind `descriptor`.
    package static func size(of descriptor: Int32) throws(FFmpegError) -> Int64 {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            throw FFmpegError(call: "fstat", code: cffmpeg_error_of_errno(errno))
        }
        return Int64(facts.st_size)
    }

    /// The first bytes of the file, or those from `offset` on, as many as there are.
    package static func start(of descriptor: Int32, at offset: Int = 0, count: Int) throws(FFmpegError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let read = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            code = read < 0 ? cffmpeg_error_of_errno(errno) : 0
            filled = max(0, read)
        }
        try FFmpegError.check(code, "pread")
        return bytes
    }

    /// The bytes of the file from `offset` on, as many up to `count` as can be read.
    package static func readable(of descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
        do throws(FFmpegError) {
            return try start(of: descriptor, at: offset, count: count)
        } catch {
            return []
        }
    }

    private static let read: CallbackIO<State>.Transfer = { opaque, buffer, count in
        guard let state = opaque?.assumingMemoryBound(to: State.self) else { return cffmpeg_error_invalid_data }
        let read = pread(state.pointee.descriptor, buffer, Int(count), off_t(state.pointee.offset))
        guard read >= 0 else { return cffmpeg_error_of_errno(errno) }
        guard read > 0 else { return cffmpeg_error_end_of_file }
        state.pointee.offset += Int64(read)
        return Int32(read)
    }

    private static let seek: CallbackIO<State>.Seek = { opaque, offset, whence in
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
