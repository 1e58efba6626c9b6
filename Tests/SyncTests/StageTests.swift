import Foundation
import TestSupport
import Testing

/// A stage knows the queue, the catalog and what passes between stages, never another stage.
@Suite struct StageTests {
    /// The folder of each stage below `Sources`; the fifth is a module, which has a folder for what stages share.
    private static let folders = [
        "Sync/1-Scan", "Sync/2-Identify", "Sync/3-Thumbnail", "Sync/4-Enqueue", "Uploading", "Sync/6-Record",
    ]

    /// The sources of each stage without comments and texts, by the stage's folder.
    private static func stages() throws -> [String: [String: String]] {
        var stages: [String: [String: String]] = [:]
        for folder in folders {
            let directory = Project.folder.appendingPathComponent("Sources/" + folder)
            for file in try FileManager.default.contentsOfDirectory(atPath: directory.path)
            where file.hasSuffix(".swift") {
                let source = try String(contentsOf: directory.appendingPathComponent(file), encoding: .utf8)
                stages[folder, default: [:]][file] =
                    source.replacing(/\/\/.*/, with: "").replacing(/"[^"]*"/, with: "")
            }
        }
        return stages
    }

    /// The types that a source defines at its top.
    private static func types(in source: String) -> [String] {
        source.matches(of: /(?m)^(?:package |final |indirect )*(?:struct|class|enum|actor|protocol) (\w+)/).map {
            String($0.1)
        }
    }

    /// A name is looked up in one place; a private type is of one file, and a program is imported by no module.
    @Test func noTypeNameIsUsedTwice() throws {
        var places: [String: [String]] = [:]
        let sources = Project.folder.appendingPathComponent("Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        for path in paths where path.hasSuffix(".swift") {
            let source = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
            for type in Self.types(in: source) { places[type, default: []].append(path) }
        }
        #expect(places.count > 500)
        for (type, files) in places { #expect(files.count == 1, "\(type) is defined in \(files)") }
    }

    @Test func noStageNamesATypeOfAnother() throws {
        let stages = try Self.stages()
        #expect(stages.keys.sorted() == Self.folders.sorted())
        for (stage, files) in stages {
            let others = stages.filter { $0.key != stage }.values.flatMap(\.values).flatMap(Self.types)
            #expect(!others.isEmpty)
            for (file, source) in files {
                let words = Set(source.matches(of: /(?:^|[^.\w])([A-Z]\w*)/).map { String($0.1) })
                #expect(words.intersection(others).isEmpty, "\(file) knows another stage")
            }
        }
    }
}
