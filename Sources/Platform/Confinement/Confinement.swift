import CLinux
import Glibc

/// Confines a process that decodes untrusted files.
package enum Confinement {
    /// The resources that a confined process may use.
    package struct Limits: Hashable, Sendable {
        /// Bytes of memory for data; allocating more fails.
        package var data: Int
        /// Seconds of processor time until SIGXCPU, which `allowProcessorTime` renews for each job.
        package var processorTime: Int
        /// Seconds of processor time until SIGKILL, over the process's whole life.
        var lifetime: Int

        /// The media worker's limits, unless given: 1 GiB, a minute for each job, four hours in all.
        package init(data: Int = 1 << 30, processorTime: Int = 60, lifetime: Int = 4 * 3600) {
            self.data = data
            self.processorTime = processorTime
            self.lifetime = lifetime
        }
    }

    /// A restriction that some kernels and containers refuse to set up.
    package enum Wall: String, CaseIterable, Sendable {
        case network = "empty network namespace"
        case files = "Landlock"
        case capabilities = "no capabilities"
    }

    /// A restriction that this kernel refused to set up, with its reason.
    package struct Refusal: Hashable, Sendable {
        /// The restriction that is missing.
        package let wall: Wall
        /// Why the kernel did not grant it.
        package let error: SystemError
    }

    /// Confines this process irrevocably; returns the optional restrictions that the kernel refused.
    ///
    /// Call it at the start of `main`, before there is a second thread and after loading all libraries that open files:
    /// afterwards the process can open no path except those of `files`. It opens these now; missing ones are skipped.
    /// Throws when a limit, no_new_privs or the filter of system calls is refused; the process may then be only partly
    /// confined.
    package static func apply(
        _ limits: Limits = Limits(), keeping files: [FilePath] = []
    ) throws(SystemError) -> [Refusal] {
        try KeptFiles.keep(files)
        try limit(RLIMIT_CORE, soft: 0, hard: 0)
        try limit(RLIMIT_DATA, soft: limits.data, hard: limits.data)
        try limit(RLIMIT_CPU, soft: limits.processorTime, hard: limits.lifetime)
        try SystemError.check("prctl") { clinux_prctl(PR_SET_NO_NEW_PRIVS, 1) }
        var refusals: [Refusal] = []
        for wall in Wall.allCases {
            do throws(SystemError) {
                try raise(wall)
            } catch {
                refusals.append(Refusal(wall: wall, error: error))
            }
        }
        try KernelFilter(CallFilter(process: getpid(), keepsFiles: true)).load(allThreads: true)
        return refusals
    }

    /// Allows this process `seconds` more of processor time before SIGXCPU; works while confined.
    package static func allowProcessorTime(seconds: Int) throws(SystemError) {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        var now = rlimit()
        try SystemError.check("getrlimit") { getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &now) }
        let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        now.rlim_cur = min(UInt(used + seconds), now.rlim_max)
        try SystemError.check("setrlimit") {
            clinux_setrlimit(Int32(RLIMIT_CPU.rawValue), now.rlim_cur, now.rlim_max)
        }
    }

    private static func limit(_ resource: __rlimit_resource, soft: Int, hard: Int) throws(SystemError) {
        var limits = rlimit(rlim_cur: UInt(soft), rlim_max: UInt(hard))
        try SystemError.check("setrlimit") { setrlimit(__rlimit_resource_t(resource.rawValue), &limits) }
    }

    private static func raise(_ wall: Wall) throws(SystemError) {
        switch wall {
        case .network: try leaveNetwork()
        case .files: try denyFiles()
        case .capabilities: try SystemError.check("capset") { clinux_drop_capabilities() }
        }
    }

    /// Moves this process into a network without interfaces; accounts other than root need a user namespace for that.
    private static func leaveNetwork() throws(SystemError) {
        do {
            try SystemError.check("unshare") { clinux_unshare(Int32(CLONE_NEWNET)) }
        } catch  where error.isDenied {
            try SystemError.check("unshare") { clinux_unshare(Int32(CLONE_NEWUSER) | Int32(CLONE_NEWNET)) }
        }
    }

    /// Denies all access to files and ports that this kernel's Landlock knows; open files stay open.
    private static func denyFiles() throws(SystemError) {
        let version = try SystemError.check("landlock_create_ruleset") { clinux_landlock_version() }
        // Rights on files known in versions 1 (13 of them), 2 (refer), 3 (truncate), 5 (ioctl on devices).
        let count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13
        // From version 4 on: bind and connect TCP ports.
        let network: UInt64 = version >= 4 ? 3 : 0
        try SystemError.check("landlock_restrict_self") { clinux_landlock_deny((1 << UInt64(count)) - 1, network) }
    }
}
