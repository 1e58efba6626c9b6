import Dispatch
import MediaModel
import Platform
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// What decoders say of a file is told of no other, although several are read at the same time.
struct DecoderLogTests {
    /// The notes about a file that is read again and again; one where they are the same each time.
    private static func notes(about bytes: [UInt8], as type: MediaType, times: Int) throws -> Set<[String]> {
        let file = try Examined.file(bytes)
        let job = MediaJob(id: 1, type: type, specs: [ThumbnailSpec(longSide: 32)])
        return Set(
            (0..<times).map { _ in
                switch Examiner.examine(file.descriptor, job).result {
                case .examined(let facts, _): facts.notes
                case .failed(let reason): [reason]
                case .outOfMemory: ["out of memory"]
                }
            })
    }

    @Test func aDamagedFileLeavesNoWordsAboutASoundOne() async throws {
        Examiner.prepare()
        let whole = try PictureWriter.encode(Scene(seed: 2, width: 64, height: 48).bitmap(), as: .jpeg)
        let damaged = Array(whole.prefix(whole.count * 3 / 4))
        let expected = try Self.notes(about: damaged, as: .jpeg, times: 1)
        async let words = Self.notes(about: damaged, as: .jpeg, times: 50)
        async let none = Self.notes(about: whole, as: .jpeg, times: 50)
        #expect(try await none == [[]])
        #expect(try await words == expected)
        #expect(expected.first?.first?.hasPrefix("Damaged: ") == true)
    }

    /// Such as a decoder of another file, or one that is not asked about a file at all.
    @Test func whatIsSaidOnAnotherThreadIsNotAboutThisFile() {
        DecoderLog.ofOneFile {
            DecoderLog.keep("ours")
            let isSaid = DispatchSemaphore(value: 0)
            DispatchQueue(label: "another thread").async {
                DecoderLog.keep("theirs")
                DecoderLog.ofOneFile { DecoderLog.keep("of another file") }
                DecoderLog.clear()
                isSaid.signal()
            }
            isSaid.wait()
            #expect(DecoderLog.lastError == "ours")
        }
        #expect(DecoderLog.lastError == nil)
    }

    @Test func aFileBeginsWithoutTheWordsOfTheLastOne() {
        for words in ["one", "two"] {
            DecoderLog.ofOneFile {
                #expect(DecoderLog.lastError == nil)
                DecoderLog.keep("\n\(words)\nmore")
                #expect(DecoderLog.lastError == words)
            }
        }
    }
}
