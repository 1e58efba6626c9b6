// Fails one call of a program: the FAIL_AT-th call of a file below FAIL_BELOW (FAIL_KIND=file), or the FAIL_AT-th allocation
// that a C library asks for (FAIL_KIND=malloc). Loaded by .ci/fail-calls.py with LD_PRELOAD; never part of a program.
//
// With FAIL_AT=0 nothing fails. FAIL_REPORT is a file: its first line is what failed, its last the number of calls.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static long fail_at = -1;
static int fails_files, fails_allocations, failure = EIO;
static const char *below, *report;

static void tell(const char *what, const char *where) {
    if (!report) return;
    char line[600];
    int length = snprintf(line, sizeof line, "%s %s\n", what, where ? where : "");
    int file = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0) syscall(SYS_write, file, line, length), syscall(SYS_close, file);
}

__attribute__((constructor)) static void begin(void) {
    const char *program = getenv("FAIL_PROGRAM"), *kind = getenv("FAIL_KIND"), *code = getenv("FAIL_ERRNO");
    if (!program || !kind || strcmp(program, program_invocation_short_name)) return;
    below = getenv("FAIL_BELOW");
    report = getenv("FAIL_REPORT");
    if (code) failure = atoi(code);
    fails_files = !strcmp(kind, "file");
    fails_allocations = !strcmp(kind, "malloc");
    fail_at = atol(getenv("FAIL_AT"));
}

__attribute__((destructor)) static void end(void) {
    char number[40];
    if (fail_at < 0) return;
    snprintf(number, sizeof number, "%ld", atomic_load(&calls));
    tell("calls", number);
}

static int is_below(const char *path) { return below && path && !strncmp(path, below, strlen(below)); }

static int fails(const char *call, const char *path) {
    if (atomic_fetch_add(&calls, 1) + 1 != fail_at) return 0;
    tell(call, path);
    errno = failure;
    return 1;
}

// Whether this call on a descriptor, or on a name below one, is the one to fail.
static int fails_at(const char *call, int descriptor, const char *name) {
    char link[40], path[4096];
    if (!fails_files || fail_at < 0) return 0;
    if (name && *name == '/') return is_below(name) && fails(call, name);
    int saved = errno;
    snprintf(link, sizeof link, descriptor == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 300);
    errno = saved;
    if (length <= 0) return 0;
    path[length] = 0;
    if (name && *name) snprintf(path + length, sizeof path - length, "/%s", name);
    return is_below(path) && fails(call, path);
}

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); real; })
#define FD(type, name, parameters, descriptor, ...) \
    type name parameters { return fails_at(#name, descriptor, NULL) ? -1 : REAL(name)(__VA_ARGS__); }
#define PATH(type, name, parameters, directory, path, ...) \
    type name parameters { return fails_at(#name, directory, path) ? -1 : REAL(name)(__VA_ARGS__); }

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
        return fails_at(#name, AT_FDCWD, path) ? -1 : REAL(name)(path, flags, mode); }
#define OPENAT(name) \
    int name(int directory, const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
        return fails_at(#name, directory, path) ? -1 : REAL(name)(directory, path, flags, mode); }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)
FD(ssize_t, read, (int f, void *b, size_t n), f, f, b, n)
FD(ssize_t, pread, (int f, void *b, size_t n, off_t o), f, f, b, n, o)
FD(ssize_t, pread64, (int f, void *b, size_t n, off64_t o), f, f, b, n, o)
FD(ssize_t, write, (int f, const void *b, size_t n), f, f, b, n)
FD(ssize_t, pwrite, (int f, const void *b, size_t n, off_t o), f, f, b, n, o)
FD(ssize_t, pwrite64, (int f, const void *b, size_t n, off64_t o), f, f, b, n, o)
FD(ssize_t, writev, (int f, const struct iovec *v, int n), f, f, v, n)
FD(int, fsync, (int f), f, f)
FD(int, fdatasync, (int f), f, f)
FD(int, ftruncate, (int f, off_t n), f, f, n)
FD(int, ftruncate64, (int f, off64_t n), f, f, n)
FD(int, fallocate, (int f, int m, off_t o, off_t n), f, f, m, o, n)
FD(int, fstat, (int f, struct stat *s), f, f, s)
FD(int, fstat64, (int f, struct stat64 *s), f, f, s)
FD(int, fchmod, (int f, mode_t m), f, f, m)
FD(int, flock, (int f, int o), f, f, o)
PATH(int, stat, (const char *p, struct stat *s), AT_FDCWD, p, p, s)
PATH(int, stat64, (const char *p, struct stat64 *s), AT_FDCWD, p, p, s)
PATH(int, lstat, (const char *p, struct stat *s), AT_FDCWD, p, p, s)
PATH(int, lstat64, (const char *p, struct stat64 *s), AT_FDCWD, p, p, s)
PATH(int, fstatat, (int d, const char *p, struct stat *s, int f), d, p, d, p, s, f)
PATH(int, fstatat64, (int d, const char *p, struct stat64 *s, int f), d, p, d, p, s, f)
PATH(int, statx, (int d, const char *p, int f, unsigned m, struct statx *s), d, p, d, p, f, m, s)
PATH(int, access, (const char *p, int m), AT_FDCWD, p, p, m)
PATH(int, mkdir, (const char *p, mode_t m), AT_FDCWD, p, p, m)
PATH(int, mkdirat, (int d, const char *p, mode_t m), d, p, d, p, m)
PATH(int, unlink, (const char *p), AT_FDCWD, p, p)
PATH(int, unlinkat, (int d, const char *p, int f), d, p, d, p, f)
PATH(int, rename, (const char *p, const char *q), AT_FDCWD, p, p, q)
PATH(int, renameat, (int d, const char *p, int e, const char *q), d, p, d, p, e, q)
PATH(int, renameat2, (int d, const char *p, int e, const char *q, unsigned f), d, p, d, p, e, q, f)
PATH(int, link, (const char *p, const char *q), AT_FDCWD, p, p, q)
PATH(int, linkat, (int d, const char *p, int e, const char *q, int f), d, p, d, p, e, q, f)
PATH(int, utimensat, (int d, const char *p, const struct timespec t[2], int f), d, p, d, p, t, f)
struct dirent *readdir(DIR *d) { return fails_at("readdir", dirfd(d), NULL) ? NULL : REAL(readdir)(d); }
struct dirent64 *readdir64(DIR *d) { return fails_at("readdir64", dirfd(d), NULL) ? NULL : REAL(readdir64)(d); }
void *mmap(void *a, size_t n, int p, int flags, int f, off_t o) {
    if (f >= 0 && fails_at("mmap", f, NULL)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, a, n, p, flags, f, o);
}
void *mmap64(void *a, size_t n, int p, int flags, int f, off64_t o) { return mmap(a, n, p, flags, f, o); }

// Allocations: only those of C libraries; Swift's own run time ends the program, and so do libc's and the loader's.
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);

static int is_library(const void *caller) {
    static _Thread_local int isAsking;
    static const char *others[] = {"libswift", "lib_", "libFoundation", "libdispatch", "libBlocksRuntime", "libc.so", "ld-linux",
                                   "libpthread", "libdl", "fail-calls", NULL};
    Dl_info info;
    if (isAsking) return 0;
    isAsking = 1;
    int found = dladdr(caller, &info) && info.dli_fname;
    isAsking = 0;
    if (!found) return 0;
    const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
    // Swift's run time is a library of its own in debug builds: what the program itself asks for is for C.
    if (strncmp(name, "lib", 3)) return !strcmp(name, program_invocation_short_name);
    for (int i = 0; others[i]; i++) if (!strncmp(name, others[i], strlen(others[i]))) return 0;
    return 1;
}

static int fails_allocation(const char *call, const void *caller) {
    Dl_info info;
    if (fail_at < 0 || !fails_allocations || !is_library(caller)) return 0;
    if (atomic_fetch_add(&calls, 1) + 1 != fail_at) return 0;
    long left = fail_at;
    fail_at = -1;
    tell(call, dladdr(caller, &info) ? info.dli_fname : "");
    fail_at = left;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n) { return fails_allocation("malloc", __builtin_return_address(0)) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return fails_allocation("calloc", __builtin_return_address(0)) ? NULL : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return fails_allocation("realloc", __builtin_return_address(0)) ? NULL : __libc_realloc(p, n); }
int posix_memalign(void **p, size_t a, size_t n) {
    if (fails_allocation("posix_memalign", __builtin_return_address(0))) return ENOMEM;
    *p = __libc_memalign(a, n);
    return *p ? 0 : ENOMEM;
}
