/*
 * Extrapolates an application to another number of ranks, from a series of its programs. Public
 * header of the traces room. Must not know where the programs come from.
 */
#ifndef ANAX_TRACES_TRACES_EXTRAPOLATE_H
#define ANAX_TRACES_TRACES_EXTRAPOLATE_H

#include "traces/program/program.h"

/* How the computation depends on the number of ranks. */
typedef enum extrapolate_scaling {
    EXTRAPOLATE_SCALING_FOUND, /* the series shows it */
    EXTRAPOLATE_SCALING_WEAK,  /* that of a rank does not */
    EXTRAPOLATE_SCALING_STRONG /* that of all ranks together does not */
} extrapolate_scaling;

struct extrapolate_config {
    uint32_t ranks;              /* of the new program */
    bool approximate;            /* replace what follows no rule by a distribution */
    bool exact_sizes;            /* but refuse sizes that follow no rule */
    extrapolate_scaling scaling; /* told by the caller */
    uint64_t seed;               /* of the distributions */
    uint32_t grid[4];            /* extents of the new program's process grid; 0: by the rule */
    unsigned threads;            /* 0: as many as are useful */
    /* Reads and writes of files that the caller took out of the programs. The report says that the
     * new program has none. */
    uint64_t accesses;
    /* Called from the calling thread before each attempt to find rules, and before the new program
     * is written. Returning false ends the extrapolation with STATUS_STOPPED. NULL: never called.
     */
    bool (*progress)(void *context);
    void *progress_context;
};

/* One finding. */
struct extrapolate_finding {
    const char *subject; /* "grid", "communicator", "scaling", "topology", "role", "partners",
                            "size", ... */
    char *where;         /* role, call */
    char *law;
    char *fit;      /* "exact", or the error of leaving out one program */
    uint64_t count; /* steps of the roles' programs that it is about */
    bool uncertain;
};

struct extrapolate_report {
    uint32_t *ranks; /* of each program of the series, from few to many */
    char **sources;
    uint32_t program_count;
    uint32_t target_ranks;
    uint64_t operations, messages; /* of the new program */
    uint64_t bytes;
    struct extrapolate_finding *findings;
    size_t finding_count, finding_capacity;
};

/* Makes the program. The caller frees *program with program_free and the report with
 * extrapolate_report_free, also after errors. STATUS_INPUT: the programs are not of one
 * application, or something follows no rule; the text says where. */
status_code traces_extrapolate(struct program **program, struct extrapolate_report *report,
                               const struct program *const *programs, uint32_t program_count,
                               const struct extrapolate_config *config, struct status *status);

/* Frees what traces_extrapolate has made. */
void extrapolate_report_free(struct extrapolate_report *report);

#endif
