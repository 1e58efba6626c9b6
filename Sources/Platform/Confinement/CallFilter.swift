import CLinux
import Glibc

/// The system calls that the media worker may make.
///
/// Decoding needs memory, threads, time, and to read and write descriptors that are already open. Calls that would
/// reach other processes, the network or another program end the worker; opening a path fails; all others are refused.
struct CallFilter {
    /// One rule for each call that this list knows; newer calls fail with `ENOSYS`, so that libc falls back.
    let rules: [(number: Int32, rule: CallRule)]
    /// Calls from this number on are newer than this list.
    private static let firstUnknown: Int32 = 450

    /// The list for the process with this id, which is allowed to abort itself.
    ///
    /// - Parameter keepsFiles: Whether `KeptFiles` answers when a path is opened.
    init(process: Int32, keepsFiles: Bool = false) {
        let paths: [(number: Int32, rule: CallRule)] = Self.paths.map {
            ($0, .always(keepsFiles && KeptFiles.calls.contains($0) ? .interrupt : .refuse(EACCES)))
        }
        let listed =
            Self.allowed.map { ($0, .always(.allow)) } + Self.byArgument(process: process)
            + Self.fatal.map { ($0, .always(.kill)) } + paths
        let numbers = Set(listed.map(\.number))
        // Calls without a rule get the verdict for newer calls, so every older call needs a rule of its own.
        let others = (0..<Self.firstUnknown).filter { !numbers.contains($0) }
        rules = listed + others.map { ($0, .always(.refuse(EPERM))) }
    }
}

extension CallFilter {
    /// Harmless in a process that has nothing but open files.
    private static let allowed: [Int32] =
        [
            // Memory and locks.
            SYS_futex, SYS_mmap, SYS_munmap, SYS_madvise, SYS_mprotect, SYS_mremap, SYS_brk, SYS_membarrier,
            // Files, directories and sockets that are open.
            SYS_getdents64, SYS_read, SYS_pread64, SYS_readv, SYS_preadv, SYS_write, SYS_writev, SYS_lseek, SYS_fstat,
            SYS_fadvise64, SYS_recvmsg, SYS_recvfrom, SYS_sendmsg, SYS_sendto, SYS_shutdown, SYS_close, SYS_dup,
            SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2,
            SYS_timerfd_create, SYS_timerfd_settime,
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

    /// Calls that would reach beyond the worker; they kill it, because no library makes them by mistake.
    private static let fatal: [Int32] =
        [
            SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_execve,
            SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_tkill,
            SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_open, SYS_pidfd_send_signal, SYS_pidfd_getfd,
            SYS_io_uring_setup, SYS_bpf, SYS_setns, SYS_mount, SYS_init_module, SYS_finit_module,
        ] + fatalOnlyHere

    /// Calls that name a path; they are only refused, because libraries try them and cope with a refusal.
    private static let paths: [Int32] =
        [
            SYS_openat, SYS_openat2, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_mkdirat, SYS_unlinkat,
            SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_fchmodat, SYS_fchownat, SYS_statfs, SYS_chdir, SYS_getcwd,
        ] + pathsOnlyHere

    #if arch(x86_64)
        private static let allowedOnlyHere: [Int32] = [SYS_poll, SYS_select, SYS_epoll_wait, SYS_time, SYS_getrlimit]
        // -1, taken as unsigned, is the last number of the x32 calls, all of which must end the process.
        private static let fatalOnlyHere: [Int32] = [SYS_fork, SYS_vfork, -1]
        private static let pathsOnlyHere: [Int32] = [
            SYS_open, SYS_creat, SYS_access, SYS_readlink, SYS_stat, SYS_lstat, SYS_mkdir, SYS_rmdir, SYS_unlink,
            SYS_rename, SYS_renameat, SYS_link, SYS_symlink, SYS_chmod, SYS_chown,
        ]
    #elseif arch(arm64)
        private static let allowedOnlyHere: [Int32] = []
        private static let fatalOnlyHere: [Int32] = []
        private static let pathsOnlyHere: [Int32] = [SYS_renameat]
    #else
        #error("The system call filter knows x86-64 and 64-bit ARM only.")
    #endif

    /// Calls whose arguments decide whether they are allowed.
    private static func byArgument(process: Int32) -> [(number: Int32, rule: CallRule)] {
        let emptyPath: UInt64 = 0x1000  // AT_EMPTY_PATH: fstat, as newer libcs call it
        let thread = UInt64(CLONE_THREAD)
        return [
            (SYS_newfstatat, .oneOf(argument: 3, mask: emptyPath, [emptyPath], otherwise: .refuse(EACCES))),
            (SYS_statx, .oneOf(argument: 2, mask: emptyPath, [emptyPath], otherwise: .refuse(EACCES))),
            // Threads but no processes; clone3 hides its flags in memory, so it is refused and libc uses clone.
            (SYS_clone, .oneOf(argument: 0, mask: thread, [thread], otherwise: .kill)),
            (SYS_clone3, .always(.refuse(ENOSYS))),
            // Only the call that abort() makes.
            (SYS_tgkill, .oneOf(argument: 0, [UInt64(process)], otherwise: .kill)),
            (
                SYS_fcntl,
                .oneOf(
                    argument: 1, [F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC].map(UInt64.init),
                    otherwise: .refuse(EPERM))
            ),
            (
                SYS_prctl,
                .oneOf(
                    argument: 0, [PR_SET_NAME, PR_GET_NAME, setMemoryName].map(UInt64.init), otherwise: .refuse(EPERM))
            ),
            // Limits may be read. The only one that may be set is the job's processor time, up to the hard limit.
            (SYS_prlimit64, .oneOf(argument: 2, mask: .max, [0], otherwise: .refuse(EPERM))),
            // Threads of Dispatch set their priority, and write to the system log when that fails.
            (SYS_setpriority, .always(.pretend)),
            (SYS_setrlimit, .oneOf(argument: 0, [UInt64(RLIMIT_CPU.rawValue)], otherwise: .refuse(EPERM))),
        ]
    }

    private static let setMemoryName: Int32 = 0x5356_4d41  // PR_SET_VMA
}
