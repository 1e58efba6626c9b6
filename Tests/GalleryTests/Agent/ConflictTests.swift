import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import Reporting
import Supabase
import TestSupport
import Testing

/// What happens to objects that were not put there by us, and to ours that changed.
@Suite struct ConflictTests {
    private static let theirs = Array("theirs".utf8)

    /// A workshop whose bucket holds an object of somebody else as `Pictures/a.jpg`.
    private func withForeign(
        _ onForeign: Settings.OnForeign, _ body: (Workshop) async throws -> Void
    ) async throws {
        try await Workshop.with(["a.jpg": "mine"]) { workshop in
            var workshop = workshop
            workshop.settings.upload.onForeign = onForeign
            try await workshop.storage.createBucket("media")
            try await workshop.put(Self.theirs, at: "Pictures/a.jpg")
            try await body(workshop)
        }
    }

    @Test func somebodysObjectStaysAndOursGoesBeside() async throws {
        try await withForeign(.keepBoth) { workshop in
            try await workshop.pass()
            let beside = "Pictures/a--\(SHA256.hash("mine".utf8).hexadecimal.prefix(8)).jpg"
            #expect(
                try await workshop.objects() == ["Pictures/a.jpg": Self.theirs, beside: Array("mine".utf8)])
            // A second pass knows the receipt beside it.
            let again = try await workshop.requests { try await workshop.pass() }
            #expect(again.uploads.isEmpty)
        }
    }

    @Test func withFailTheFileFailsWithItsReason() async throws {
        try await withForeign(.fail) { workshop in
            let (ending, report) = try await workshop.run {
                (try await $0.sync([workshop.gallery]), try await $0.report(.summary))
            }
            #expect(ending == .someFailed(1))
            #expect(report.failures.map(\.code) == ["object.foreign"])
            #expect(try await workshop.objects() == ["Pictures/a.jpg": Self.theirs])
        }
    }

    @Test func onlyReplaceReplaces() async throws {
        try await withForeign(.replace) { workshop in
            try await workshop.pass()
            #expect(try await workshop.objects() == ["Pictures/a.jpg": Array("mine".utf8)])
        }
    }

    @Test(arguments: Settings.OnForeign.allCases)
    func anObjectReplacedBehindOurBackIsTheirs(_ onForeign: Settings.OnForeign) async throws {
        try await Workshop.with(["a.jpg": "one"]) { workshop in
            var workshop = workshop
            workshop.settings.upload.onForeign = onForeign
            _ = try await workshop.sync()
            try await workshop.put(Self.theirs, at: "Pictures/a.jpg", replacing: true)
            try workshop.write("two", to: "a.jpg")
            _ = try await workshop.sync()
            let left = try await workshop.objects()["Pictures/a.jpg"]
            #expect(left == (onForeign == .replace ? Array("two".utf8) : Self.theirs))
        }
    }

    @Test func aChangedFileGoesBesideItsOlderSelfWhereBothAreKept() async throws {
        try await Workshop.with(["a.jpg": "one"]) { workshop in
            var workshop = workshop
            workshop.settings.upload.onChange = .keepBoth
            for text in ["one", "two", "three"] {
                try workshop.write(text, to: "a.jpg")
                try await workshop.pass()
            }
            let texts = Set(try await workshop.objects().values.map { String(decoding: $0, as: UTF8.self) })
            #expect(texts == ["one", "two", "three"])
        }
    }

    @Test func theSameBytesFromElsewhereAreTakenWithoutSending() async throws {
        try await Workshop.with(["a.jpg": "one"]) { workshop in
            _ = try await workshop.sync()
            TemporaryDirectory.remove(workshop.folder.appending("s"))
            try await workshop.pass()
            #expect(try await workshop.objects().count == 1)
        }
    }
}
