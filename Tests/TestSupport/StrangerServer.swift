import Foundation
import Glibc
import Platform

/// A TLS server whose certificate nobody known has signed: `openssl s_server` with a fresh one.
package struct StrangerServer: Sendable {
    /// The program; it is not part of what the build needs.
    private static let program = "/usr/bin/openssl"
    /// Whether there can be one on this computer.
    package static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// The root of what is served, without a slash at its end.
    package let url: String

    /// Runs `body` while it listens on a free port of 127.0.0.1.
    package static func with(_ body: (StrangerServer) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let (key, certificate) = (folder.appending("key").display, folder.appending("certificate").display)
            try run([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
                "-subj", "/CN=stranger", "-keyout", key, "-out", certificate,
            ]).process.waitUntilExit()
            let (process, output) = try run([
                "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www",
            ])
            // It inherits the mask of signals that a test may have set: a milder one may never reach it.
            defer { kill(process.processIdentifier, SIGKILL) }
            try await body(StrangerServer(url: "https://127.0.0.1:\(try port(output))"))
        }
    }

    private static func run(_ arguments: [String]) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output.fileHandleForReading)
    }

    /// It says where it listens, such as `ACCEPT 127.0.0.1:41099`.
    private static func port(_ output: FileHandle) throws -> String {
        var said = ""
        while let data = Optional(output.availableData), !data.isEmpty {
            said += String(decoding: data, as: UTF8.self)
            let lines = said.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.hasPrefix("ACCEPT ") }), let port = line.split(separator: ":").last {
                return String(port)
            }
        }
        throw SystemError(call: "openssl s_server: \(said)", code: 0)
    }
}
