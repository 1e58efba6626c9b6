import Foundation
import Platform
import ProviderServer
import Providers
import TestSupport
import Testing

/// The stand-ins of the providers, read by the providers' own SDKs; the calls are in `Tests/ProviderSDKs/order.py`.
@Suite(
    .serialized,
    .enabled(
        if: PythonSDKs.program != nil,
        """
        The SDKs are not installed ("pip install fal-client openai google-genai runwayml lumaai replicate"): the \
        stand-ins are not read by them
        """))
struct ProviderSDKTests {
    private struct Reading: Decodable {
        let states: [String]
        let sha256: String
    }

    @Test(arguments: [
        (ProviderName.fal, ["Queued", "InProgress", "Completed"]),
        (.openAI, ["queued", "in_progress", "completed"]),
        (.gemini, ["queued", "in_progress", "completed"]),
        (.vertex, ["False", "True"]),
        (.runway, ["PENDING", "RUNNING", "SUCCEEDED"]),
        (.luma, ["queued", "dreaming", "completed"]),
        (.replicate, ["starting", "processing", "succeeded"]),
    ])
    func anSDKOrdersAndReadsAVideo(site: ProviderName, states: [String]) async throws {
        let python = try #require(PythonSDKs.program)
        try await ProviderServer.running { server, _ in
            try await FileTree().withDirectory { folder in
                let script = Project.folder.appendingPathComponent("Tests/ProviderSDKs/order.py").path
                let process = try GallerySyncProcess(
                    python, [script, site.rawValue, server.origin, server.key],
                    environment: ["HOME": folder.display, "PATH": Environment["PATH"] ?? ""], writingTo: folder)
                let end = try await process.end()
                #expect(end.code == 0, "\(end.notes)")
                let reading = try JSONDecoder().decode(Reading.self, from: Data(end.results.utf8))
                #expect(reading.states == states)
                #expect(reading.sha256 == SHA256.hash(MadeMedia.video.bytes).hexadecimal)
                #expect(server.charges.count == 1)
            }
        }
    }
}

/// A Python that has the SDKs; they are for tests only, and Debian does not have them.
private enum PythonSDKs {
    private static let names = ["fal_client", "openai", "google/genai", "runwayml", "lumaai", "replicate"]

    static let program: FilePath? = (Environment["PATH"] ?? "").split(separator: ":").lazy
        .filter { folder in packages(beside: String(folder)).contains { hasAll(in: $0) } }
        .map { FilePath(String($0)).appending("python3") }
        .first

    private static func packages(beside folder: String) -> [URL] {
        let library = URL(fileURLWithPath: folder).deletingLastPathComponent().appendingPathComponent("lib")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library.path)) ?? []
        return versions.filter { $0.hasPrefix("python3") }.flatMap { version in
            ["site-packages", "dist-packages"].map { library.appendingPathComponent("\(version)/\($0)") }
        }
    }

    private static func hasAll(in packages: URL) -> Bool {
        names.allSatisfy { FileManager.default.fileExists(atPath: packages.appendingPathComponent($0).path) }
    }
}
