import CFuzzing
import Glibc
import Media
import Platform

/// `gallery-sync-fuzz`: not shipped; feeds bytes to what reads bytes from outside (.ci/fuzz.sh).
@main enum FuzzingProgram {
    private static let usage = """
        gallery-sync-fuzz TARGET FOLDER [OPTION…]   feeds made-up bytes; FOLDER keeps what reached new code
        gallery-sync-fuzz TARGET FILE               reads one file, such as one that was found

        Without libFuzzer (.ci/fuzz.sh links it in) only what is in FOLDER is read. Options are libFuzzer's.
        Targets: \(FuzzTarget.all.map(\.name).joined(separator: " "))
        """

    /// The target of this process; global, because libFuzzer's callback has no context.
    nonisolated(unsafe) private static var target = FuzzTarget.all[0]

    static func main() {
        let words = Arguments.all.map { String(decoding: $0, as: UTF8.self) }
        guard words.count >= 2, let found = FuzzTarget.all.first(where: { $0.name == words[0] }) else {
            print(usage)
            exit(words.isEmpty ? 0 : 64)
        }
        target = found
        Examiner.prepare()
        do {
            let path = FilePath(words[1])
            if try FileFacts.existing(path)?.kind != .file { try writeSeeds(into: path) }
            // libFuzzer takes the first argument for the program's name, so the target's name stands in that place.
            let code = cfuzzing_run(CommandLine.argc - 1, CommandLine.unsafeArgv + 1, { FuzzingProgram.read($0, $1) })
            exit(code >= 0 ? code : try replay(path))
        } catch {
            print("gallery-sync-fuzz: \(error)")
            exit(70)
        }
    }

    private static func writeSeeds(into folder: FilePath) throws {
        try Directory.create(at: folder)
        for (number, seed) in try target.seeds().enumerated() {
            let path = folder.appending("seed\(number)")
            if try FileFacts.existing(path) == nil { try OpenFile(creating: path).write(seed, at: 0) }
        }
    }

    private static func replay(_ path: FilePath) throws -> Int32 {
        let isFile = try FileFacts.existing(path)?.kind == .file
        let files = isFile ? [path] : try Directory(path).names().map { path.appending($0) }
        for file in files { read(try OpenFile(reading: file).readAll()) }
        print("\(target.name): \(files.count) read, no promise broken")
        return 0
    }

    private static func read(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        read(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }

    /// Ends the process if a promise is broken, because libFuzzer looks for crashes.
    private static func read(_ bytes: [UInt8]) {
        guard let broken = target.read(bytes) else { return }
        fatalError("Broken promise: \(broken)")
    }
}
