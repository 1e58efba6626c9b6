import COpenJPEG
import Frames
import Glibc

/// Lets OpenJPEG read a file that is in memory; freed with its owner.
struct JPEG2000Source: ~Copyable {
    private struct State {
        let bytes: UnsafeBufferPointer<UInt8>
        var offset: Int
    }

    /// OpenJPEG's view of the file; valid as long as this value.
    let stream: UnsafeMutablePointer<opj_stream_t?>
    private let state: UnsafeMutablePointer<State>

    /// - Parameter bytes: The file, which must outlive this value.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(FFmpegError) {
        stream = try FFmpegError.check(opj_stream_create(64 << 10, 1), "opj_stream_create")
        state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(bytes: bytes, offset: 0))
        opj_stream_set_user_data(stream, state, nil)
        opj_stream_set_user_data_length(stream, UInt64(bytes.count))
        opj_stream_set_read_function(stream, Self.read)
        opj_stream_set_skip_function(stream, Self.skip)
        opj_stream_set_seek_function(stream, Self.seek)
    }

    deinit {
        opj_stream_destroy(stream)
        state.deallocate()
    }

    private static let read: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Int = {
        target, count, opaque in
        guard let target, let state = opaque?.assumingMemoryBound(to: State.self) else { return -1 }
        let source = state.pointee
        let length = min(count, source.bytes.count - source.offset)
        guard length > 0, let start = source.bytes.baseAddress else { return -1 }
        memcpy(target, start + source.offset, length)
        state.pointee.offset += length
        return length
    }

    private static let skip: @convention(c) (Int64, UnsafeMutableRawPointer?) -> Int64 = { count, opaque in
        guard let state = opaque?.assumingMemoryBound(to: State.self) else { return -1 }
        let (target, overflows) = Int64(state.pointee.offset).addingReportingOverflow(count)
        guard !overflows, target >= 0, target <= Int64(state.pointee.bytes.count) else { return -1 }
        state.pointee.offset = Int(target)
        return count
    }

    private static let seek: @convention(c) (Int64, UnsafeMutableRawPointer?) -> Int32 = { target, opaque in
        guard let state = opaque?.assumingMemoryBound(to: State.self), target >= 0,
            target <= Int64(state.pointee.bytes.count)
        else { return 0 }
        state.pointee.offset = Int(target)
        return 1
    }
}
