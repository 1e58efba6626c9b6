import Catalog
import Fixtures
import FoundationEssentials
import Queue
import Records
import Testing

@testable import Reporting

/// What `why` says of a file's open items.
@Suite struct WhyWaitsTests {
    private static func item(
        _ role: Item.Role = .original, _ status: Item.Status = .pending, _ blocked: Item.Blocked? = nil,
        _ code: FailureCode? = nil
    ) -> Item {
        Items.with(Items.pending(role: role)) { item in
            item.status = status
            item.blocked = blocked
            item.lastError = code.map { Item.Failure(code: $0, message: "No route", retryable: true) }
        }
    }

    private static let offline = item(.original, .pending, .offline, "network.unreachable")

    @Test(
        arguments: [
            ("its cause and the step", [offline], nil, ["The file waits: No route.", "Check the network"]),
            (
                "a shared cause once", [offline, item(.thumbnail(512), .pending, .offline, "network.unreachable")], nil,
                ["The file waits", "Check the network", "Its thumbnail of 512 pixels waits for the same."]
            ),
            ("what was not tried waits behind it", [item()], offline, ["The file waits: No route.", "Check"]),
            ("nothing is in the way", [item()], nil, []),
            (
                "a cause without words", [item(.original, .pending, .budget)], nil,
                ["The file waits: Storage budget", "Raise"]
            ),
            (
                "a try that failed", [item(.original, .pending, nil, "http.503")], nil,
                ["The file failed so far: No route."]
            ),
            (
                "a thumbnail that failed", [item(.thumbnail(256), .failed, nil, "http.400")], nil,
                ["Its thumbnail of 256 pixels failed: No route."]
            ),
            ("a failed original is told by its asset", [item(.original, .failed, nil, "http.400")], nil, []),
        ] as [(String, [Item], Item?, [String])])
    func whatAFileWaitsFor(why: String, items: [Item], wall: Item?, words: [String]) {
        let said = Explanation.waits(items, behind: wall)
        #expect(said.count == words.count, "\(said)")
        for (sentence, start) in zip(said, words) { #expect(sentence.hasPrefix(start), "\(why)") }
    }

    @Test func whatWasCutOffIsNotSaidToRun() {
        func file(_ isRunning: Bool) -> WaitingFile {
            WaitingFile(
                state: .queued, code: nil, pictures: .made, items: [Self.item(.original, .uploading)],
                autoUpload: true, isPaused: false, isRunning: isRunning)
        }
        #expect(Explanation.moves(file(true), at: Items.now) == ["The file is being sent."])
        #expect(Explanation.moves(file(false), at: Items.now).first?.contains("was cut off") == true)
    }
}
