/*
 * Several processes without MPI, for tests: the calling one and copies of it, joined by sockets.
 * Takes the place of a plug-in.
 */
#ifndef ANAX_TESTS_PROCESS_MESH_H
#define ANAX_TESTS_PROCESS_MESH_H

#include "core/processes/processes.h"

/* Calls `function` in `count` processes; the caller is process 0. Each process parts from the
 * others with what the function returned. Fails the test unless all end with the same code, and
 * returns it. */
status_code process_mesh_run(unsigned count,
                             status_code (*function)(void *context, struct processes *processes,
                                                     struct status *status),
                             void *context);

/* In the runs to come, a process that is not 0 gives up in its exchange number `last`, as for lack
 * of memory. last 0: none does. */
void process_mesh_break(unsigned process, unsigned last);

#endif
