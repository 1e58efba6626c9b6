import CCurl
import Glibc

extension Exchange {
    /// Opens a socket to one address of the host, unless the request does not permit that address.
    ///
    /// After a refusal curl tries the host's next address, where there is one.
    static let socketCallback: curl_opensocket_callback = { context, _, address in
        guard let address else { return CURL_SOCKET_BAD }
        let isPermitted = Exchange.with(context) { $0.permits(&address.pointee) }
        guard isPermitted == true else { return CURL_SOCKET_BAD }
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }

    /// Stops the request where the connection, new or kept, leads to an address that it does not permit.
    static let readyCallback: curl_prereq_callback = { context, address, _, _, _ in
        let text = address.map { String(cString: $0) }
        let isPermitted = Exchange.with(context) { $0.permits(text) }
        return isPermitted == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    private func permits(_ address: inout curl_sockaddr) -> Bool {
        address.family == AF_UNIX || permits(Self.text(&address))
    }

    private func permits(_ address: String?) -> Bool {
        guard let permitsPeer = request.permitsPeer else { return true }
        if let address, permitsPeer(address) { return true }
        forbiddenPeer = address ?? "an address of an unknown kind"
        return false
    }

    /// The numeric address without its port; `nil` where it has none.
    private static func text(_ address: inout curl_sockaddr) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length = socklen_t(address.addrlen)
        let code = withUnsafePointer(to: &address.addr) {
            getnameinfo($0, length, &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        }
        guard code == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
