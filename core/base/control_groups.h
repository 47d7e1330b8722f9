/*
 * The control groups of this process (cgroups(7)), in which batch systems and containers limit what
 * it may use. Knows versions 1 and 2; must not know what is limited.
 */
#ifndef ANAX_CORE_CONTROL_GROUPS_H
#define ANAX_CORE_CONTROL_GROUPS_H

#include <stdbool.h>

/* Calls visit for each folder that may have limits of a controller, such as "memory": those of the
 * process's group and of the groups around it, each of which limits everything inside. groups: a
 * file like /proc/self/cgroup. root: where the groups are mounted, /sys/fs/cgroup. Folders may not
 * exist: in a container the path of the group may be that of the host. */
void control_groups_visit(const char *groups, const char *root, const char *controller,
                          void (*visit)(void *context, const char *folder, bool is_version_2),
                          void *context);

/* Reads the first line of FOLDER/NAME without its end. Returns false if there is none. */
bool control_groups_read(const char *folder, const char *name, char *line, int size);

#endif
