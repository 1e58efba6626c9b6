import Glibc
import Platform
import TestSupport
import Testing

/// Whatever a broken or hostile process sends gives messages, the end or an error.
@Suite struct MessageNoiseTests {
    /// Sends `bytes` in pieces and closes; returns what the other end receives.
    static func outcome(of bytes: [UInt8], pieces: Int = 1, limit: Int = 1000) throws -> [Result<[UInt8], SystemError>]
    {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let receiver = MessageSocket(descriptor: ends[0], limit: limit, acceptsFiles: false)
        do {
            let sender = OpenFile(descriptor: ends[1])
            let size = max(1, bytes.count / pieces)
            for start in stride(from: 0, to: bytes.count, by: size) {
                try sender.append(Array(bytes[start..<min(start + size, bytes.count)]))
            }
        }
        var outcome: [Result<[UInt8], SystemError>] = []
        while true {
            do throws(SystemError) {
                guard let message = try receiver.receive() else { return outcome }
                outcome.append(.success(message.bytes))
            } catch {
                return outcome + [.failure(error)]
            }
        }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func noiseEndsInAnErrorOrAnEnd(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let noise = (0..<Int.random(in: 0..<200, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random) }
        let outcome = try Self.outcome(of: noise)
        let bytes = outcome.reduce(0) { $0 + ((try? $1.get().count + 4) ?? 0) }
        #expect(bytes <= noise.count)
        #expect(outcome.dropLast().allSatisfy { (try? $0.get()) != nil })
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func piecesDoNotMatter(pieces: Int) throws {
        let frames: [[UInt8]] = [[0, 0, 0, 3, 1, 2, 3], [0, 0, 0, 0], [0, 0, 0, 1, 9]]
        let outcome = try Self.outcome(of: frames.flatMap { $0 }, pieces: pieces)
        #expect(outcome.compactMap { try? $0.get() } == [[1, 2, 3], [], [9]])
        #expect(outcome.count == 3)
    }

    @Test func aHugeLengthAllocatesNothing() throws {
        let outcome = try Self.outcome(of: [255, 255, 255, 255, 1], limit: 1 << 20)
        #expect(outcome == [.failure(SystemError(call: "recvmsg", code: EMSGSIZE))])
        let truncated = try Self.outcome(of: [0x7f, 0, 0, 0, 1], limit: .max)
        #expect(truncated == [.failure(SystemError(call: "recvmsg", code: ECONNRESET))])
    }
}
