// The rights of files: a simulation that runs as root would be let through everywhere, and so the programs in it.
#include "CSimulation.h"
#include <linux/capability.h>
#include <sys/syscall.h>

_Thread_local int csimulation_outside;
// Whether the programs of this thread's simulation may use a file only as its rights say.
static _Thread_local bool obeys;

enum { overriding = 1 << CAP_DAC_OVERRIDE | 1 << CAP_DAC_READ_SEARCH };

static struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};

static bool get(struct __user_cap_data_struct *sets) {
    const long values[6] = {(long)&header, (long)sets};
    return csimulation_kernel(SYS_capget, values) == 0;
}

static void set_overriding(bool is_on) {
    struct __user_cap_data_struct sets[2];
    if (!get(sets)) return;
    sets[0].effective = is_on ? sets[0].effective | (sets[0].permitted & overriding) : sets[0].effective & ~overriding;
    const long values[6] = {(long)&header, (long)sets};
    csimulation_kernel(SYS_capset, values);
}

bool csimulation_can_override_rights(void) {
    struct __user_cap_data_struct sets[2];
    return get(sets) && (sets[0].permitted & overriding) == overriding;
}

void csimulation_set_obeys_rights(bool is_on) {
    if (is_on == obeys) return;
    obeys = is_on;
    set_overriding(!obeys || csimulation_outside > 0);
}

void csimulation_step_outside(int levels) {
    bool was_outside = csimulation_outside > 0;
    csimulation_outside += levels;
    if (obeys && was_outside != csimulation_outside > 0) set_overriding(!was_outside);
}
