/* The processors of this process, from a system call and from the files of control groups
 * (cgroups(7)). */
#define _GNU_SOURCE /* sched_getaffinity, CPU_ALLOC */
#include "core/processes/processors.h"

#include "core/base/control_groups.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { COMPUTER_MAX = 1 << 20 };

/* Counts the processors with a set of this size. Returns 0 if it fails; errno is EINVAL if the
 * computer may have more processors than the set. */
static unsigned count_with(size_t max) {
    const size_t size = CPU_ALLOC_SIZE(max);
    cpu_set_t *set = CPU_ALLOC(max);
    if (set == NULL) return 0;
    const int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
    const int reason = errno;
    CPU_FREE(set);
    errno = reason;
    return (unsigned)count;
}

unsigned processors_in_set(void) {
    unsigned count = 0;
    errno = EINVAL;
    for (size_t max = CPU_SETSIZE; count == 0 && errno == EINVAL && max <= COMPUTER_MAX; max *= 2)
        count = count_with(max);
    if (count > 0) return count;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

/* Reads "quota period" in microseconds, which version 1 has in two files. A file that says "max" or
 * -1 sets no quota. */
static void take_quota(void *context, const char *folder, bool is_version_2) {
    unsigned *min = context;
    char quota_text[64], period_text[64], *end = NULL;
    const char *name = is_version_2 ? "cpu.max" : "cpu.cfs_quota_us";
    if (!control_groups_read(folder, name, quota_text, sizeof quota_text)) return;
    const long long quota_us = strtoll(quota_text, &end, 10);
    if (end == quota_text || quota_us <= 0) return;
    const char *period = end;
    if (!is_version_2) {
        if (!control_groups_read(folder, "cpu.cfs_period_us", period_text, sizeof period_text))
            return;
        period = period_text;
    }
    const long long period_us = strtoll(period, NULL, 10);
    if (period_us <= 0) return;
    const long long whole = quota_us / period_us;
    if (whole < *min) *min = whole > 0 ? (unsigned)whole : 1;
}

unsigned processors_control_group_quota(const char *groups, const char *root) {
    unsigned min = UINT_MAX;
    control_groups_visit(groups, root, "cpu", take_quota, &min);
    return min;
}

unsigned processors_quota(void) {
    return processors_control_group_quota("/proc/self/cgroup", "/sys/fs/cgroup");
}

unsigned processors_count(void) {
    const unsigned in_set = processors_in_set(), quota = processors_quota();
    return quota < in_set ? quota : in_set;
}
