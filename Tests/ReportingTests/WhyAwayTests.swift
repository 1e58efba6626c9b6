import Catalog
import Fixtures
import Foundation
import Platform
import Queue
import Records
import Roots
import TestSupport
import Testing

@testable import Reporting

/// A disk that is away, in the answer of `why`.
@Suite struct WhyAwayTests {
    private static let destination = "https://h#media"

    /// A scan may not have looked for the disk since it went away.
    @Test(
        arguments: [
            (true, nil, false), (false, nil, true), (false, "the disk went away", true),
            (true, "the disk went away", true),
        ] as [(Bool, String?, Bool)])
    func aDiskThatIsAwayIsSaidWithWhatIsStored(isThere: Bool, noted: String?, isSaid: Bool) async throws {
        try await FileTree(["Pictures": ["a.jpg": "a"]]).withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let known = try await library.root(at: folder.appending("Pictures")).root
            let item = Items.pending("a.jpg", content: 1, size: 1)
            try await library.see(item, below: known)
            let receipt = Receipt(
                destination: Self.destination, key: item.objectKey, role: .original, item: item.id, sha256: item.sha256,
                size: 1, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Items.now, proof: .md5)
            try await library.record([(receipt, item)])
            try await library.setFact(RootAbsence.fact(known), to: noted)
            if !isThere { try Directory(folder).rename("Pictures", to: "elsewhere") }
            let why = try await Explanation(
                of: folder.appending("Pictures/a.jpg"), root: (Root(known: known), "a.jpg"), library: library,
                items: [])
            let reason = noted ?? "\(folder.appending("Pictures").display) is not there"
            #expect(why.decisions.contains { $0.hasPrefix("\(reason). Mount the disk") } == isSaid, "\(why.decisions)")
            #expect(why.decisions.contains { $0.hasPrefix("Seen ") } == !isSaid)
            #expect(why.decisions.contains { $0.hasPrefix("The file is stored as Pictures/a.jpg") })
            try await library.close()
        }
    }
}
