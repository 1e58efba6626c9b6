import CCurl
import Glibc
import Platform

/// A curl easy handle with exactly one owner: typed options are set, typed facts are read.
///
/// It may be used from any thread, never from two at once.
final class EasyHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
    /// Where curl writes its sentence about what went wrong.
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fields: UnsafeMutablePointer<curl_slist>?

    init() {
        EasyHandle.prepareLibrary
        guard let pointer = curl_easy_init() else { fatalError("curl_easy_init: out of memory") }
        self.pointer = pointer
        message.pointee = 0
        set(CURLOPT_ERRORBUFFER, pointer: message)
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(fields)
        message.deallocate()
    }

    /// Runs once, before the first use of the library.
    static let prepareLibrary: Void = {
        curl_global_init(Int(CURL_GLOBAL_ALL))
    }()

    // Setting an option with a value of the right type fails only when memory runs out.

    func set(_ option: CURLoption, _ value: Int) { expect(ccurl_set_long(pointer, option, value)) }
    func set(_ option: CURLoption, _ isOn: Bool) { set(option, isOn ? 1 : 0) }
    func set(_ option: CURLoption, offset: Int64) { expect(ccurl_set_offset(pointer, option, curl_off_t(offset))) }
    func set(_ option: CURLoption, _ text: String) { expect(ccurl_set_text(pointer, option, text)) }
    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) {
        expect(ccurl_set_pointer(pointer, option, value))
    }

    func set(_ option: CURLoption, path: FilePath) {
        path.bytes.map(CChar.init(bitPattern:)).withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
                _ = text.initialize(from: bytes)
                text[bytes.count] = 0
                expect(ccurl_set_text(pointer, option, text.baseAddress))
            }
        }
    }

    /// Sets header lines as they are to be sent.
    func set(fields lines: [String]) {
        for line in lines { fields = curl_slist_append(fields, line) }
        expect(ccurl_set_pointer(pointer, CURLOPT_HTTPHEADER, fields))
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        ccurl_get_long(pointer, info, &value)
        return value
    }

    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        ccurl_get_offset(pointer, info, &value)
        return Int64(value)
    }

    /// What curl says about `code`: about this request where it wrote a sentence, else in general.
    func text(for code: CURLcode) -> String {
        message.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: message)
    }

    private func expect(_ code: CURLcode) {
        precondition(code == CURLE_OK, "curl_easy_setopt: \(String(cString: curl_easy_strerror(code)))")
    }
}

extension EasyHandle {
    /// The options that hold for every connection.
    func setDefaults() {
        set(CURLOPT_NOSIGNAL, true)
        set(CURLOPT_NOPROGRESS, true)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_PATH_AS_IS, true)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
        // The environment's proxy variables must not redirect a gallery.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_TCP_KEEPALIVE, true)
        // A name server that does not answer must not block the thread when a request ends.
        set(CURLOPT_QUICK_EXIT, true)
        ccurl_set_opened(pointer, Self.openedCallback)
    }

    /// Makes a new socket close on exec, so that programs started meanwhile do not inherit it.
    private static let openedCallback: curl_sockopt_callback = { _, socket, _ in
        fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR
    }
}
