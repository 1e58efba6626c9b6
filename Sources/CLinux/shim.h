#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// What Swift's Glibc module lacks, since it is imported without _GNU_SOURCE: headers it leaves
// out, single prototypes, and one function per variadic or wrapperless system call.
#include <errno.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <linux/stat.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

int syncfs(int descriptor);
int pipe2(int descriptors[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int statx(int directory, const char *path, int flags, unsigned int mask, struct statx *facts);
int tgkill(pid_t process, pid_t thread, int signal);
int pthread_setname_np(pthread_t thread, const char *name);
/// What libdispatch defines, under the name that the linker's --wrap gives it (Package.swift).
void __real_dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway);
int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags);

/// Opens `path` below `directory`, following what `resolve` permits.
static inline int clinux_openat2(int directory, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve) {
    struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

/// Unmaps the code of this program; what is used again is mapped again from the page cache.
static inline void clinux_unmap_code(void) {
    // By the linker: up to `etext` the program's file is mapped for reading only, so nothing is lost.
    extern const char __executable_start[], etext[];
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t start = (uintptr_t)__executable_start & ~(page - 1), end = (uintptr_t)etext & ~(page - 1);
    madvise((void *)start, end - start, MADV_DONTNEED);
}

static inline ssize_t clinux_getdents64(int directory, void *buffer, size_t size) {
    return syscall(SYS_getdents64, directory, buffer, size);
}

static inline int clinux_memory_file(const char *name) {
    const unsigned int close_on_exec = 1;
    return (int)syscall(SYS_memfd_create, name, close_on_exec);
}

/// The mount that an open file lies on, 0 where the kernel does not tell (before Linux 5.8).
static inline uint64_t clinux_mount_id(int descriptor) {
    const int empty_path = 0x1000;
    struct statx facts;
    memset(&facts, 0, sizeof facts);
    if (syscall(SYS_statx, descriptor, "", empty_path, STATX_MNT_ID, &facts) != 0) return 0;
    return facts.stx_mask & STATX_MNT_ID ? facts.stx_mnt_id : 0;
}

/// When the file at a path was made, in nanoseconds since 1970, 0 where its file system does not tell (Linux 4.11).
static inline int64_t clinux_birth_time(const char *path) {
    struct statx facts;
    memset(&facts, 0, sizeof facts);
    const int current_directory = -100;
    if (statx(current_directory, path, 0, STATX_BTIME, &facts) != 0 || !(facts.stx_mask & STATX_BTIME)) return 0;
    return facts.stx_btime.tv_sec * 1000000000 + facts.stx_btime.tv_nsec;
}

/// The UUID of the file system that an open file lies on (FS_IOC_GETFSUUID, Linux 6.9); its length, 0 for none.
static inline int clinux_file_system_uuid(int descriptor, uint8_t uuid[16]) {
    struct {
        uint8_t length, bytes[16];
    } answer;
    memset(&answer, 0, sizeof answer);
    if (ioctl(descriptor, _IOR(0x15, 0, answer), &answer) != 0 || answer.length > 16) return 0;
    memcpy(uuid, answer.bytes, 16);
    return answer.length;
}

static inline int clinux_gettid(void) { return (int)syscall(SYS_gettid); }

static inline int clinux_sched_getaffinity(int process, size_t size, void *mask) {
    return (int)syscall(SYS_sched_getaffinity, process, size, mask);
}

/// Columns of the terminal behind `descriptor`, 0 where that is none or does not tell.
static inline int clinux_terminal_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// Lines of the terminal behind `descriptor`, 0 where that is none or does not tell.
static inline int clinux_terminal_rows(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

/// Gives a thread the idle class of the disk's queue (ioprio_set(2)).
static inline int clinux_ioprio_set_idle(int thread) {
    const int who_process = 1, class_idle = 3, class_shift = 13;
    return (int)syscall(SYS_ioprio_set, who_process, thread, class_idle << class_shift);
}

static inline int clinux_prctl(int option, unsigned long value) {
    return prctl(option, value, 0UL, 0UL, 0UL);
}

static inline int clinux_unshare(int flags) { return (int)syscall(SYS_unshare, flags); }

/// The system call of that name, which libc replaces by one that our filter does not permit.
static inline int clinux_setrlimit(int resource, unsigned long soft, unsigned long hard) {
    unsigned long limits[2] = {soft, hard};
    return (int)syscall(SYS_setrlimit, resource, limits);
}

/// Gives up every capability of the calling thread.
static inline int clinux_drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    return (int)syscall(SYS_capset, &header, none);
}

/// The highest Landlock version the kernel knows, or -1.
static inline int clinux_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0UL, LANDLOCK_CREATE_RULESET_VERSION);
}

/// Denies the calling thread every handled right on files and, from version 4 on, on TCP ports.
static inline int clinux_landlock_deny(uint64_t files, uint64_t network) {
    struct {
        uint64_t files, network;
    } handled = {files, network};
    size_t size = network ? sizeof handled : sizeof handled.files;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0UL);
    if (rules < 0) return -1;
    int result = (int)syscall(SYS_landlock_restrict_self, rules, 0UL);
    int code = errno;
    close(rules);
    errno = code;
    return result;
}

/// Sends bytes, with the first of them `passed` unless that is negative.
static inline ssize_t clinux_send(int socket, const void *bytes, size_t count, int passed, int flags) {
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (passed >= 0) {
        memset(&control, 0, sizeof control);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&control.header), &passed, sizeof passed);
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
    }
    return sendmsg(socket, &message, flags);
}

/// Receives bytes, and into `passed` the descriptor that came with them or -1; a NULL `passed` takes none.
static inline ssize_t clinux_receive(int socket, void *bytes, size_t count, int *passed, int flags) {
    struct iovec piece = {.iov_base = bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (passed) {
        *passed = -1;
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
    }
    ssize_t received = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    if (received < 0 || !passed) return received;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS)
            memcpy(passed, CMSG_DATA(part), sizeof *passed);
    }
    return received;
}

#endif
