/* The processors of this process. */
#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT */
#include "core/processors.h"

#include <sched.h>
#include <unistd.h>

unsigned processors_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}
