import Testing

@testable import GallerySync

/// The decisions about a file, on a terminal.
@Suite struct WhyLinesTests {
    @Test(arguments: [40, 80])
    func decisionsFitTheTerminalAndThePathStaysWhole(columns: Int) {
        let path = "/home/a/" + String(repeating: "long/", count: 20) + "a.jpg"
        let lines = WhyLines.text(path, [String(repeating: "word ", count: 40) + "end.", "Stored."], columns: columns)
        #expect(lines.first == path && lines.last == "  Stored.")
        #expect(lines.dropFirst().allSatisfy { $0.count <= columns }, "\(lines)")
        #expect(lines.dropFirst().filter { !$0.hasPrefix("    ") }.count == 2)
    }
}
