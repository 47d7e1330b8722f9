/*
 * Extrapolates an application to more ranks, from a series of its programs on different numbers of
 * ranks. Public header of the traces room. Must not know where the programs come from.
 */
#ifndef ANAX_TRACES_TRACES_EXTRAPOLATE_H
#define ANAX_TRACES_TRACES_EXTRAPOLATE_H

#include "traces/program/program.h"

/* How computation depends on the number of ranks. */
typedef enum extrapolate_scaling {
    EXTRAPOLATE_SCALING_FOUND, /* the caller does not know */
    EXTRAPOLATE_SCALING_WEAK,  /* the computation of a rank does not depend on it */
    EXTRAPOLATE_SCALING_STRONG /* the computation of all ranks together does not depend on it */
} extrapolate_scaling;

struct extrapolate_config {
    uint32_t ranks;              /* of the new program, 2 to 2^24 */
    bool approximate;            /* fit values that follow no exact law, instead of refusing them */
    bool exact_sizes;            /* but refuse sizes that follow no exact law */
    extrapolate_scaling scaling; /* a series of the other scaling is refused */
    uint64_t seed;               /* of the choice which values further ranks copy */
    uint32_t grid[4];            /* extents of the new program's process grid, that along which the
                                    rank varies fastest first; 0: by the rule */
    unsigned threads;            /* 0: one for each processor */
    /* Number of reads and writes of files that the caller has taken out of the programs. The report
     * says that the new program has none. */
    uint64_t accesses;
    /* Called from the calling thread before each attempt to find rules, and before the new program
     * is written. Returning false ends the extrapolation with STATUS_STOPPED. NULL: never called.
     */
    bool (*progress)(void *context);
    void *progress_context;
};

/* A finding: a rule or law, and how well it holds. */
struct extrapolate_finding {
    const char *subject; /* "grid", "communicator", "role", "partner", "bytes sent", ...; static */
    char *where;         /* what has the rule or law, such as a role or a call */
    char *law;           /* the rule or law */
    char *fit;      /* how well it holds: "exact", the error of a fit, or why it is uncertain */
    uint64_t count; /* how many equal findings this one stands for; of a role, its ranks in the
                       series; of a division, its runs */
    bool uncertain; /* another rule or law may hold */
};

struct extrapolate_report {
    uint32_t *ranks; /* [program of the series], from few to many */
    char **sources;  /* [program]: where it comes from */
    uint32_t program_count;
    uint32_t target_ranks;         /* of the new program */
    uint64_t operations, messages; /* of the new program */
    uint64_t bytes;                /* of these messages */
    struct extrapolate_finding *findings;
    size_t finding_count, finding_capacity;
    bool has_fits; /* some computation of the new program follows no exact law */
};

/* Makes the program of config->ranks ranks from 3 to 64 programs, in any order. The caller frees
 * *program with program_free, and the report with extrapolate_report_free, also after errors;
 * *program is NULL then. STATUS_INPUT: the programs are not of one application, or something
 * follows no rule; the text says where. STATUS_USAGE: the numbers of programs or ranks, or
 * config->grid, are not possible. STATUS_STOPPED: progress returned false. STATUS_MEMORY. */
status_code traces_extrapolate(struct program **program, struct extrapolate_report *report,
                               const struct program *const *programs, uint32_t program_count,
                               const struct extrapolate_config *config, struct status *status);

/* Frees the contents of a report, which is empty afterwards. */
void extrapolate_report_free(struct extrapolate_report *report);

#endif
