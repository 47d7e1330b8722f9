/*
 * Limits of memory, from system calls and from the files of control groups (cgroups(7)).
 */
#include "core/memory/memory_limit.h"

#include "core/base/control_groups.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t lesser(uint64_t one, uint64_t other) {
    return one < other ? one : other;
}

/* Takes the number in a group's file into the least one; a file that says "max" has none. */
static void take_limit(void *context, const char *folder, bool is_version_2) {
    const char *name = is_version_2 ? "memory.max" : "memory.limit_in_bytes";
    uint64_t *min = context;
    char text[32], *end = text;
    if (!control_groups_read(folder, name, text, sizeof text)) return;
    const unsigned long long limit = strtoull(text, &end, 10);
    if (end != text) *min = lesser(*min, limit);
}

uint64_t memory_control_group_limit_bytes(const char *groups, const char *root) {
    uint64_t min = UINT64_MAX;
    control_groups_visit(groups, root, "memory", take_limit, &min);
    return min;
}

uint64_t memory_limit_bytes(void) {
    static const int limits[] = {RLIMIT_AS, RLIMIT_DATA};
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    uint64_t max = memory_control_group_limit_bytes("/proc/self/cgroup", "/sys/fs/cgroup");
    if (pages > 0 && page_bytes > 0) max = lesser(max, (uint64_t)pages * (uint64_t)page_bytes);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit limit;
        if (getrlimit(limits[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
            max = lesser(max, limit.rlim_cur);
    }
    return max;
}
