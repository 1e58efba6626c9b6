import Platform
import TestSupport
import Testing

/// The disk in memory, which many tests use, behaves like a real one.
@Suite struct DiskAgreementTests {
    static let names = ["a", "b", "c"]

    /// What one random call on `disk` gives: its result or its error number.
    static func call(_ disk: any Disk, using random: inout SeededGenerator) -> String {
        let (first, second) = (names.randomElement(using: &random) ?? "a", names.randomElement(using: &random) ?? "b")
        let bytes = [UInt8](repeating: UInt8.random(in: 0...9, using: &random), count: 3)
        let choice = Int.random(in: 0..<7, using: &random)
        do throws(SystemError) {
            switch choice {
            case 0: try disk.create(first).write(bytes)
            case 1: try disk.append(first).write(bytes)
            case 2: try disk.link(first, to: second)
            case 3: if first != second { try disk.rename(first, to: second) }
            case 4: try disk.remove(first)
            case 5: try disk.replace(first, with: bytes, keepingPrevious: second == first ? nil : second)
            default: return "\(try disk.read(first) ?? [255])"
            }
            return "done"
        } catch {
            return "error \(error.code)"
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func bothGiveTheSameAnswers(seed: UInt64) async throws {
        try await FileTree(["a": "1"]).withDirectory { root in
            let local = try LocalDisk(directory: root)
            let memory = RecordingDisk(["a": [49]])
            var (first, second) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed))
            for _ in 0..<60 {
                let answers = (Self.call(local, using: &first), Self.call(memory, using: &second))
                #expect(answers.0 == answers.1)
            }
            let contents = try Dictionary(uniqueKeysWithValues: local.names().map { ($0, try local.read($0)) })
            #expect(contents == memory.contents)
        }
    }
}
