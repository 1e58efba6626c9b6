import Glibc
import Platform
import TestSupport
import Testing

@Suite struct MessageSocketTests {
    @Test(arguments: [0, 1, 4, 255, 65_536, 1_000_003])
    func messagesArriveWhole(count: Int) async throws {
        let (kept, child) = try MessageSocket.pair()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        // Its own threads, since two calls that wait for each other must not wait for free threads, too.
        let threads = Blocking("messages", limit: 4)
        async let sent: Void = threads.run { try child.send(bytes) }
        #expect(try await kept.receive(within: .seconds(30))?.bytes == bytes)
        try await sent
        async let answered: Void = kept.send(bytes, within: .seconds(30))
        #expect(try await threads.run { try child.receive() }?.bytes == bytes)
        try await answered
    }

    @Test func messagesKeepTheirOrderAndLimits() throws {
        let (kept, child) = try MessageSocket.pair()
        for number in 0..<100 { try kept.send(Array(repeating: UInt8(number), count: number)) }
        for number in 0..<100 { #expect(try child.receive()?.bytes.count == number) }
    }

    @Test func aFileComesAlong() async throws {
        try await FileTree(["a": "content"]).withDirectory { root in
            let (kept, child) = try MessageSocket.pair()
            try kept.send([1, 2], passing: try OpenFile(reading: root.appending("a")))
            try kept.send([3])
            let first = try #require(try child.receive())
            #expect(first.bytes == [1, 2])
            #expect(try first.file?.readAll() == Array("content".utf8))
            let second = try #require(try child.receive())
            #expect(second.file == nil)
            // Closed on exec, like all descriptors here.
            #expect(fcntl(try #require(first.file).descriptor, F_GETFD) == FD_CLOEXEC)
        }
    }

    @Test func theOtherSideCannotOpenFilesHere() throws {
        let (kept, child) = try MessageSocket.pair()
        try child.send([1], passing: try OpenFile(reading: "/dev/null"))
        let message = try #require(try kept.receive())
        #expect(message.bytes == [1])
        #expect(message.file == nil)
    }

    @Test func theEndIsNoMessage() throws {
        let kept: MessageSocket
        do {
            let pair = try MessageSocket.pair()
            try pair.child.send([7])
            kept = pair.kept
        }
        #expect(try kept.receive()?.bytes == [7])
        #expect(try kept.receive() == nil)
        #expect(throws: SystemError.self) { try kept.send([1]) }
    }

    @Test(arguments: [1, 3, 4, 9])
    func anEndWithinAMessageIsAFailure(count: Int) throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let kept = MessageSocket(descriptor: ends[0], acceptsFiles: false)
        try OpenFile(descriptor: ends[1]).append(Array([0, 0, 0, 6, 1, 2, 3, 4, 5][..<count]))
        let error = #expect(throws: SystemError.self) { try kept.receive() }
        #expect(error?.code == ECONNRESET)
    }

    @Test func messagesAboveTheLimitAreRefusedOnBothSides() throws {
        let (kept, child) = try MessageSocket.pair(limit: 10)
        try kept.send(Array(repeating: 1, count: 10))
        #expect(try child.receive()?.bytes.count == 10)
        #expect(throws: SystemError.self) { try kept.send(Array(repeating: 1, count: 11)) }
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        try OpenFile(descriptor: ends[1]).append([0, 0, 0, 11])
        let error = #expect(throws: SystemError.self) {
            try MessageSocket(descriptor: ends[0], limit: 10, acceptsFiles: false).receive()
        }
        #expect(error?.code == EMSGSIZE)
    }

    @Test func aDeadlineEndsTheWait() async throws {
        let (kept, child) = try MessageSocket.pair()
        let error = await #expect(throws: SystemError.self) { try await kept.receive(within: .milliseconds(1)) }
        #expect(error?.isTimeout == true)
        // More than the socket's buffers hold, and the peer does not read.
        await #expect(throws: SystemError.self) {
            try await kept.send(Array(repeating: 0, count: 8 << 20), within: .milliseconds(1))
        }
        child.disconnect()
    }

    @Test func cancellationEndsTheWait() async throws {
        let (kept, child) = try MessageSocket.pair()
        await withThrowingTaskGroup { group in
            group.addTask { _ = try await kept.receive(within: .seconds(1000)) }
            group.cancelAll()
            let error = await #expect(throws: SystemError.self) { try await group.next() }
            #expect(error?.code == ECANCELED)
        }
        #expect(try child.receive() == nil)
    }

    @Test func aChildInheritsItsEnd() async throws {
        let (kept, child) = try MessageSocket.pair()
        let process = try ChildProcess.spawn(
            "/bin/sh", arguments: ["-c", "cat <&3 >&3"], descriptors: [3: child.descriptor])
        try await kept.send([1, 2, 3], within: .seconds(30))
        #expect(try await kept.receive(within: .seconds(30))?.bytes == [1, 2, 3])
        kept.disconnect()
        #expect(try await process.end("the child ends with its socket") == .exited(0))
    }
}
