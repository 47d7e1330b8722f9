/*
 * Finding the plug-in of an MPI library.
 */
#ifndef ANAX_CORE_PROCESSES_LAUNCH_H
#define ANAX_CORE_PROCESSES_LAUNCH_H

#include "core/base/status.h"
#include "core/processes/processes_plugin.h"

#include <stdbool.h>
#include <stddef.h>

/* Loads the plug-in for a library: "openmpi" or "mpich". It stays loaded. STATUS_USAGE: there is
 * none, or it does not fit. `launcher`: what started the process, for people. */
status_code processes_load(const struct processes_plugin **plugin, const char *library,
                           const char *launcher, struct status *status);

/* Writes the path of a file among the plug-ins: in the folder of ANAX_PLUGINS, beside the program,
 * or where anax is installed. Returns false if there is none. */
bool processes_find_plugin(char *path, size_t path_bytes, const char *file);

#endif
