#include <stdbool.h>
#include <stdint.h>

// One simulation runs on a thread at a time. While it does, that thread's clocks and random bytes are the simulation's.

/// Virtual nanoseconds since the start of this thread's simulation.
extern _Thread_local int64_t csimulation_now;
/// The simulation that this thread runs; null outside of one.
extern _Thread_local void *csimulation_context;

static inline int64_t csimulation_time(void) { return csimulation_now; }
static inline void csimulation_advance(int64_t moment) {
    if (moment > csimulation_now) csimulation_now = moment;
}
static inline void *csimulation_current(void) { return csimulation_context; }
/// Begins a simulation at virtual time zero, or ends it with null.
static inline void csimulation_enter(void *context) {
    csimulation_context = context;
    csimulation_now = 0;
}
