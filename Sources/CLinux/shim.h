#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// What Swift's Glibc module lacks, since it is imported without _GNU_SOURCE: headers it leaves
// out, single prototypes, and one function per variadic or wrapperless system call.
#include <errno.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <unistd.h>

int pipe2(int descriptors[2], int flags);
int pthread_setname_np(pthread_t thread, const char *name);
int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags);

/// Opens `path` below `directory`, following what `resolve` permits.
static inline int clinux_openat2(int directory, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve) {
    struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

static inline ssize_t clinux_getdents64(int directory, void *buffer, size_t size) {
    return syscall(SYS_getdents64, directory, buffer, size);
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

#endif
