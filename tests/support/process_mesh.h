/*
 * Several processes without MPI, for tests: the calling one and copies of it, joined by sockets.
 * Takes the place of a plug-in.
 */
#ifndef ANAX_TESTS_PROCESS_MESH_H
#define ANAX_TESTS_PROCESS_MESH_H

#include "core/processes.h"

/* Calls `function` in `count` processes; the caller is process 0. Each process parts from the
 * others with what the function returned. Fails the test unless all end with the same code, and
 * returns it. */
status_code process_mesh_run(unsigned count,
                             status_code (*function)(void *context, struct processes *processes,
                                                     struct status *status),
                             void *context);

#endif
