import Platform
import Queue
import Testing

@testable import Catalog

/// Objects of deleted files whose names other files have now.
@Suite struct LastCopyMarkTests {
    /// What became of a second file with the same content, which is stored, too.
    enum Twin: CaseIterable, Sendable { case stays, deleted, reused, changed }

    @Test(arguments: [(Twin.stays, false), (.deleted, false), (.reused, true), (.changed, true)])
    func anObjectIsTheLastCopyUnlessAnotherOneStays(_ twin: Twin, isLast: Bool) async throws {
        let shelf = try await Shelf()
        let (item, other) = (Shelf.item("x.jpg", content: "one"), Shelf.item("y.jpg", content: "one"))
        for item in [item, other] { try await shelf.store(item) }
        try await shelf.miss("x.jpg")
        if twin == .deleted || twin == .reused { try await shelf.miss("y.jpg") }
        try await shelf.see("x.jpg", size: 9, after: 60)
        if twin == .reused || twin == .changed { try await shelf.see("y.jpg", size: 8, after: 60) }
        #expect(try await shelf.library.isLastCopy(Shelf.receipt(item)) == isLast)
        #expect(try await shelf.library.isLastCopy(Shelf.receipt(other)) == (twin == .reused))
    }
}
