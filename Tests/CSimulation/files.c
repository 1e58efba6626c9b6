// Calls for files, which are reported to the simulation before they happen, so that it can change the world first or
// let them fail. Calls of libraries come here, too: SQLite writes through these functions.
#include "CSimulation.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Defined in Swift: the error that the call is to fail with, or 0.
extern int csimulation_meet(void *context, int kind, int domain);

_Thread_local int64_t csimulation_birth;
_Thread_local bool csimulation_has_inotify;
_Thread_local bool csimulation_lost_inotify;

enum { descriptors = 4096 };
// The domain of the file behind each descriptor; 0 for none.
static _Thread_local unsigned char domains[descriptors];
static _Thread_local const char *folder;
static _Thread_local size_t folder_length;

void csimulation_watch(const char *path) {
    folder = path;
    folder_length = path ? strlen(path) : 0;
    // A descriptor's number may have belonged to a file of an earlier history.
    memset(domains, 0, sizeof domains);
}

// The domain of an absolute path: by the first letter of its first name below the simulation's folder.
static int domain_of(const char *path) {
    if (!folder || !path || strncmp(path, folder, folder_length) || path[folder_length] != '/') return 0;
    switch (path[folder_length + 1]) {
    case 'P': return csimulation_gallery;
    case 'l': return csimulation_state;
    case 's': return csimulation_storage;
    default: return 0;
    }
}

static int domain_at(int directory, const char *path) {
    if (path && path[0] == '/') return domain_of(path);
    return directory >= 0 && directory < descriptors ? domains[directory] : 0;
}

static int domain_behind(int file) { return file >= 0 && file < descriptors ? domains[file] : 0; }

// Whether the call may happen; sets errno if not.
static int may(int kind, int domain) {
    if (!csimulation_context || csimulation_outside || !domain) return 1;
    int code = csimulation_meet(csimulation_context, kind, domain);
    if (!code) return 1;
    errno = code;
    return 0;
}

static int opened(int file, int domain) {
    if (csimulation_context && file >= 0 && file < descriptors) domains[file] = (unsigned char)domain;
    return file;
}

// Events of a queue, or the one that tells that it was full and that the others are lost.
static long read_events(const long v[6]) {
    long count = csimulation_kernel(SYS_read, v);
    if (count <= 0 || may(csimulation_read, csimulation_events)) return count;
    while (csimulation_kernel(SYS_read, v) > 0) {}
    *(struct inotify_event *)v[1] = (struct inotify_event){.wd = -1, .mask = IN_Q_OVERFLOW};
    return sizeof(struct inotify_event);
}

long csimulation_call(long number, const long v[6]) {
    int domain;
    switch (csimulation_context ? number : -1) {
    case SYS_openat:
    case SYS_openat2:
        domain = domain_at((int)v[0], (const char *)v[1]);
        if (!may(csimulation_open, domain)) return -1;
        return opened((int)csimulation_kernel(number, v), domain);
    case SYS_getdents64: return may(csimulation_list, domain_behind((int)v[0])) ? csimulation_kernel(number, v) : -1;
    case SYS_newfstatat:
        return may(csimulation_look, domain_at((int)v[0], (const char *)v[1])) ? csimulation_kernel(number, v) : -1;
    case SYS_fstat: return may(csimulation_look, domain_behind((int)v[0])) ? csimulation_kernel(number, v) : -1;
    case SYS_read:
        if (domain_behind((int)v[0]) == csimulation_events) return read_events(v);
        // fall through
    case SYS_pread64: return may(csimulation_read, domain_behind((int)v[0])) ? csimulation_kernel(number, v) : -1;
    case SYS_write:
    case SYS_pwrite64:
    case SYS_ftruncate: return may(csimulation_write, domain_behind((int)v[0])) ? csimulation_kernel(number, v) : -1;
    case SYS_renameat2:
        return may(csimulation_rename, domain_at((int)v[0], (const char *)v[1])) ? csimulation_kernel(number, v) : -1;
    default: return csimulation_kernel(number, v);
    }
}

// Descriptors of no file: their numbers may have belonged to files.
int eventfd(unsigned count, int flags) {
    return opened((int)csimulation_kernel(SYS_eventfd2, (const long[6]){(long)count, flags}), 0);
}
int inotify_init1(int flags) {
    if (csimulation_context && !csimulation_has_inotify) {
        errno = EMFILE;
        return -1;
    }
    int queue = opened((int)csimulation_kernel(SYS_inotify_init1, (const long[6]){flags}), csimulation_events);
    if (queue < 0) csimulation_lost_inotify = true;
    return queue;
}

int csimulation_may_synchronize(int file) { return may(csimulation_synchronize, domain_behind(file)); }

// The functions that follow replace libc's.

#define CALL(number, ...) csimulation_call(number, (const long[6]){__VA_ARGS__})

static int open_at(int directory, const char *path, int flags, va_list list) {
    // O_TMPFILE would need a mode, too, but nothing here uses it.
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    return (int)CALL(SYS_openat, directory, (long)path, flags, (long)mode);
}

#define OPEN(name)                                           \
    int name(const char *path, int flags, ...) {             \
        va_list list;                                        \
        va_start(list, flags);                               \
        int file = open_at(AT_FDCWD, path, flags, list);     \
        va_end(list);                                        \
        return file;                                         \
    }
#define OPENAT(name)                                              \
    int name(int directory, const char *path, int flags, ...) {   \
        va_list list;                                             \
        va_start(list, flags);                                    \
        int file = open_at(directory, path, flags, list);         \
        va_end(list);                                             \
        return file;                                              \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

#define LOOK(look, look_at, look_behind, facts)                                                     \
    int look_at(int directory, const char *restrict path, struct facts *restrict known, int flags) { \
        return (int)CALL(SYS_newfstatat, directory, (long)path, (long)known, flags);                 \
    }                                                                                               \
    int look(const char *restrict path, struct facts *restrict known) {                             \
        return look_at(AT_FDCWD, path, known, 0);                                                   \
    }                                                                                               \
    int look_behind(int file, struct facts *known) { return (int)CALL(SYS_fstat, file, (long)known); }
LOOK(stat, fstatat, fstat, stat)

ssize_t pread(int file, void *bytes, size_t count, off_t at) { return CALL(SYS_pread64, file, (long)bytes, (long)count, at); }
ssize_t pread64(int file, void *bytes, size_t count, off_t at) { return pread(file, bytes, count, at); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    return CALL(SYS_pwrite64, file, (long)bytes, (long)count, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at) { return pwrite(file, bytes, count, at); }
ssize_t write(int file, const void *bytes, size_t count) { return CALL(SYS_write, file, (long)bytes, (long)count); }
int ftruncate(int file, off_t size) { return (int)CALL(SYS_ftruncate, file, size); }
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
int renameat2(int from, const char *old, int to, const char *name, unsigned flags) {
    return (int)CALL(SYS_renameat2, from, (long)old, to, (long)name, flags);
}
// SQLite locks its files for each statement. The kernel is not asked, because one process always gets such a lock.
static int control(int file, int command, void *argument) {
    if (csimulation_context && command == F_SETLK) return 0;
    int result = (int)csimulation_kernel(SYS_fcntl, (const long[6]){file, command, (long)argument});
    return command == F_DUPFD_CLOEXEC ? opened(result, domain_behind(file)) : result;
}
#define CONTROL(name)                                 \
    int name(int file, int command, ...) {            \
        va_list list;                                 \
        va_start(list, command);                      \
        void *argument = va_arg(list, void *);        \
        va_end(list);                                 \
        return control(file, command, argument);      \
    }
CONTROL(fcntl)
CONTROL(fcntl64)
// The world states when files were created, because each life of a simulated program has fresh copies of them.
int statx(int directory, const char *restrict path, int flags, unsigned mask, struct statx *restrict known) {
    int result = (int)CALL(SYS_statx, directory, (long)path, flags, mask, (long)known);
    if (!csimulation_context || result || !(mask & STATX_BTIME)) return result;
    known->stx_mask |= STATX_BTIME;
    known->stx_btime.tv_sec = csimulation_birth;
    known->stx_btime.tv_nsec = 0;
    return 0;
}
int renameat(int from, const char *old, int to, const char *name) { return renameat2(from, old, to, name, 0); }
