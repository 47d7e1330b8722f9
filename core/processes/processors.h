/*
 * The processors that this process may use: what taskset, a batch system or a container leaves it,
 * as a set of processors or as a share of their time.
 */
#ifndef ANAX_CORE_PROCESSORS_H
#define ANAX_CORE_PROCESSORS_H

/* Returns how many processors this process can keep busy, at least 1. */
unsigned processors_count(void);

/* Returns how many processors are in its set, at least 1. */
unsigned processors_in_set(void);

/* Returns how many processors can be busy all the time within the quota of processor time that
 * control groups of version 1 and 2 set: whole ones, at least 1; UINT_MAX: no quota. groups: a file
 * like /proc/self/cgroup. root: where the groups are mounted, /sys/fs/cgroup. */
unsigned processors_control_group_quota(const char *groups, const char *root);
/* Returns the quota of this process, in the same way. All processes of a control group share it. */
unsigned processors_quota(void);

#endif
