/* The processors that this process may use. */
#ifndef ANAX_CORE_PROCESSORS_H
#define ANAX_CORE_PROCESSORS_H

/* How many they are, at least 1: what taskset, a batch system or a container leaves it, as a set of
 * processors or as a share of their time. */
unsigned processors_count(void);

/* How many there are in the set, at least 1. */
unsigned processors_in_set(void);

/* Returns how many processors can be busy all the time within the quota of processor time that
 * control groups of version 1 and 2 set: whole ones, at least 1; UINT_MAX: no quota. groups: a file
 * like /proc/self/cgroup. root: where the groups are mounted, /sys/fs/cgroup. */
unsigned processors_group_quota(const char *groups, const char *root);
/* That of this process. All processes of a group share it. */
unsigned processors_quota(void);

#endif
