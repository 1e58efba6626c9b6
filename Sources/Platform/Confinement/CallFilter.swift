import CLinux
import Glibc

/// The system calls that the media worker may make.
///
/// Decoding needs memory, threads, time, and reading and writing what is already open. Calls that would reach
/// other processes, the network or another program end the worker; opening a path fails; the rest is refused.
struct CallFilter {
    /// This processor, as the kernel names it in every call it filters.
    let architecture: UInt32
    /// In the order in which they are tried; the frequent ones first.
    let rules: [(number: Int32, rule: CallRule)]
    /// Calls from this number on are newer than this list: they fail with `ENOSYS`, so libc falls back.
    private static let firstUnknown: UInt32 = 450

    /// The list for the process with this id, which may abort itself.
    init(process: Int32) {
        #if arch(x86_64)
            architecture = 0xc000_003e  // AUDIT_ARCH_X86_64
        #elseif arch(arm64)
            architecture = 0xc000_00b7  // AUDIT_ARCH_AARCH64
        #else
            #error("The system call filter knows x86-64 and 64-bit ARM only.")
        #endif
        rules =
            Self.allowed.map { ($0, .always(.allow)) } + Self.byArgument(process: process)
            + Self.fatal.map { ($0, .always(.kill)) } + Self.paths.map { ($0, .always(.refuse(EACCES))) }
    }

    /// The filter as instructions for the kernel.
    var program: [FilterInstruction] {
        var program: [FilterInstruction] = [
            .load(FilterInstruction.architecture), .skip(1, ifEqual: architecture), .end(.kill),
            .load(FilterInstruction.number),
        ]
        #if arch(x86_64)
            // The call numbers of the x32 ABI.
            program += [.skip(1, unlessAtLeast: 0x4000_0000), .end(.kill)]
        #endif
        for (number, rule) in rules {
            let decision = rule.instructions
            program += [.skip(UInt8(decision.count), unlessEqual: UInt32(number))] + decision
        }
        return program + [
            .skip(1, unlessAtLeast: Self.firstUnknown), .end(.refuse(ENOSYS)), .end(.refuse(EPERM)),
        ]
    }
}

extension CallFilter {
    /// Harmless in a process that has nothing but open files.
    private static let allowed: [Int32] =
        [
            // Memory and locks.
            SYS_futex, SYS_mmap, SYS_munmap, SYS_madvise, SYS_mprotect, SYS_mremap, SYS_brk, SYS_membarrier,
            // Files and sockets that are open.
            SYS_read, SYS_pread64, SYS_readv, SYS_preadv, SYS_write, SYS_writev, SYS_lseek, SYS_fstat, SYS_fadvise64,
            SYS_recvmsg, SYS_recvfrom, SYS_sendmsg, SYS_sendto, SYS_shutdown, SYS_close, SYS_dup, SYS_ppoll,
            SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2, SYS_timerfd_create,
            SYS_timerfd_settime,
            // Threads, time, and facts about this process.
            SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
            SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_set_robust_list, SYS_rseq, SYS_gettid,
            SYS_getpid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getcpu, SYS_getrusage,
            SYS_sysinfo, SYS_uname, SYS_times, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime,
            SYS_clock_getres, SYS_gettimeofday, SYS_getrandom, SYS_futex_waitv,
            // Signals to itself, and the end.
            SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigsuspend, SYS_rt_sigreturn, SYS_sigaltstack,
            SYS_restart_syscall, SYS_exit,
            SYS_exit_group,
        ] + allowedOnlyHere

    /// Calls that would reach beyond the worker: no library makes them by mistake.
    private static let fatal: [Int32] =
        [
            SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_execve,
            SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_tkill,
            SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_open, SYS_pidfd_send_signal, SYS_pidfd_getfd,
            SYS_io_uring_setup, SYS_bpf, SYS_setns, SYS_mount, SYS_init_module, SYS_finit_module,
        ] + fatalOnlyHere

    /// Calls that name a path: libraries try them and cope with a refusal.
    private static let paths: [Int32] =
        [
            SYS_openat, SYS_openat2, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_mkdirat, SYS_unlinkat,
            SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_fchmodat, SYS_fchownat, SYS_statfs, SYS_chdir, SYS_getcwd,
        ] + pathsOnlyHere

    #if arch(x86_64)
        private static let allowedOnlyHere: [Int32] = [SYS_poll, SYS_select, SYS_epoll_wait, SYS_time, SYS_getrlimit]
        private static let fatalOnlyHere: [Int32] = [SYS_fork, SYS_vfork]
        private static let pathsOnlyHere: [Int32] = [
            SYS_open, SYS_creat, SYS_access, SYS_readlink, SYS_stat, SYS_lstat, SYS_mkdir, SYS_rmdir, SYS_unlink,
            SYS_rename, SYS_renameat, SYS_link, SYS_symlink, SYS_chmod, SYS_chown,
        ]
    #else
        private static let allowedOnlyHere: [Int32] = []
        private static let fatalOnlyHere: [Int32] = []
        private static let pathsOnlyHere: [Int32] = [SYS_renameat]
    #endif

    /// Calls whose arguments decide whether they are allowed.
    private static func byArgument(process: Int32) -> [(number: Int32, rule: CallRule)] {
        let emptyPath: UInt32 = 0x1000  // AT_EMPTY_PATH: fstat, as newer libcs call it
        return [
            (SYS_newfstatat, .bits(argument: 3, emptyPath, then: .allow, otherwise: .refuse(EACCES))),
            (SYS_statx, .bits(argument: 2, emptyPath, then: .allow, otherwise: .refuse(EACCES))),
            // Threads but no processes; clone3 hides its flags in memory, so it is refused and libc uses clone.
            (SYS_clone, .bits(argument: 0, UInt32(CLONE_THREAD), then: .allow, otherwise: .kill)),
            (SYS_clone3, .always(.refuse(ENOSYS))),
            // What abort() sends, and nothing else.
            (SYS_tgkill, .oneOf(argument: 0, [UInt32(process)], otherwise: .kill)),
            (
                SYS_fcntl,
                .oneOf(
                    argument: 1, [F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC].map(UInt32.init),
                    otherwise: .refuse(EPERM))
            ),
            (
                SYS_prctl,
                .oneOf(
                    argument: 0, [PR_SET_NAME, PR_GET_NAME, setMemoryName].map(UInt32.init), otherwise: .refuse(EPERM))
            ),
            // Reading limits; setting how much processor time a job may take, up to the hard limit.
            (SYS_prlimit64, .zero(argument: 2, otherwise: .refuse(EPERM))),
            // Threads of Dispatch set their priority, and write to the system log when that fails.
            (SYS_setpriority, .always(.pretend)),
            (SYS_setrlimit, .oneOf(argument: 0, [UInt32(RLIMIT_CPU.rawValue)], otherwise: .refuse(EPERM))),
        ]
    }

    private static let setMemoryName: Int32 = 0x5356_4d41  // PR_SET_VMA
}
