import Foundation
import Testing

@testable import MediaModel

@Suite struct MediaMessageTests {
    /// The same numbers in every run, so that a failure repeats.
    struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static func answer(_ dice: inout Dice) -> MediaAnswer {
        let id = Int.random(in: 0...Int.max, using: &dice)
        if Int.random(in: 0..<8, using: &dice) == 0 { return MediaAnswer(id: id, result: .outOfMemory) }
        guard Bool.random(using: &dice) else {
            return MediaAnswer(id: id, result: .failed("moov atom not found \u{1F4F7} \(id)"))
        }
        var facts = MediaFacts(kind: .video, type: .mp4, notes: ["Cut short"])
        facts.width = Int.random(in: 1...65_535, using: &dice)
        facts.duration = Double.random(in: 0...1e6, using: &dice)
        facts.takenAt = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0...1_000_000_000, using: &dice)))
        facts.takenAtSource = .container
        let thumbnails = (0..<Int.random(in: 0...4, using: &dice)).map { index in
            let bytes = (0..<Int.random(in: 1...3000, using: &dice)).map { _ in
                UInt8.random(in: .min ... .max, using: &dice)
            }
            return Thumbnail(spec: ThumbnailSpec(longSide: 128 << index), width: 8, height: 6, bytes: bytes)
        }
        return MediaAnswer(id: id, result: .examined(facts, thumbnails))
    }

    @Test(arguments: 0..<200)
    func anAnswerComesBackAsItWent(seed: UInt64) throws {
        var dice = Dice(state: seed)
        let answer = Self.answer(&dice)
        #expect(try MediaAnswer(message: answer.encoded()) == answer)
    }

    @Test func aJobComesBackAsItWent() throws {
        let limits = MediaLimits(maxPixels: 1, probeBytes: 2, posterSeconds: 3.5, posterCandidates: 4)
        let job = MediaJob(
            id: 7, type: .quickTime, specs: [ThumbnailSpec(longSide: 512), ThumbnailSpec(longSide: 64, maxBytes: 9)],
            limits: limits)
        #expect(try MediaJob(message: job.encoded()) == job)
    }

    /// Cutting, lengthening or changing one byte gives an error or another message, never a trap.
    @Test(arguments: 0..<100)
    func aDamagedAnswerIsRefusedOrRead(seed: UInt64) throws {
        var dice = Dice(state: seed)
        let message = try Self.answer(&dice).encoded()
        let cut = Array(message.prefix(Int.random(in: 0..<message.count, using: &dice)))
        #expect(throws: MalformedMessage.self) { try MediaAnswer(message: cut) }
        #expect(throws: MalformedMessage.self) { try MediaAnswer(message: message + [0]) }
        for _ in 0..<50 {
            var changed = message
            changed[Int.random(in: 0..<min(400, message.count), using: &dice)] ^= UInt8(1) << UInt8(seed % 8)
            _ = try? MediaAnswer(message: changed)
        }
    }

    struct Hostile: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let message: [UInt8]

        init(_ fact: String, _ message: [UInt8]) {
            testDescription = fact
            self.message = message
        }

        init(_ fact: String, json: String, rest: [UInt8] = []) {
            let length = UInt8(json.utf8.count)
            self.init(fact, [0, 0, 0, length] + Array(json.utf8) + rest)
        }
    }

    private static let facts = #""facts":{"kind":"photo","type":"image/png","isMirrored":false,"notes":[]}"#
    private static func picture(_ bytes: String, width: Int = 1) -> String {
        #"{"id":1,\#(facts),"pictures":[{"spec":{"longSide":1,"maxBytes":1},"#
            + #""width":\#(width),"height":1,"bytes":\#(bytes)}]}"#
    }

    @Test(arguments: [
        Hostile("nothing", []),
        Hostile("no whole length", [0, 0, 0]),
        Hostile("a length beyond the message", [0, 0, 0, 9, 0x7B, 0x7D]),
        Hostile("the greatest length", [0xFF, 0xFF, 0xFF, 0xFF, 0x7B, 0x7D]),
        Hostile("a length above the limit", [0, 0x10, 0, 1] + [UInt8](repeating: 0x20, count: (1 << 20) + 1)),
        Hostile("no JSON", json: "{{"),
        Hostile("neither facts nor failure", json: #"{"id":1}"#),
        Hostile("both", json: #"{"id":1,"failure":"x",\#(facts)}"#),
        Hostile("bytes after a failure", json: #"{"id":1,"failure":"x"}"#, rest: [1]),
        Hostile("bytes that no picture claims", json: #"{"id":1,\#(facts)}"#, rest: [1]),
        Hostile("a picture longer than the rest", json: picture("3"), rest: [1, 2]),
        Hostile("a negative picture", json: picture("-1"), rest: [1]),
        Hostile("a picture of the greatest size", json: picture("9223372036854775807"), rest: [1]),
        Hostile("a size that is no whole number", json: picture("1.5"), rest: [1]),
        Hostile("an empty picture", json: picture("0")),
        Hostile("a picture without width", json: picture("1", width: 0), rest: [1]),
    ])
    func aHostileAnswerIsRefused(_ row: Hostile) {
        #expect(throws: MalformedMessage.self) { try MediaAnswer(message: row.message) }
    }

    @Test func aJobWithATailIsRefused() throws {
        let message = try MediaJob(type: .png, specs: []).encoded()
        #expect(throws: MalformedMessage.self) { try MediaJob(message: message + [1]) }
    }

    @Test(arguments: [(MediaType.svg, 30, 5), (.svgz, 60, 10), (.svg, 1, 1), (.jpeg, 30, 30), (.pdf, 30, 30)])
    func aDrawingGetsLessProcessorTime(type: MediaType, all: Int, its: Int) {
        #expect(MediaJob(type: type, specs: []).processorTime(of: all) == its)
    }
}
