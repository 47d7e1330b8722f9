/*
 * How much memory the process can have.
 */
#ifndef ANAX_CORE_MEMORY_LIMIT_H
#define ANAX_CORE_MEMORY_LIMIT_H

#include <stdint.h>

/* Bytes at most: the computer's memory, or less by the limits of address space and data (ulimit) or
 * of its control groups, as batch systems and containers set them. */
uint64_t memory_most_bytes(void);

/* What control groups of either version allow, UINT64_MAX: anything. groups: a file like
 * /proc/self/cgroup; root: where they are mounted, /sys/fs/cgroup. What is not there is no limit.
 */
uint64_t memory_group_bytes(const char *groups, const char *root);

#endif
