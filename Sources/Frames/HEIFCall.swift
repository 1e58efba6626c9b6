import CFFmpeg
package import CHeif

/// Code that all callers of libheif share.
package enum HEIFCall {
    /// Throws the error of `call`, and keeps libheif's words for it.
    package static func check(_ error: heif_error, _ call: String) throws(FFmpegError) {
        guard error.code != heif_error_Ok else { return }
        if let words = error.message { DecoderLog.keep(String(cString: words)) }
        // libheif reports this error also for sizes that no real file has; more memory would not help then.
        let isMemory =
            error.code == heif_error_Memory_allocation_error
            && error.subcode != heif_suberror_Security_limit_exceeded
        throw FFmpegError(call: call, code: isMemory ? cffmpeg_error_out_of_memory : cffmpeg_error_invalid_data)
    }

    /// The error of a call that returned nothing and no reason.
    package static func absence(_ call: String) -> FFmpegError {
        FFmpegError(call: call, code: cffmpeg_error_invalid_data)
    }

    /// The bytes of the file that was put together in `context`.
    package static func written(_ context: OpaquePointer) throws(FFmpegError) -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = heif_writer()
        writer.writer_api_version = 1
        writer.write = { _, data, count, target in
            target?.assumingMemoryBound(to: [UInt8].self).pointee
                .append(contentsOf: UnsafeRawBufferPointer(start: data, count: count))
            return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
        }
        let error = withUnsafeMutablePointer(to: &bytes) { heif_context_write(context, &writer, $0) }
        try check(error, "heif_context_write")
        return bytes
    }
}
