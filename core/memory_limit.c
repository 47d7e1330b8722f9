/*
 * Limits of memory, from system calls and from the files of control groups (cgroups(7)).
 */
#include "core/memory_limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static uint64_t lesser(uint64_t one, uint64_t other) {
    return one < other ? one : other;
}

/* Returns the number in a file; UINT64_MAX if there is none, or if it says "max". */
static uint64_t read_limit(const char *path) {
    FILE *file = fopen(path, "re");
    if (file == NULL) return UINT64_MAX;
    char text[32], *end = text;
    unsigned long long limit = 0;
    if (fgets(text, sizeof text, file) != NULL) limit = strtoull(text, &end, 10);
    fclose(file);
    return end != text ? limit : UINT64_MAX;
}

/* Returns the least limit of a group and the groups around it, each of which limits everything
 * inside. In a container the path of the group may be that of the host, so that only the root
 * exists. */
static uint64_t least_upwards(const char *root, char *group, const char *name) {
    uint64_t least = UINT64_MAX;
    for (;;) {
        char path[2 * PATH_BYTES];
        int length = snprintf(path, sizeof path, "%s%s/%s", root, group, name);
        if (length > 0 && (size_t)length < sizeof path) least = lesser(least, read_limit(path));
        char *last = strrchr(group, '/');
        if (last == NULL) return least;
        *last = '\0';
    }
}

uint64_t memory_group_bytes(const char *groups, const char *root) {
    FILE *file = fopen(groups, "re");
    if (file == NULL) return UINT64_MAX;
    char line[PATH_BYTES], mounted[PATH_BYTES];
    uint64_t least = UINT64_MAX;
    while (fgets(line, sizeof line, file) != NULL) { /* number:controllers:path */
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (group == NULL) continue;
        *controllers++ = *group++ = '\0';
        if (*controllers == '\0') { /* version 2 */
            least = lesser(least, least_upwards(root, group, "memory.max"));
        } else if (strcmp(controllers, "memory") == 0) {
            snprintf(mounted, sizeof mounted, "%s/memory", root);
            least = lesser(least, least_upwards(mounted, group, "memory.limit_in_bytes"));
        }
    }
    fclose(file);
    return least;
}

uint64_t memory_most_bytes(void) {
    static const int limits[] = {RLIMIT_AS, RLIMIT_DATA};
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    uint64_t most = memory_group_bytes("/proc/self/cgroup", "/sys/fs/cgroup");
    if (pages > 0 && page_bytes > 0) most = lesser(most, (uint64_t)pages * (uint64_t)page_bytes);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit limit;
        if (getrlimit(limits[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
            most = lesser(most, limit.rlim_cur);
    }
    return most;
}
