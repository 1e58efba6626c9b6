import Database
import Fixtures
import Platform
import Records
import Roots
import Tables
import TestSupport
import Testing

@testable import Browsing
@testable import Catalog
@testable import Queue

/// Folders, cameras, days and copies of a gallery.
@Suite struct TimelineFolderTests {
    private static let noon: Double = 1_781_956_800  // 2026-06-20T12:00:00Z

    private static func asset(
        _ path: FilePath, _ camera: String?, day: Double = 0, like content: FilePath? = nil
    ) -> MadeAsset {
        var asset = MadeAsset(path, takenAt: noon - day * 86_400)
        (asset.camera, asset.content) = (camera, content)
        return asset
    }

    private static let assets: [MadeAsset] = [
        asset("top.jpg", "X100"), asset("a/1.jpg", "X100", day: 1), asset("a/2.jpg", "iPhone", day: 40),
        asset("a/b/3.jpg", "X100", day: 41, like: "a/1.jpg"), asset("a/b/c/4.jpg", "X100", day: 400, like: "a/1.jpg"),
        asset("a b/5.jpg", nil, day: 41), asset("a0/6.jpg", "X100", like: "top.jpg"),
        asset("ä/7.jpg", "it's \"X\"", day: 2),
    ]

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var filter = TimelineFilter()
        var camera: String?
        let names: Set<String>

        init(
            _ fact: String, camera: String? = nil, _ names: Set<String>,
            _ change: (inout TimelineFilter) -> Void = { _ in }
        ) {
            (testDescription, self.camera, self.names) = (fact, camera, names)
            change(&filter)
        }
    }

    private static let day = Int(noon) / 86_400

    @Test(arguments: [
        Row("a folder with those below it", ["1.jpg", "2.jpg", "3.jpg", "4.jpg"]) { ($0.root, $0.folder) = (1, "a") },
        Row("a folder below another", ["3.jpg", "4.jpg"]) { ($0.root, $0.folder) = (1, "a/b") },
        Row("a folder whose name begins as another's", ["6.jpg"]) { ($0.root, $0.folder) = (1, "a0") },
        Row("a folder of another root", []) { ($0.root, $0.folder) = (2, "a") },
        Row("a root's own folder", Set(["top.jpg"] + (1...7).map { "\($0).jpg" })) {
            ($0.root, $0.folder) = (1, FilePath(bytes: []))
        },
        Row("a folder that is none", []) { ($0.root, $0.folder) = (1, "a/b/3.jpg") },
        Row("a folder by the beginning of its name", []) { ($0.root, $0.folder) = (1, "a/") },
        Row("a camera", camera: "iPhone", ["2.jpg"]),
        Row("a camera with quotes", camera: "it's \"X\"", ["7.jpg"]),
        Row("a day", ["top.jpg", "6.jpg"]) { $0.days = day...day },
        Row("days within two months", ["1.jpg", "7.jpg", "2.jpg"]) { $0.days = (day - 40)...(day - 1) },
        Row("days before all", []) { $0.days = 0...1 },
        Row("all at once", camera: "iPhone", ["2.jpg"]) { ($0.root, $0.folder, $0.days) = (1, "a", (day - 99)...day) },
    ])
    func aFilterLeavesTheOthersOut(_ row: Row) async throws {
        try await Timeline.of(Self.assets) { _, timeline in
            var filter = row.filter
            if let camera = row.camera { filter.camera = try await timeline.camera(named: camera) }
            let assets = try await timeline.assets(filter, from: 0, count: 100)
            #expect(Set(assets.map(\.name)) == row.names)
            #expect(try await timeline.days(filter).map(\.count).reduce(0, +) == row.names.count)
            for from in 0..<row.names.count {
                let one = try await timeline.assets(filter, from: from, count: 1)
                #expect(one.map(\.name) == [assets[from].name])
            }
        }
    }

    @Test func foldersCountWhatIsBelowThem() async throws {
        try await Timeline.of(Self.assets) { _, timeline in
            let survey = try await timeline.survey()
            func folder(_ path: FilePath) -> TimelineSurvey.Folder { TimelineSurvey.Folder(root: 1, path: path) }
            let top = folder(FilePath(bytes: []))
            #expect(survey.counts[top] == 8 && survey.counts[folder("a")] == 4 && survey.counts[folder("a/b")] == 2)
            #expect(survey.folders(below: top).map(\.path.display) == ["a", "a b", "a0", "ä"])
            #expect(survey.isParent(folder("a/b")) && !survey.isParent(folder("a0")))
            #expect(survey.cameras == ["X100": 5, "iPhone": 1, "it's \"X\"": 1])
        }
    }

    @Test func copiesAreFoundWhereverTheyLie() async throws {
        try await Timeline.of(Self.assets) { library, timeline in
            let sets = try await timeline.duplicates()
            #expect(sets.map(\.count) == [3, 2] && sets.map(\.waste) == [14, 7])
            let names = try await timeline.files(of: sets[0]).map(\.location.path.display)
            #expect(names == ["a/1.jpg", "a/b/3.jpg", "a/b/c/4.jpg"])
            let place = try #require(try await library.asset(root: "Pictures", path: "a0/6.jpg")).place
            try await library.miss([place])
            try await library.make([Self.asset("new.jpg", nil)], below: try await library.roots()[0])
            try await library.forgetAll(at: place)
            #expect(try await timeline.duplicates().map(\.count) == [3])
        }
    }

    @Test func everyHashIsLookedAtOnce() async throws {
        let assets = (0..<300).map { Self.asset(FilePath("\($0).jpg"), nil, like: FilePath("\($0 / 2)")) }
        try await Timeline.of(assets) { _, timeline in
            let sets = try await timeline.duplicates()
            #expect(sets.count == 150 && Set(sets.map(\.sha256)).count == 150)
        }
    }

    @Test func aLibraryOfVersion6LearnsItsCameras() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            try await library.make(Self.assets, below: try await library.root(at: "/home/Pictures").root)
            try await library.becomeVersion6()
            await #expect(throws: OutdatedLibrary.self) { try await Timeline(at: path) }
            try await Library(path: path).close()
            let timeline = try await Timeline(at: path)
            #expect(try await timeline.survey().cameras == ["X100": 5, "iPhone": 1, "it's \"X\"": 1])
            #expect(try await timeline.duplicates().map(\.count) == [3, 2])
        }
    }
}

extension Library {
    fileprivate func forgetAll(at place: Asset.Place) throws {
        try write(
            "DELETE FROM assets WHERE directory = ? AND name = ?", .integer(place.directory), .blob(place.name))
        try commit()
    }

    /// Takes away what version 8 added, but for the triggers that later ones replace.
    static let forgetPairs = """
        DROP TRIGGER pair_update; DROP TRIGGER pair_delete; DROP TRIGGER standing_insert; DROP TRIGGER standing_update;
        DROP INDEX assets_motions; ALTER TABLE assets DROP COLUMN pair;
        """

    /// Takes away what version 7 added.
    fileprivate func becomeVersion6() throws {
        try database.execute(
            """
            DROP INDEX assets_timeline; DROP INDEX assets_content; DROP TABLE cameras;
            ALTER TABLE assets DROP COLUMN camera; \(Self.forgetPairs)
            CREATE INDEX assets_timeline ON assets (taken DESC, directory, name, standing, kind, ratio)
                WHERE \(Schema.isShown);
            PRAGMA user_version = 6
            """)
    }
}
