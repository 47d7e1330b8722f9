/*
 * The files of named machines: finding one, and listing all. Knows folders and names; must not know
 * the contents of machine files.
 *
 * Invariant: of two files of one name, every function uses the file in the earlier folder.
 */
#ifndef ANAX_API_MACHINES_H
#define ANAX_API_MACHINES_H

#include "core/base/status.h"

#include <stdbool.h>

/* Finds the file of a machine, whose name may be a path. The caller frees *path. STATUS_USAGE:
 * there is no machine of that name; the text names all that there are. */
status_code machines_find(char **path, const char *name, struct status *status);

/* Calls visit for every named machine with its name and file, sorted by name. */
status_code machines_visit(void (*visit)(void *context, const char *name, const char *path),
                           void *context, struct status *status);

/* Returns whether two names of machines lead to the same file. */
bool machines_are_same(const char *name, const char *other);

#endif
