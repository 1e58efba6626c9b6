import Platform
import TestSupport
import Testing

@testable import Fuzzing
@testable import JXL

@Suite(.serialized) struct FuzzTargetTests {
    /// Targets wait for asynchronous work, so they may not keep the threads that do it.
    private static let thread = Blocking("fuzz", limit: 1)

    @Test(arguments: FuzzTarget.all.map(\.name))
    func seedsAndBytesNearThemBreakNoPromise(name: String) async throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let broken = try await Self.thread.run { try Self.broken(target) }
        #expect(broken == nil)
    }

    @Test func namesAreUnique() {
        #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
    }

    /// Also where .ci/fuzz.sh cuts longer ones.
    @Test func ofAJPEGXLSectionsAreLeftOut() throws {
        let seed = try #require(try FuzzTarget.all.first { $0.name == "jxl" }?.seeds().first)
        #expect(seed.count < 20_000)
        try seed.withUnsafeBufferPointer { bytes in
            let decoder = try JXLDecoder.opened(bytes)
            let header = try #require(JXLFrameHeader(decoder.frames, of: JXLFrameHeader.Picture(decoder.info)))
            #expect(header.withoutDetails(decoder.frames, halvings: 3) != nil)
        }
    }

    /// The first promise that a seed or bytes near it break.
    private static func broken(_ target: FuzzTarget) throws -> String? {
        var generator = SeededGenerator(seed: 1)
        for seed in try target.seeds() {
            for bytes in [seed] + (0..<10).map({ _ in changed(seed, by: &generator) }) {
                if let broken = target.read(bytes) { return "\(broken), of \(bytes)" }
            }
        }
        return nil
    }

    /// A byte changed, one left out, and the end cut off.
    private static func changed(_ seed: [UInt8], by generator: inout SeededGenerator) -> [UInt8] {
        guard var bytes = Optional(seed), !seed.isEmpty else { return [0] }
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        if Bool.random(using: &generator) { bytes.remove(at: Int.random(in: bytes.indices, using: &generator)) }
        if Bool.random(using: &generator) {
            bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
        }
        return bytes
    }
}
