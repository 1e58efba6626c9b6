import Platform
import TestSupport

@testable import Benchmarks

/// A bench whose programs are scripts that a test writes.
struct Bench {
    let folder: FilePath
    let bench: Workbench

    /// Runs `body` with a bench in a folder of its own.
    ///
    /// - Parameters:
    ///   - ours: Scripts by the names of our programs; without any, the programs that were built beside the tests.
    ///   - others: Scripts by the names of peers, which are found before the system's programs.
    ///   - hidden: Names of programs that are not installed.
    ///   - words: More of the command line.
    static func with(
        ours: [String: String] = [:], others: [String: String] = [:], hidden: [String] = [], _ words: String = "",
        _ body: (Bench) async throws -> Void
    ) async throws {
        try await FileTree().withDirectory { folder in
            let (own, path) = (folder.appending("own"), folder.appending("path"))
            for place in [own, path] { try Directory.create(at: place) }
            for (name, text) in ours { try await Executable.write(text, at: own.appending(FilePath(name))) }
            for (name, text) in others { try await Executable.write(text, at: path.appending(FilePath(name))) }
            let system = try Programs.present()
            let links = try Directory(path)
            for name in ["sh", "rm", "mv", "ln", "xargs", "find", "curl"] where !hidden.contains(name) {
                if others[name] == nil { try links.createLink(FilePath(name), to: try system.tool(name)) }
            }
            let programs = Programs(own: ours.isEmpty ? system.own : own, folders: [path])
            let order = try BenchmarkOrder(
                ["--folder", folder.appending("work").display] + words.split(separator: " ").map { String($0) })
            try await body(Bench(folder: folder, bench: try Workbench(order, programs: programs)))
        }
    }

    /// Writes files of these names, and returns their paths.
    func files(_ names: String...) throws -> [FilePath] {
        try names.map { name in
            let path = folder.appending(FilePath(name))
            try OpenFile(creating: path).append(Array("GIF89a".utf8))
            return path
        }
    }

    /// The number that a script wrote into a file of this name.
    func number(_ name: String) throws -> Int32 {
        let text = String(decoding: try OpenFile(reading: folder.appending(FilePath(name))).readAll(), as: UTF8.self)
        return Int32(text.filter { !$0.isWhitespace }) ?? 0
    }
}

/// Scripts that stand for programs.
enum Script {
    /// An agent that makes a picture of each file, except of those whose names begin with `bad`.
    static let agent = """
        #!/bin/sh
        while [ $# -gt 0 ]; do
          case "$1" in
            -o) out="$2"; shift 2 ;;
            --state-dir|--size|--set) shift 2 ;;
            /*) name="${1##*/}"; case "$name" in bad*) ;; *) echo x > "$out/${name%.*}.jpg" ;; esac; shift ;;
            *) shift ;;
          esac
        done

        """

    /// `vipsthumbnail --size N -o DIR/%s.jpg FILE…`; it fails after a file whose name begins with `bad`,
    /// and leaves an empty picture of one whose name begins with `bad1`.
    static let vipsthumbnail = """
        #!/bin/sh
        out="${4%/*}"; shift 4; end=0
        for file; do
          name="${file##*/}"
          case "$name" in bad*) end=1 ;; *) echo x > "$out/${name%.*}.jpg" ;; esac
          case "$name" in bad1*) : > "$out/${name%.*}.jpg" ;; esac
        done
        exit $end

        """

    /// `ffmpegthumbnailer -s N -i FILE -o PICTURE`; it fails for a file whose name begins with `bad`.
    static let ffmpegthumbnailer = """
        #!/bin/sh
        case "${4##*/}" in bad*) exit 1 ;; esac
        echo x > "$6"

        """

    /// A server that announces itself, and writes its process id beside its data's folder.
    static func server(_ announcement: String = #"{"url":"http://127.0.0.1:9","serviceKeyFile":"KEY"}"#) -> String {
        let text = announcement.replacing("KEY", with: "'$4'/key")
        return """
            #!/bin/sh
            echo $$ > "$4/../pid"
            echo ' s3cret ' > "$4/key"
            printf '%s\\n' '\(text)'
            exec sleep 60

            """
    }
}
