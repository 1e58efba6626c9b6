import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// Where the media worker is searched.
@Suite struct MediaProgramTests {
    /// The worker's place below a folder with these programs, for an agent in its `bin`.
    static func place(_ programs: [FilePath]) throws -> String {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        for program in programs {
            let path = directory.path.appending(program)
            try Directory.create(at: path.parent)
            _ = try OpenFile(creating: path)
        }
        let found = try Run.mediaProgram(of: directory.path.appending("bin/gallery-sync"))
        return found.display.replacing(directory.path.display + "/", with: "")
    }

    @Test(
        arguments: [
            (["bin/gallery-sync-media"], "bin/gallery-sync-media"),
            (["libexec/gallery-sync/gallery-sync-media"], "libexec/gallery-sync/gallery-sync-media"),
            (
                ["bin/gallery-sync-media", "libexec/gallery-sync/gallery-sync-media"], "bin/gallery-sync-media"
            ),
            // The path that an error is to name.
            ([], "bin/gallery-sync-media"),
        ] as [([FilePath], String)])
    func itLiesBesideTheAgentOrInLibexec(_ programs: [FilePath], _ place: String) throws {
        #expect(try Self.place(programs) == place)
    }
}
