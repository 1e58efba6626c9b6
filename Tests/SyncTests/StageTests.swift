import Foundation
import TestSupport
import Testing

/// A stage knows the queue, the catalog and what passes between stages, never another stage.
@Suite struct StageTests {
    /// The sources of each stage without comments and texts, by the stage's folder.
    private static func stages() throws -> [String: [String: String]] {
        let sync = Project.folder.appendingPathComponent("Sources/Sync")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sync.path).filter { $0.hasSuffix(".swift") }
        var stages: [String: [String: String]] = [:]
        for file in files where file.first?.isNumber == true {
            let source = try String(contentsOf: sync.appendingPathComponent(file), encoding: .utf8)
            stages[String(file.prefix { $0 != "/" }), default: [:]][file] =
                source.replacing(/\/\/.*/, with: "").replacing(/"[^"]*"/, with: "")
        }
        return stages
    }

    /// The types that a source defines at its top.
    private static func types(in source: String) -> [String] {
        source.matches(of: /(?m)^(?:package |final |indirect )*(?:struct|class|enum|actor|protocol) (\w+)/).map {
            String($0.1)
        }
    }

    @Test func noStageNamesATypeOfAnother() throws {
        let stages = try Self.stages()
        #expect(stages.keys.sorted() == ["1-Scan", "2-Identify", "3-Thumbnail", "4-Enqueue", "5-Upload", "6-Record"])
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
