import Platform

/// The kernel's figures about a running process.
struct ProcessGauge: Sendable {
    let folder: FilePath

    init(_ process: Int32) { folder = FilePath("/proc/\(process)") }

    private init(folder: FilePath) { self.folder = folder }

    /// This process.
    static let own = ProcessGauge(folder: "/proc/self")

    /// The kernel's ticks a second, which are the same for user programs on every architecture (time(7)).
    static let ticksPerSecond = 100.0

    /// The process and everything that it started, as far as they still run.
    static func family(of process: Int32) -> [ProcessGauge] {
        let gauge = ProcessGauge(process)
        let threads = (try? Directory(gauge.folder.appending("task")).names()) ?? []
        let children = threads.flatMap { gauge.text("task/\($0.display)/children").split(separator: " ") }
        return [gauge] + children.compactMap { Int32($0) }.flatMap(family)
    }

    /// The most bytes of memory that the process has had so far, or `nil` once it has ended.
    var peakBytes: Int? { Self.kilobytes("VmHWM:", in: text("status")).map { $0 << 10 } }

    /// Bytes of resident memory.
    var residentBytes: Int? { Self.kilobytes("Rss:", in: text("smaps_rollup")).map { $0 << 10 } }

    /// Bytes of resident memory that no file backs.
    var anonymousBytes: Int? { Self.kilobytes("Anonymous:", in: text("smaps_rollup")).map { $0 << 10 } }

    /// The voluntary context switches of each thread, which are counted because each means a later wakeup.
    var sleeps: [FilePath: Int] {
        let threads = (try? Directory(folder.appending("task")).names()) ?? []
        let counts = threads.map { thread in
            let status = text("task/\(thread.display)/status")
            return (thread, Self.number("voluntary_ctxt_switches:", in: status) ?? 0)
        }
        return Dictionary(counts) { $1 }
    }

    /// The wakeups between two readings; those of threads that ended meanwhile are not counted.
    ///
    /// If a thread number has fewer than before, it belongs to a new thread, which counts from 0.
    static func wakeups(from before: [FilePath: Int], to after: [FilePath: Int]) -> Int {
        after.reduce(0) { sum, thread in
            let known = before[thread.key, default: 0]
            return sum + (thread.value >= known ? thread.value - known : thread.value)
        }
    }

    /// The processor time that the process has used, in the kernel's ticks.
    var ticks: Int { times.prefix(2).reduce(0, +) }

    /// The processor time, in the kernel's ticks, of children that the process has waited for, and of their children.
    var ticksOfChildren: Int { times.suffix(2).reduce(0, +) }

    /// Ticks as user and in the kernel: first the process's own, then those of its children (proc(5)).
    private var times: [Int] {
        // The name, in parentheses, may hold spaces; the third field follows it.
        let fields = text("stat").split(separator: ")").last?.split(separator: " ") ?? []
        return fields.dropFirst(11).prefix(4).map { Int($0) ?? 0 }
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
