import Glibc
import Platform
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    static let shell: FilePath = "/bin/sh"

    /// What a shell script writes to its standard output.
    static func output(
        of script: String, environment: [String: String] = ["PATH": "/usr/bin:/bin"],
        descriptors: [Int32: OpenFile] = [:], nice: Int32 = 0
    ) async throws -> String {
        try await FileTree().withDirectory { root in
            let output = try OpenFile(creating: root.appending("output"))
            var map = descriptors.mapValues(\.descriptor)
            map[1] = output.descriptor
            let child = try ChildProcess.spawn(
                shell, arguments: ["-c", script], environment: environment, descriptors: map, nice: nice)
            #expect(try await child.end("the script ends") == .exited(0))
            return String(decoding: try output.readAll(), as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("exit 0", ChildProcess.ExitStatus.exited(0)), ("exit 7", .exited(7)), ("kill -9 $$", .signalled(.kill)),
        ("kill -ABRT $$", .signalled(.abort)),
    ])
    func theEndIsReported(script: String, status: ChildProcess.ExitStatus) async throws {
        let child = try ChildProcess.spawn(Self.shell, arguments: ["-c", script])
        #expect(try await child.end("the script ends") == status)
        #expect(try await child.end("the script ends") == status)
        #expect(child.residentBytes == nil)
        child.kill()
    }

    @Test(
        arguments: [
            ("nothing is there", "none", ENOENT), ("it may not be executed", "text", EACCES),
            ("it is a directory", "directory", EACCES), ("it is no program", "nonsense", ENOEXEC),
            ("its interpreter is not there", "script", ENOENT), ("it lies below a file", "text/program", ENOTDIR),
        ] as [(String, FilePath, Int32)])
    func whatIsNoProgramIsAnError(_ row: (why: String, name: FilePath, code: Int32)) async throws {
        let tree: FileTree = ["text": "x", "directory": [:], "nonsense": "x", "script": "#!/nowhere/shell\n"]
        try await tree.withDirectory { root in
            for name in ["nonsense", "script"] { chmod(root.appending(FilePath(name)).display, 0o700) }
            let path = root.appending(row.name)
            let error = #expect(throws: SystemError.self) { try ChildProcess.spawn(path) }
            #expect(error?.code == row.code && error?.path == path, "\(row.why)")
        }
    }

    struct Surroundings: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let script: String
        var environment: [String: String] = [:]
        /// A descriptor on which `/dev/null` is open.
        var descriptor: Int32?
        var nice: Int32 = 0
        let output: String
    }

    @Test(arguments: [
        Surroundings(
            testDescription: "the environment arrives as it is, and no other",
            script: #"printf '%s|%s|%s' "$A" "$B" "$(env | grep -c ^[AB])""#, environment: ["A": "1 é=", "B": ""],
            output: "1 é=||2"),
        Surroundings(
            testDescription: "nothing but the named descriptors is open",
            script: "for n in 0 1 2 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$n ] && printf \"$n \"; done; true",
            descriptor: 5, output: "0 1 2 5 "),
        Surroundings(testDescription: "standard input is empty", script: "cat; echo end", output: "end\n"),
        // Waits for its own priority, which is set just after its start.
        Surroundings(
            testDescription: "it runs at its priority",
            script: "until [ $(cut -d' ' -f19 /proc/$$/stat) = 7 ]; do :; done; echo 7", nice: 7, output: "7\n"),
    ])
    func aChildFinds(_ row: Surroundings) async throws {
        let null = try OpenFile(reading: "/dev/null")
        let text = try await Self.output(
            of: row.script, environment: row.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 },
            descriptors: row.descriptor.map { [$0: null] } ?? [:], nice: row.nice)
        #expect(text == row.output)
    }

    @Test func descriptorsMayTradePlaces() async throws {
        try await FileTree(["one": "1", "two": "2"]).withDirectory { root in
            let one = try OpenFile(reading: root.appending("one"))
            let two = try OpenFile(reading: root.appending("two"))
            let map = [one.descriptor: two, two.descriptor: one]
            let text = try await Self.output(
                of: "cat /proc/self/fd/\(one.descriptor) /proc/self/fd/\(two.descriptor)", descriptors: map)
            #expect(text == "21")
        }
    }

    @Test func itHasItsOwnGroupAndDefaultSignals() async throws {
        // The shell reads it itself, since it blocks signals while it starts another program.
        let script = """
            read id name state parent group rest < /proc/$$/stat; echo $((id - group))
            while read name value; do case $name in Sig[BI]*) echo $value;; esac; done < /proc/$$/status
            """
        let lines = try await Self.output(of: script).split(separator: "\n")
        #expect(lines.first == "0")
        // Signals above 31 include libc's own, which stay ignored.
        #expect(lines.dropFirst().map { UInt64($0, radix: 16).map { $0 & 0x7fff_ffff } } == [0, 0])
    }

    @Test func killingReachesItsDescendants() async throws {
        let (kept, child) = try MessageSocket.pair()
        let process = try ChildProcess.spawn(
            Self.shell, arguments: ["-c", "sleep 1000 & sleep 1000"], descriptors: [3: child.descriptor])
        #expect(process.residentBytes != nil)
        child.disconnect()
        process.kill(.terminate)
        #expect(try await process.end("the script is ended") == .signalled(.terminate))
        #expect(try kept.receive() == nil)
    }

    @Test func manyChildrenAreAllReaped() async throws {
        let children = try (0..<20).map { try ChildProcess.spawn(Self.shell, arguments: ["-c", "exit \($0)"]) }
        for (number, child) in children.enumerated() {
            #expect(try await child.end("child \(number) ends") == .exited(Int32(number)))
            #expect(!Host.isRunning(child.id))
        }
    }
}
