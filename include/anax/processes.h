/*
 * Runs on several processes, as mpirun and srun start them, on one computer or on several. anax.h
 * has the rules for the whole interface.
 *
 * All processes make the same calls with the same arguments. Replays and traffic with
 * options.processes are simulated by all of them together: each keeps and simulates a part of the
 * machine. Their results are complete in process 0 only, which has those of a single process; other
 * processes only learn whether the run succeeded. The library loads a plug-in that calls MPI.
 *
 *     anax_code code = anax_processes_begin(&processes, &error);
 *     if (code == ANAX_OK) code = ...;               calls with options.processes
 *     code = anax_processes_finish(processes, code, error.text, &error);
 *     anax_processes_end(processes, anax_code_exit_code(code));
 */
#ifndef ANAX_PROCESSES_H
#define ANAX_PROCESSES_H

#include <anax/common.h>
#include <anax/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Finds out from the environment, without MPI, how this process was started. Sets *count to how
 * many processes were started together, 1 or more, and returns the number of this process among
 * them, 0 … *count - 1. A process that was started alone is number 0 of 1. */
ANAX_API unsigned anax_processes_launched(unsigned *count);

/* Returns the names of the MPI libraries whose mpirun may start several processes; "" if there is
 * none. The caller frees the text. */
ANAX_API char *anax_processes_supported(void);

/* Joins the processes that were started together; *processes is NULL if there is only one. Must be
 * called once, before any other call that reads files. ANAX_ERROR_USAGE: there is no plug-in for
 * the MPI library that started the processes, or too little address space for that library. */
ANAX_API anax_code anax_processes_begin(anax_processes **processes, anax_error *error);

/* Tells the other processes that this one has nothing more to do, or that it has failed: `code` and
 * `text`, which is NULL for ANAX_OK. Waits until all of them have called this function or failed.
 * Returns `code` if it is an error (then *error does not change); the code of the first other
 * process that has failed; or ANAX_OK. processes may be NULL. */
ANAX_API anax_code anax_processes_finish(anax_processes *processes, anax_code code,
                                         const char *text, anax_error *error);

/* Leaves the other processes, after anax_processes_finish, and frees processes, which may be NULL.
 * It is called _end, not _free, because MPI ends with it. All processes must pass the same
 * exit_code and then end with it: mpirun ends all other processes as soon as one has ended with
 * another code than 0. */
ANAX_API void anax_processes_end(anax_processes *processes, int exit_code);

/* Returns the number of this process, 0 … count - 1; 0 for NULL. */
ANAX_API unsigned anax_processes_number(const anax_processes *processes);

/* Returns the number of processes that run together; 1 for NULL. */
ANAX_API unsigned anax_processes_count(const anax_processes *processes);

#ifdef __cplusplus
}
#endif

#endif
