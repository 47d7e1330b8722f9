/*
 * The counts of executed lines (-DANAX_COVERAGE=ON). A process writes them when it exits; one that
 * a signal ends, or that becomes another program, has to ask for it.
 */
#ifndef ANAX_CLI_EXECUTED_LINES_H
#define ANAX_CLI_EXECUTED_LINES_H

#ifdef ANAX_COVERAGE
int __llvm_profile_write_file(void); /* of clang */
#endif

/* Adds what this process has counted to the file of counts, if lines are counted. */
static inline void executed_lines_write(void) {
#ifdef ANAX_COVERAGE
    __llvm_profile_write_file();
#endif
}

#endif
