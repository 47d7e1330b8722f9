/*
 * The command among processes that were started together (mpirun, srun): which process speaks, and
 * how all of them end.
 *
 * Invariant: process 0 alone prints and writes, except for files of timelines and checkpoints.
 */
#ifndef ANAX_CLI_TOGETHER_H
#define ANAX_CLI_TOGETHER_H

#include "cli/command.h"

/* Finds out how this process was started, and silences it unless it is process 0. Called first.
 * With --part among the arguments, each process computes a part of its own and runs for itself. */
void together_find_launch(int argc, char **argv);

/* Joins the other processes if the command simulates on several. Sets *is_idle if another process
 * does the work of the command. Prints an error and returns the exit code, or returns 0. */
int together_begin(const struct command *command, bool *is_idle);

/* Returns the processes for the options of a run; NULL: this process runs alone. */
anax_processes *together_processes(void);
/* Returns whether this process prints and writes. */
bool together_prints(void);

/* Keeps an error for the other processes, until together_end. */
void together_record_failure(const anax_error *error);

/* Returns the exit code of this process for a failure that all processes find before they have
 * joined: 0 unless it is process 0. mpirun ends all processes as soon as one has ended with another
 * code than 0, and process 0 has to say why. */
int together_exit_code(int exit_code);

/* Ends the work with the others. exit_code: of this process. Prints the error of another process
 * that has failed. Returns the exit code for the whole. */
int together_end(int exit_code);

#endif
