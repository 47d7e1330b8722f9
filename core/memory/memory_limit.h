/*
 * The memory that the process can have.
 */
#ifndef ANAX_CORE_MEMORY_LIMIT_H
#define ANAX_CORE_MEMORY_LIMIT_H

#include <stdint.h>

/* Returns the limit in bytes: the least of the computer's memory, the limits of address space and
 * data (ulimit), and the limits of the control groups, which batch systems and containers set. */
uint64_t memory_limit_bytes(void);

/* Returns the limit in bytes that control groups of version 1 and 2 set; UINT64_MAX: none. groups:
 * a file like /proc/self/cgroup. root: where the groups are mounted, /sys/fs/cgroup. A missing file
 * sets no limit. */
uint64_t memory_control_group_limit_bytes(const char *groups, const char *root);

#endif
