/*
 * Finds the OTF2 archive in a folder. Private to the traces room.
 */
#ifndef ANAX_TRACES_FIND_ANCHOR_H
#define ANAX_TRACES_FIND_ANCHOR_H

#include "core/base/status.h"

/* Finds the only anchor file in a folder. The caller frees *path. STATUS_INPUT: there is none, or
 * there are several; the text names those that there are, in the folder or one folder deeper. */
status_code find_anchor(char **path, const char *folder, struct status *status);

#endif
