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

    @Test func whatIsNoProgramIsAnError() {
        let error = #expect(throws: SystemError.self) { try ChildProcess.spawn("/nowhere/program") }
        #expect(error?.isMissing == true)
        #expect(error?.path == "/nowhere/program")
    }

    @Test func argumentsAndEnvironmentArriveAsTheyAre() async throws {
        let text = try await Self.output(
            of: #"printf '%s|%s|%s' "$A" "$B" "$(env | grep -c ^[AB])""#,
            environment: ["A": "1 é=", "B": "", "PATH": "/usr/bin:/bin"])
        #expect(text == "1 é=||2")
    }

    @Test func nothingButTheNamedDescriptorsIsOpen() async throws {
        let file = try OpenFile(reading: "/dev/null")
        let script = "for n in 0 1 2 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$n ] && printf \"$n \"; done; true"
        let text = try await Self.output(of: script, descriptors: [5: file])
        #expect(text == "0 1 2 5 ")
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

    @Test func standardInputIsEmpty() async throws {
        #expect(try await Self.output(of: "cat; echo end") == "end\n")
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

    @Test func itRunsAtItsPriority() async throws {
        // Waits for its own priority, which is set just after its start.
        let script = "until [ $(cut -d' ' -f19 /proc/$$/stat) = 7 ]; do :; done; echo 7"
        #expect(try await Self.output(of: script, nice: 7) == "7\n")
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
