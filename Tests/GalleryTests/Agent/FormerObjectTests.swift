import Foundation
import Platform
import Serving
import Supabase
import TestSupport
import Testing

/// What becomes of objects under the former names of files.
@Suite struct FormerObjectTests {
    /// The object of a renamed file is found to be gone where the former one, which could not be deleted, is looked at again.
    @Test func whatIsGoneWhereAFormerObjectIsDeletedIsStoredAgain() async throws {
        try await AgentFixture.with(["a.jpg": "one", "keep.jpg": "kept"]) { fixture in
            try await fixture.pass()
            // With another time it is not moved but copied, because the former object's metadata has the former time.
            try Directory(fixture.gallery).rename("a.jpg", to: "b.jpg")
            try OpenFile(reading: fixture.gallery.appending("b.jpg")).setModified(FileTime(nanoseconds: 1_000_000_000))
            let asked = try await fixture.requests(
                failing: { $0.method == "DELETE" ? .denied : nil }
            ) { try await fixture.pass() }
            #expect(asked.lines.contains { $0.method == "DELETE" })
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg", "Pictures/keep.jpg"])

            try await fixture.storage.delete(bucket: "media", key: "Pictures/b.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects()["Pictures/b.jpg"] == Array("one".utf8))
            try await fixture.pass()
            #expect(try await fixture.verifiedKeys() == ["Pictures/b.jpg", "Pictures/keep.jpg"])
        }
    }

    /// Equal files that are renamed at once: none takes the object of another, which would have to be copied then.
    @Test func eachOfManyEqualFilesTakesItsObjectAlong() async throws {
        let names = (10..<50).map { "\($0).jpg" }
        let tree = FileTree(Dictionary(uniqueKeysWithValues: names.map { (FilePath($0), "equal") }))
        try await AgentFixture.with(tree) { fixture in
            let gallery = try Directory(fixture.gallery)
            for (number, name) in names.enumerated() {
                let time = FileTime(nanoseconds: 1_000_000_000 * Int64(1 + number))
                try OpenFile(reading: fixture.gallery.appending(name)).setModified(time)
            }
            try await fixture.pass()
            for name in names { try gallery.rename(FilePath(name), to: FilePath("new \(name)")) }
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.changes == names.map { _ in "/object/move" })
            #expect(try await fixture.verifiedKeys() == Set(names.map { "Pictures/new \($0)" }))
        }
    }
}
