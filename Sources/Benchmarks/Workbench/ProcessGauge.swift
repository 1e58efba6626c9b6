import Platform

/// What the kernel tells of a running process.
struct ProcessGauge: Sendable {
    private let folder: FilePath

    init(_ process: Int32) { folder = FilePath("/proc/\(process)") }

    /// Bytes of memory it had at most so far, or `nil` once it ended.
    var peakBytes: Int? { Self.kilobytes("VmHWM:", in: text("status")).map { $0 << 10 } }

    /// Bytes of memory it has.
    var residentBytes: Int? { Self.kilobytes("Rss:", in: text("smaps_rollup")).map { $0 << 10 } }

    /// Bytes of memory it has that no file holds.
    var anonymousBytes: Int? { Self.kilobytes("Anonymous:", in: text("smaps_rollup")).map { $0 << 10 } }

    /// How often each of its threads went to sleep of its own will, which is how often it woke.
    var sleeps: [FilePath: Int] {
        let threads = (try? Directory(folder.appending("task")).names()) ?? []
        let counts = threads.map { thread in
            let status = text("task/\(thread.display)/status")
            return (thread, Self.number("voluntary_ctxt_switches:", in: status) ?? 0)
        }
        return Dictionary(counts) { $1 }
    }

    /// How often threads woke between two looks; of a thread that ended meanwhile nothing is known.
    static func wakeups(from before: [FilePath: Int], to after: [FilePath: Int]) -> Int {
        after.reduce(0) { $0 + $1.value - before[$1.key, default: 0] }
    }

    /// Processor time it has used, in the kernel's ticks.
    var ticks: Int {
        // The name, in parentheses, may hold spaces; the third field follows it.
        let fields = text("stat").split(separator: ")").last?.split(separator: " ") ?? []
        return fields.dropFirst(11).prefix(2).reduce(0) { $0 + (Int($1) ?? 0) }
    }

    private func text(_ name: String) -> String {
        let bytes = try? OpenFile(reading: folder.appending(name)).readAll(limit: 1 << 20)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}

extension ProcessGauge {
    /// The number after `label` at the start of a line.
    static func number(_ label: String, in text: String) -> Int? {
        text.split(separator: "\n").first { $0.hasPrefix(label) }?
            .split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }
    }

    private static func kilobytes(_ label: String, in text: String) -> Int? { number(label, in: text) }
}
