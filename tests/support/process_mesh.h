/*
 * Several processes without MPI, for tests: the calling one and copies of it, joined by sockets.
 * Takes the place of a plug-in.
 */
#ifndef ANAX_TESTS_PROCESS_MESH_H
#define ANAX_TESTS_PROCESS_MESH_H

#include "core/processes.h"

/* Calls `function` in `count` processes; the caller is process 0. Fails the test unless the
 * function returns `expected` in all of them. Each process parts from the others with what it
 * returned. */
void process_mesh_run(unsigned count, status_code expected,
                      status_code (*function)(void *context, struct processes *processes,
                                              struct status *status),
                      void *context);

/* Returns how many exchanges this process has made so far. */
unsigned process_mesh_exchanges(void);

#endif
