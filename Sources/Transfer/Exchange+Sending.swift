import CCurl
import Glibc
import Platform

extension Exchange {
    static let bodyCallback: curl_read_callback = { buffer, size, count, context in
        Exchange.with(context) {
            $0.fill(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        } ?? Int(CURL_READFUNC_ABORT)
    }

    static let seekCallback: curl_seek_callback = { context, offset, origin in
        Exchange.with(context) { $0.seek(to: Int64(offset), origin: origin) } ?? CURL_SEEKFUNC_FAIL
    }

    /// Copies the next bytes of the body into `buffer`; returns how many, 0 at its end.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let rest = (request.body.length ?? 0) - position
        let wanted = Int(min(Int64(buffer.count), rest))
        guard wanted > 0 else { return 0 }
        let granted = throttle.grant(wanted, .sending, to: self)
        guard granted > 0 else { return Int(CURL_READFUNC_PAUSE) }
        guard let count = copy(UnsafeMutableRawBufferPointer(rebasing: buffer[..<granted])) else {
            return Int(CURL_READFUNC_ABORT)
        }
        position += Int64(count)
        throttle.spend(count, .sending, of: self)
        return count
    }

    /// Copies bytes of the body from `position` on; `nil` where the source has fewer than announced.
    private func copy(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        switch request.body {
        case .none:
            return nil
        case .bytes(let bytes):
            buffer.copyBytes(from: bytes[Int(position)..<(Int(position) + buffer.count)])
            return buffer.count
        case .file(let file, let offset, _, let observer):
            guard let count = read(file, at: offset + position, into: buffer) else { return nil }
            observer?.sent(UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes)
            return count
        }
    }

    private func read(_ file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        do throws(SystemError) {
            let count = try file.read(at: offset, into: buffer)
            if count > 0 { return count }
            failure = .sourceShrank
        } catch {
            failure = .local(error)
        }
        return nil
    }

    /// Goes back to the first byte, which curl asks for when a kept connection turned out to be dead.
    private func seek(to offset: Int64, origin: Int32) -> Int32 {
        guard origin == SEEK_SET, offset == 0 else { return CURL_SEEKFUNC_CANTSEEK }
        if case .file(_, _, _, let observer) = request.body, position > 0 { observer?.restarted() }
        position = 0
        return CURL_SEEKFUNC_OK
    }
}
