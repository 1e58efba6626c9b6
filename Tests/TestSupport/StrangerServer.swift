import Foundation
import Platform

/// A TLS server whose certificate no known authority has signed: `openssl s_server` with a fresh certificate.
package struct StrangerServer: Sendable {
    /// The program, which may be missing because the build does not need it.
    private static let program: FilePath = "/usr/bin/openssl"
    /// Whether this computer has the program.
    package static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: program.display) }

    /// The base URL, without a slash at its end.
    package let url: String

    /// Runs `body` while the server listens on a free port of 127.0.0.1.
    package static func with(_ body: (StrangerServer) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let (key, certificate) = (folder.appending("key").display, folder.appending("certificate").display)
            let output = try OpenFile(creating: folder.appending("said"))
            let outputs: [Int32: Int32] = [1: output.descriptor, 2: output.descriptor]
            let maker = try ChildProcess.spawn(
                program,
                arguments: [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
                    "-subj", "/CN=stranger", "-keyout", key, "-out", certificate,
                ], descriptors: outputs)
            _ = try await maker.end("openssl makes a certificate")
            let server = try ChildProcess.spawn(
                program,
                arguments: ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"],
                descriptors: outputs)
            defer { server.kill() }
            let place = try await eventually("openssl says where it listens", seen: { try? text(of: output) }) {
                port(in: try text(of: output))
            }
            try await body(StrangerServer(url: "https://127.0.0.1:\(place)"))
        }
    }

    private static func text(of output: OpenFile) throws -> String {
        String(decoding: try output.readAll(), as: UTF8.self)
    }

    /// The port, from a complete line such as `ACCEPT 127.0.0.1:41099`.
    private static func port(in said: String) -> String? {
        said.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .first { $0.hasPrefix("ACCEPT ") }?.split(separator: ":").last.map(String.init)
    }
}
