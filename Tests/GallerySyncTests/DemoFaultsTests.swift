import Serving
import StorageServer
import Supabase
import TestSupport
import Testing

@testable import Demonstration

/// What goes wrong in `demo`: a little of everything, then nothing more.
@Suite struct DemoFaultsTests {
    private static func request(_ method: String, _ path: String) -> Request {
        Request(method: method, target: path, headers: [:])
    }

    private static let upload = request("POST", "/storage/v1/object/media/a.jpg")

    @Test(arguments: [
        (0, 0, 0), (3, 0, 0), (4, 1, 0), (7, 1, 0), (8, 1, 1), (12, 2, 1), (16, 3, 1), (20, 3, 2), (24, 4, 2),
        (28, 4, 2), (400, 4, 2),
    ])
    func everyFourthUploadFailsUntilSixHave(uploads: Int, refused: Int, dropped: Int) {
        let faults = DemoFaults()
        var found: [Fault] = []
        for _ in 0..<uploads { if let fault = faults.fault(for: Self.upload) { found.append(fault) } }
        #expect(faults.count == (refused, dropped))
        #expect(found.count == refused + dropped)
    }

    @Test(arguments: [
        ("GET", "/storage/v1/object/media/a.jpg"), ("POST", "/storage/v1/bucket"), ("POST", "/object/other/a.jpg"),
        ("DELETE", "/object/media/a.jpg"),
    ])
    func nothingElseFails(method: String, path: String) {
        let faults = DemoFaults()
        for _ in 0..<40 { #expect(faults.fault(for: Self.request(method, path)) == nil) }
        #expect(faults.count == (0, 0))
    }

    @Test func onceStoppedNothingFails() {
        let faults = DemoFaults()
        for _ in 0..<3 { _ = faults.fault(for: Self.upload) }
        faults.stop()
        for _ in 0..<40 { #expect(faults.fault(for: Self.upload) == nil) }
    }
}
