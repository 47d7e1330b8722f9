/*
 * The command among processes that were started together (mpirun, srun): which process speaks, and
 * how all of them end.
 *
 * Invariant: process 0 alone prints and writes, except for files of timelines and checkpoints, and
 * for the error of a process that could not join the others or cannot tell them.
 */
#ifndef ANAX_CLI_PARALLEL_COMMAND_H
#define ANAX_CLI_PARALLEL_COMMAND_H

#include "cli/command.h"

/* Finds out how this process was started, and silences it unless it is process 0. Called first.
 * With --part among the arguments, each process computes a part of its own and runs for itself. */
void parallel_command_find_launch(int argc, char **argv);

/* Joins the other processes if the command simulates on several. Sets *is_idle if another process
 * does the work of the command. Prints an error and returns the exit code, or returns 0. */
int parallel_command_begin(const struct command *command, bool *is_idle);

/* Returns the processes for the options of a run; NULL: this process runs alone. */
anax_processes *parallel_command_processes(void);
/* Returns whether this process prints and writes. */
bool parallel_command_prints(void);

/* Keeps an error for the other processes, until parallel_command_end. */
void parallel_command_record_failure(const anax_error *error);

/* Returns the exit code of this process for a failure that all processes find before they have
 * joined: 0 unless it is process 0. mpirun ends all processes as soon as one has ended with another
 * code than 0, and process 0 has to say why. */
int parallel_command_exit_code(int exit_code);

/* Ends a command whose command line is wrong, which has been printed. Tells the others so if the
 * command simulates on several processes: their command lines may be right. Returns the exit code
 * of this process. */
int parallel_command_refuse(const struct command *command, int exit_code);

/* Ends the work with the others. exit_code: of this process. Prints the error of another process
 * that has failed. Returns the exit code for the whole. */
int parallel_command_end(int exit_code);

#endif
