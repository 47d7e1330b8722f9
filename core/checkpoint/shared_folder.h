/*
 * Finds out whether all processes see the same folder: on several computers one path can lead to
 * different folders.
 */
#ifndef ANAX_CORE_SHARED_FOLDER_H
#define ANAX_CORE_SHARED_FOLDER_H

#include "core/base/status.h"
#include "core/processes/processes.h"

/* How the name of the file begins by which it does so. A run that is killed may leave the file. */
#define SHARED_FOLDER_PREFIX "shared-"

/* Refuses a folder (STATUS_USAGE) that not all processes share. They call this together, and
 * the folder exists for each of them. Does nothing for NULL as folder or as processes. */
status_code shared_folder_check(const char *folder, struct processes *processes,
                                struct status *status);

#endif
