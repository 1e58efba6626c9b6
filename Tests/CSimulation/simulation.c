// Clocks and random bytes of the process, replaced for threads that run a simulation.
//
// These definitions precede libc's for the whole process, libraries included; on threads without a simulation they ask
// the kernel as libc does. Only programs that link this file are affected.
#include "CSimulation.h"
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

_Thread_local int64_t csimulation_now;
_Thread_local void *csimulation_context;
_Thread_local int64_t csimulation_clock_error;

// Defined in Swift.
extern uint64_t csimulation_draw(void *context);
extern void csimulation_take_over(void);
extern void csimulation_note_synchronized(void *context, uint64_t inode, int64_t size);

// The time at which each history begins: midsummer 2025.
static const int64_t origin = 1750000000;
static const int64_t second = 1000000000;

static void fill(unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)(csimulation_draw(csimulation_context) >> 32);
}

long csimulation_kernel(long number, const long v[6]) {
    long result;
#if defined(__x86_64__)
    register long d __asm__("r10") = v[3], e __asm__("r8") = v[4], f __asm__("r9") = v[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(v[0]), "S"(v[1]), "d"(v[2]), "r"(d), "r"(e), "r"(f)
                     : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long n __asm__("x8") = number, a __asm__("x0") = v[0], b __asm__("x1") = v[1], c __asm__("x2") = v[2];
    register long d __asm__("x3") = v[3], e __asm__("x4") = v[4], f __asm__("x5") = v[5];
    __asm__ volatile("svc 0" : "+r"(a) : "r"(n), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f) : "memory");
    result = a;
#else
#error "How this processor calls its kernel is not written down here."
#endif
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

// Swift's SystemRandomNumberGenerator calls the kernel through this function, as does code for calls that libc lacks.
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long v[6];
    for (int i = 0; i < 6; i++) v[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_getrandom && csimulation_context && v[0]) {
        fill((unsigned char *)v[0], (size_t)v[1]);
        return v[1];
    }
    return csimulation_call(number, v);
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    return syscall(SYS_getrandom, bytes, count, flags);
}

int getentropy(void *bytes, size_t count) { return getrandom(bytes, count, 0) == (ssize_t)count ? 0 : -1; }

int clock_gettime(clockid_t clock, struct timespec *moment) {
    if (!csimulation_context) return (int)syscall(SYS_clock_gettime, clock, moment);
    moment->tv_sec = (clock == CLOCK_REALTIME ? origin + csimulation_clock_error : 0) + csimulation_now / second;
    moment->tv_nsec = csimulation_now % second;
    return 0;
}

int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    moment->tv_sec = now.tv_sec;
    moment->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *moment) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    if (moment) *moment = now.tv_sec;
    return now.tv_sec;
}

// Files of a simulation lie on a disk in memory, so it only notes how many of their bytes would survive a power cut.
static int synchronize(int number, int file) {
    if (!csimulation_context) return (int)syscall(number, file);
    if (!csimulation_may_synchronize(file)) return -1;
    struct stat facts;
    csimulation_outside++;
    int code = fstat(file, &facts);
    csimulation_outside--;
    if (code) return -1;
    csimulation_note_synchronized(csimulation_context, facts.st_ino, facts.st_size);
    return 0;
}

int fdatasync(int file) { return synchronize(SYS_fdatasync, file); }

int fsync(int file) { return synchronize(SYS_fsync, file); }

// Memory is not given back, because that means nothing to a history and took half of its time.
int madvise(void *start, size_t size, int advice) {
    return csimulation_context ? 0 : (int)syscall(SYS_madvise, start, size, advice);
}

int malloc_trim(size_t pad) {
    (void)pad;
    return 0;
}

// A sleep takes virtual time.
static int sleep_for(const struct timespec *span, struct timespec *left) {
    if (csimulation_context) {
        csimulation_advance(csimulation_now + span->tv_sec * second + span->tv_nsec);
        return 0;
    }
    return (int)syscall(SYS_nanosleep, span, left);
}

int nanosleep(const struct timespec *span, struct timespec *left) { return sleep_for(span, left); }

int usleep(useconds_t microseconds) {
    struct timespec span = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000L};
    return sleep_for(&span, NULL);
}

extern struct {
    uint64_t seed[2];
    bool isFixed;
} _swift_stdlib_Hashing_parameters;

// Sets and dictionaries have the same order in every run.
void csimulation_fix_hashing(void) {
    _swift_stdlib_Hashing_parameters.seed[0] = _swift_stdlib_Hashing_parameters.seed[1] = 0;
    _swift_stdlib_Hashing_parameters.isFixed = true;
}

// Runs before the first task, because executors cannot be replaced later, and no dictionary may be hashed before.
__attribute__((constructor)) static void begin(void) {
    csimulation_fix_hashing();
    csimulation_take_over();
}
