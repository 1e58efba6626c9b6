/// Which users own a TCP socket on this computer, as the kernel lists them.
package enum LoopbackPeer {
    /// The users whose sockets on 127.0.0.1 have `port`; empty where the kernel does not say.
    package static func users(ofPort port: UInt16) -> Set<UInt32> {
        ["/proc/net/tcp", "/proc/net/tcp6"].reduce(into: []) { users, path in
            guard let table = try? OpenFile(reading: FilePath(path)).readAll(limit: 64 << 20) else { return }
            users.formUnion(self.users(ofPort: port, in: String(decoding: table, as: UTF8.self)))
        }
    }

    /// The same from the text of `/proc/net/tcp` or `tcp6`, which proc(5) describes.
    static func users(ofPort port: UInt16, in table: String) -> Set<UInt32> {
        let digits = String(port, radix: 16, uppercase: true)
        let end = String(repeating: "0", count: 4 - digits.count) + digits
        let places = Set(loopback.map { "\($0):\(end)" })
        var users: Set<UInt32> = []
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ", maxSplits: 8)
            guard fields.count > 7, places.contains(String(fields[1])), let user = UInt32(fields[7]) else { continue }
            users.insert(user)
        }
        return users
    }

    /// 127.0.0.1 as the kernel prints it, for an IPv4 socket and for one that speaks both protocols.
    private static let loopback = ["0100007F", "0000000000000000FFFF00000100007F"]
}
