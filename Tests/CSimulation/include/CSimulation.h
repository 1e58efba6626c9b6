#include <stdbool.h>
#include <stdint.h>

// A thread runs one simulation at a time. While it does, its clocks and random bytes are the simulation's.

/// Virtual nanoseconds since the start of this thread's simulation.
extern _Thread_local int64_t csimulation_now;
/// The simulation that this thread runs; null outside of one.
extern _Thread_local void *csimulation_context;

/// Seconds by which the clock of this thread's simulation is wrong.
extern _Thread_local int64_t csimulation_clock_error;
/// Above zero while the simulated world itself makes calls for files, which are not reported to the simulation.
extern _Thread_local int csimulation_outside;
/// When the files of this thread's simulation were created, in seconds since 1970.
extern _Thread_local int64_t csimulation_birth;
/// Whether programs of this thread's simulation can watch directories, and have not used up the kernel's limit.
extern _Thread_local bool csimulation_has_inotify;
/// Whether the kernel refused a watch that the simulation grants, because other programs of this user have them all.
extern _Thread_local bool csimulation_lost_inotify;

/// What a call for a file does.
enum {
    csimulation_open = 1,
    csimulation_list,
    csimulation_look,
    csimulation_read,
    csimulation_write,
    csimulation_synchronize,
    csimulation_rename,
};

/// Whose file a call is for; the last are the kernel's queues of events, of which a call that fails loses those that wait.
enum { csimulation_gallery = 1, csimulation_state, csimulation_storage, csimulation_events };

/// Reports calls for files below `folder` to the simulation; the string must never be freed.
void csimulation_watch(const char *folder);
/// Makes a call after it was reported to the simulation, which may let it fail.
long csimulation_call(long number, const long values[6]);
/// Makes a call without a report to the simulation.
long csimulation_kernel(long number, const long values[6]);
/// Whether a file may be synchronized; sets `errno` if not.
int csimulation_may_synchronize(int file);

/// Counts how deep calls of the simulated world are nested, which are let through whatever the rights of files are.
void csimulation_step_outside(int levels);
/// Whether this process may use files against their rights.
bool csimulation_can_override_rights(void);
/// Has the programs of this thread's simulation use files only as their rights say.
void csimulation_set_obeys_rights(bool is_on);

/// Gives sets and dictionaries the same order in every run; to be called before the first one is made.
void csimulation_fix_hashing(void);

static inline void csimulation_set_clock_error(int64_t seconds) { csimulation_clock_error = seconds; }
static inline void csimulation_set_inotify(bool is_there) { csimulation_has_inotify = is_there; }
static inline bool csimulation_has_lost_inotify(void) { return csimulation_lost_inotify; }
static inline void csimulation_set_birth(int64_t seconds) { csimulation_birth = seconds; }
static inline int64_t csimulation_time(void) { return csimulation_now; }
static inline void csimulation_advance(int64_t moment) {
    if (moment > csimulation_now) csimulation_now = moment;
}
static inline void *csimulation_current(void) { return csimulation_context; }
/// Begins a simulation at virtual time zero, or ends it with null.
static inline void csimulation_enter(void *context) {
    csimulation_set_obeys_rights(false);
    csimulation_context = context;
    csimulation_now = 0;
    csimulation_clock_error = 0;
    csimulation_outside = 0;
    csimulation_birth = 1;
    csimulation_has_inotify = false;
    csimulation_lost_inotify = false;
}
