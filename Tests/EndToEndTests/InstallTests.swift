import Foundation
import Platform
import TestSupport
import Testing

/// `config/install.sh`, installing into a temporary folder.
@Suite struct InstallTests {
    /// What is below `path`, as paths relative to it.
    static func tree(_ path: FilePath) throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: path.display))
    }

    static func install(_ words: [String], _ directory: TemporaryDirectory) async throws -> GallerySyncProcess.End {
        let script = Project.folder.appendingPathComponent("config/install.sh").path
        let prefix = directory.path.appending("home/.local").display
        let process = try GallerySyncProcess(
            "/bin/bash", [script, "--prefix", prefix, "--programs", Built.folder.display] + words,
            environment: Environment.all.merging(["HOME": directory.path.display]) { _, home in home },
            writingTo: directory.path)
        return try await process.end()
    }

    @Test func whatIsInstalledRunsAndIsTakenAwayWhole() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let home = directory.path.appending("home")
        try Directory.create(at: home.appending(".local/share"))
        let installed = try await Self.install([], directory)
        #expect(installed.code == 0, "\(installed.notes)")
        let first = try Self.tree(home)
        let expected = [
            "bin/gallery-sync", "libexec/gallery-sync/gallery-sync-media", "share/man/man1/gallery-sync-sync.1",
            "share/systemd/user/gallery-sync.service", "share/bash-completion/completions/gallery-sync",
            "share/zsh/site-functions/_gallery-sync", "share/fish/vendor_completions.d/gallery-sync.fish",
            "share/applications/gallery-sync.desktop", "share/Thunar/sendto/gallery-sync-folder.desktop",
        ]
        #expect(first.isSuperset(of: expected.map { ".local/" + $0 }))
        let check = try GallerySyncProcess(
            home.appending(".local/bin/gallery-sync"), ["doctor", "--local", "--json"],
            environment: ["HOME": directory.path.display, "PATH": "/usr/bin:/bin"], writingTo: directory.path)
        // Only the worker itself can report this.
        #expect(try await check.end().results.contains("confined by"))

        #expect(try await Self.install([], directory).code == 0)
        #expect(try Self.tree(home).isSuperset(of: first))
        #expect(try await Self.install(["--uninstall"], directory).code == 0)
        #expect(try Self.tree(home) == [".local", ".local/share"])
    }
}
