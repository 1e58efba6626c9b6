import Testing

@testable import Platform

@Suite struct LoopbackPeerTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 x 100 0 0 10 0
           1: 0100007F:00A3 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 x 20 4 30 10 -1
           2: 0100007F:00A3 0100007F:1F91 01 00000000:00000000 00:00000000 00000000  1001        0 3 1 x 20 4 30 10 -1
           3: 0200007F:00A4 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 4 1 x 20 4 30 10 -1
           4: 0000000000000000FFFF00000100007F:00A5 0000000000000000FFFF00000100007F:1F90 01 0:0 00:0 0  1002 0 5 1 x
           5: broken
        """

    @Test(
        arguments: [
            ("a listening socket", 0x1F90, [0]), ("two users with one port", 0xA3, [1000, 1001]),
            ("another address of loopback", 0xA4, []), ("a socket of both protocols", 0xA5, [1002]), ("none", 9, []),
        ] as [(String, UInt16, Set<UInt32>)])
    func theKernelsTableTellsUsers(_ why: String, port: UInt16, users: Set<UInt32>) {
        #expect(LoopbackPeer.users(ofPort: port, in: Self.table) == users, "\(why)")
    }
}
