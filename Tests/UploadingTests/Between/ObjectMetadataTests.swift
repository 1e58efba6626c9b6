import Fixtures
import FoundationEssentials
import MediaModel
import Platform
import Supabase
import TestSupport
import Testing

@testable import Queue
@testable import Sync
@testable import Uploading

@Suite struct ObjectMetadataTests {
    private static var facts: MediaFacts {
        var facts = MediaFacts(kind: .video, type: .mp4)
        (facts.width, facts.height, facts.duration) = (4000, 3000, 1.5)
        return facts
    }

    private static func item(_ path: FilePath, at nanoseconds: Int64, role: Item.Role = .original) -> Item {
        Item(
            root: "Pictures", path: path, role: role, contentType: "image/jpeg", size: 3,
            sha256: String(repeating: "ab", count: 32), modifiedAt: FileTime(nanoseconds: nanoseconds),
            bucket: "media", objectKey: ObjectKey(text: "k"), now: Items.now)
    }

    @Test(arguments: [
        ("a name in UTF-8, a time in milliseconds", FilePath("2026/a b.jpg"), Int64(1_700_000_000_123_000_000)),
        (
            "a name in another encoding, a time in nanoseconds", FilePath(bytes: [0x61, 0xFF, 0x2E]),
            1_700_000_000_000_000_001
        ),
    ])
    func whatAnObjectCarriesIsReadBackAsItWas(why: String, path: FilePath, time: Int64) throws {
        for facts in [nil, Self.facts] {
            let metadata = ObjectMetadata(Self.item(path, at: time), facts: facts)
            #expect(ObjectMetadata(metadata.values) == metadata, "\(why)")
            #expect(metadata.filePath == path && metadata.mtime.nanoseconds == time)
        }
    }

    @Test func itIsWhatTheEncoderWouldWrite() throws {
        var metadata = ObjectMetadata(
            Self.item(FilePath(bytes: [0xFF]), at: 1_700_000_000_000_000_001), facts: Self.facts)
        metadata.takenAt = Items.now
        let encoded = try JSONDecoder().decode([String: JSONValue].self, from: QueueCoding.encoder.encode(metadata))
        #expect(metadata.values == encoded)
        #expect(
            Set(metadata.values.keys) == [
                "path", "pathBytes", "sha256", "mtime", "width", "height", "duration", "takenAt",
            ])
    }

    /// The key of any other root tells its name.
    @Test(arguments: [("Pictures", nil), (String(repeating: "写", count: 25), String(repeating: "写", count: 25))])
    func aRootIsNamedWhereItsKeyIsShortened(root: String, named: String?) {
        let item = Item(
            root: root, path: "a.jpg", role: .original, contentType: "image/jpeg", size: 3,
            sha256: String(repeating: "ab", count: 32), modifiedAt: FileTime(nanoseconds: 0), bucket: "media",
            objectKey: ObjectKey(root: root, path: "a.jpg"), now: Items.now)
        #expect(ObjectMetadata(item, facts: nil).root == named)
    }

    @Test func aThumbnailSpeaksNotOfItsOriginalsSize() throws {
        let metadata = ObjectMetadata(Self.item("a.jpg", at: 0, role: .thumbnail(512)), facts: Self.facts)
        #expect(Set(metadata.values.keys) == ["path", "sha256", "mtime"])
    }

    @Test(
        arguments: [nil, [:], ["path": "a"], ["path": 1, "sha256": "x", "mtime": "2026-01-01T00:00:00.000Z"]]
            as [[String: JSONValue]?])
    func othersMetadataIsNotOurs(values: [String: JSONValue]?) {
        #expect(ObjectMetadata(values) == nil)
    }
}
