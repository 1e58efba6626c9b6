package import CFFmpeg

/// A file for FFmpeg whose functions get a state of ours; freed with its owner.
package final class CallbackIO<State> {
    /// Reads into or writes from the buffer; returns the count, or an `AVERROR`.
    package typealias Transfer =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32
        ) -> Int32
    /// Seeks by an offset and a `whence`; returns the new position, or the size if that is asked for.
    package typealias Seek = @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64

    /// Valid as long as this value.
    package let context: UnsafeMutablePointer<AVIOContext>
    /// The first argument of the functions.
    package let state: UnsafeMutablePointer<State>

    /// A file that is read or written, not both.
    package init(
        _ state: State, read: Transfer? = nil, write: Transfer? = nil, seek: @escaping Seek
    ) throws(FFmpegError) {
        let size: Int32 = 64 << 10
        let buffer = try FFmpegError.check(av_malloc(Int(size)), "av_malloc")
        let kept = UnsafeMutablePointer<State>.allocate(capacity: 1)
        kept.initialize(to: state)
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), size, write == nil ? 0 : 1, kept, read, write, seek)
        guard let context else {
            kept.deinitialize(count: 1).deallocate()
            av_free(buffer)
            throw FFmpegError(call: "avio_alloc_context", code: cffmpeg_error_out_of_memory)
        }
        (self.context, self.state) = (context, kept)
    }

    deinit {
        // FFmpeg may have replaced the buffer, so free the one it has now.
        av_free(context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&context)
        state.deinitialize(count: 1).deallocate()
    }
}
