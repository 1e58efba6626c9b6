import Platform
import Records
import TestSupport
import Testing

@testable import Diagnosis

/// The second copy's folder, as doctor finds it.
@Suite struct StorageFindingTests {
    @Test(arguments: [
        Fact("a disk that is mounted for reading", Int32(30), true), Fact("a folder of another user", 13, true),
        Fact("not permitted", 1, true), Fact("a broken disk", 5, false), Fact("a file in its place", 17, false),
    ])
    func whatIsInTheWayOfTheFolder(_ row: Fact<Int32, Bool>) {
        let finding = Finding.closed("/disk", SystemError(call: "access", code: row.input, path: "/disk"))
        #expect(finding.result == .wrong && finding.name == "destination")
        #expect(finding.sentence.contains("/disk cannot be written: ") == row.output)
        #expect((finding.ending.map { $0.kind == .needsHuman } ?? false) == row.output)
    }
}
