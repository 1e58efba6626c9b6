import Foundation
import Output
import Platform
import Reporting
import TestSupport
import Testing

@testable import GallerySync

@Suite struct StatusPageTests {
    private static func report(_ count: Int) -> Report {
        var report = Report(createdAt: Date(timeIntervalSince1970: 1_795_168_800))
        report.recent = (0..<count).map {
            Report.Recent(
                path: "P/\($0).jpg", size: 1, storedAt: report.createdAt, kind: "photo",
                thumbnail: Data([0xFF, 0xD8, 0xFF, 0xD9]))
        }
        return report
    }

    @Test(arguments: [(50, 0), (51, 1), (60, 10)])
    func manyPicturesAreFilesBesideThePage(count: Int, files: Int) async throws {
        try await FileTree().withDirectory { folder in
            let page = StatusPage(report: Self.report(count), path: folder.appending("my report.html"))
            // The second time it is written over the first.
            for _ in 0..<2 { try page.write() }
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.display)
            #expect(names.filter { $0.hasPrefix("my report-pictures/") }.count == files)
            #expect(names.contains("my report.html"))
        }
    }

    @Test func aPictureOfTheUserIsNotReplaced() async throws {
        let tree: FileTree = ["a-pictures": ["51.jpg": "mine"]]
        try await tree.withDirectory { folder in
            let page = StatusPage(report: Self.report(51), path: folder.appending("a.html"))
            #expect(throws: OutputTaken.self) { try page.write() }
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.display)
            #expect(Set(names) == ["a-pictures", "a-pictures/51.jpg"], "nothing was written")
        }
    }
}
