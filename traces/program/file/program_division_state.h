/*
 * The state of a divided program. Private to program_division_new.c, which makes it, and to
 * program_division.c, which holds ranks in memory.
 */
#ifndef ANAX_TRACES_PROGRAM_DIVISION_STATE_H
#define ANAX_TRACES_PROGRAM_DIVISION_STATE_H

#include "traces/program/file/program_division.h"
#include "traces/program/program_coverage.h"

struct program_division {
    struct program *program;
    struct program_file_reader *reader;
    char *path;            /* of the program file */
    bool *held;            /* [rank]: is in memory, packed */
    bool is_whole;         /* all are in memory, perhaps not packed */
    uint32_t *shares;      /* [process]: first rank that it tests, and the end */
    uint32_t *mpi_regions; /* [region of the file]: its number among those of MPI, if user regions
                              are left out; NULL: they are kept */
    struct program_totals totals;
    struct program_coverage coverages[2]; /* [files_take_time] */
};

#endif
