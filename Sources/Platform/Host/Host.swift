import CLinux
import Glibc

/// The machine that this process runs on, and the account it runs as.
package enum Host {
    /// The number of processors this process may use.
    package static var cores: Int {
        var mask = [UInt8](repeating: 0, count: 1024)
        let count = clinux_sched_getaffinity(0, mask.count, &mask)
        return count > 0 ? mask.reduce(0) { $0 + $1.nonzeroBitCount } : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    /// The id of this process.
    package static var processID: Int32 { getpid() }

    /// Whether a process with this id exists, of whatever account.
    package static func isRunning(_ process: Int32) -> Bool {
        kill(process, 0) == 0 || errno == EPERM
    }

    /// The id of the account whose rights this process has.
    package static var userID: UInt32 { geteuid() }

    /// The path of this program's executable.
    package static func executable() throws(SystemError) -> FilePath {
        var name = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try SystemError.check("readlink") { readlink("/proc/self/exe", &name, name.count) }
        return FilePath(bytes: name[..<count].map(UInt8.init(truncatingIfNeeded:)))
    }

    /// systemd's id of this machine, 32 characters; `nil` where there is none, as in many containers.
    package static var machineID: String? {
        let id = try? OpenFile(reading: "/etc/machine-id").readAll(limit: 64)
        guard let id, id.count >= 32 else { return nil }
        return String(decoding: id.prefix(32), as: UTF8.self)
    }

    /// The name of this machine in its network.
    package static var name: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The home directory: `HOME`, else the account database's; `nil` where neither names one.
    package static var homeDirectory: FilePath? {
        if let home = Environment["HOME"], home.hasPrefix("/") { return FilePath(home) }
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        guard getpwuid_r(getuid(), &record, &buffer, buffer.count, &found) == 0, let found,
            let home = found.pointee.pw_dir
        else { return nil }
        return FilePath(String(cString: home))
    }

    /// Bytes of memory that a process uses; `nil` when no process has that id.
    package static func residentBytes(of process: Int32 = getpid()) -> Int? {
        guard let file = try? OpenFile(reading: FilePath("/proc/\(process)/statm")),
            let text = try? file.readAll(limit: 4096)
        else { return nil }
        let pages = text.split(separator: UInt8(ascii: " ")).dropFirst().first
        return pages.flatMap { Int(String(decoding: $0, as: UTF8.self)) }.map { $0 * Int(getpagesize()) }
    }
}
