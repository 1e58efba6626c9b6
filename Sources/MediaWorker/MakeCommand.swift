import Media
import MediaMaking
import Platform

/// `gallery-sync-media make`: encodes media files for tests and demonstrations.
enum MakeCommand {
    /// Runs the command with the words after `make`; returns the exit code.
    static func run(_ words: [String]) -> Int32 {
        if words.contains("--help") {
            print(MakeOrder.usage)
            return 0
        }
        do throws(MakeOrder.Misuse) {
            return make(try MakeOrder(words))
        } catch {
            MediaWorker.note("\(error.message)\n\n\(MakeOrder.usage)")
            return 2
        }
    }

    private static func make(_ order: MakeOrder) -> Int32 {
        // Among other things, this keeps the encoders from printing statistics.
        Examiner.prepare()
        let directory = FilePath(order.directory)
        for file in order.files {
            do {
                try write(file, below: directory)
                print(file.path)
            } catch {
                MediaWorker.note("\(file.path): \(error)")
                return 74
            }
        }
        return 0
    }

    private static func write(_ file: MadeFile, below directory: FilePath) throws {
        let path = directory.appending(file.path)
        try Directory.create(at: path.parent, mode: 0o755)
        try OpenFile(creating: path, mode: 0o644).write(file.encoded(), at: 0)
    }
}
