/* The processors of this process. */
#define _GNU_SOURCE /* sched_getaffinity, CPU_ALLOC */
#include "core/processors.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

enum { COMPUTER_MOST = 1 << 20 };

/* Counts the processors with a set of this size. Returns 0 if it fails; errno is EINVAL if the
 * computer may have more processors than the set. */
static unsigned count_with(size_t most) {
    const size_t size = CPU_ALLOC_SIZE(most);
    cpu_set_t *set = CPU_ALLOC(most);
    if (set == NULL) return 0;
    const int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
    const int reason = errno;
    CPU_FREE(set);
    errno = reason;
    return (unsigned)count;
}

unsigned processors_count(void) {
    unsigned count = 0;
    errno = EINVAL;
    for (size_t most = CPU_SETSIZE; count == 0 && errno == EINVAL && most <= COMPUTER_MOST;
         most *= 2)
        count = count_with(most);
    if (count > 0) return count;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}
