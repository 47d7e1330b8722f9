/*
 * bench/fidelity.sh: the experiments of the papers, what they must show, and the page that says
 * whether they do.
 *
 * The plan (fidelity_plan.c) is a table of commands, the claims (fidelity_claims.c) are rules over
 * what the commands measured, the pictures (fidelity_pictures.c) are drawn of it. Invariant: a
 * verdict follows from measured numbers by the rule that stands in the page; nothing but the cause
 * of a verdict is written by hand.
 */
#ifndef ANAX_BENCH_FIDELITY_H
#define ANAX_BENCH_FIDELITY_H

#include "bench/support/bench_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- fidelity_table.c: CSV tables, all cells as texts ---------------------------------------- */

struct table {
    char *text;
    char **cells; /* row by row, header included */
    size_t columns;
    size_t rows; /* without the header */
};

/* Reads a table of CSV. False, with a message, when the file is missing or its lines have different
 * numbers of cells. */
bool table_read(struct table *table, const char *path);
/* Frees what table_read has made. */
void table_free(struct table *table);
/* Returns the text of a cell; NULL: there is no such column. */
const char *table_text(const struct table *table, size_t row, const char *column);
/* Returns the number of a cell; NAN: it is empty. */
double table_number(const struct table *table, size_t row, const char *column);

/* ---- fidelity_plan.c: what is run ------------------------------------------------------------ */

typedef enum experiment_kind {
    CURVE, /* a point for each load */
    POINT  /* a single load, with tables of channels, routers and latencies */
} experiment_kind;

struct experiment {
    const char *name; /* NULL ends the table */
    experiment_kind kind;
    const char *routing;
    const char *options; /* machine, pattern, settings */
    const char *loads;
    const char *quick_options; /* added for --quick: a small machine, short times */
    const char *quick_loads;
};

extern const struct experiment experiments[];

/* ---- fidelity_run.c: running it, once ---------------------------------------------------------
 */

struct load_point {
    double offered;
    double accepted;
    bool stable;
    double latency; /* mean, in cycles (1 ns); NAN where nothing arrived, like those below */
    double minimal_latency;
    double nonminimal_latency;
    double accepted_latency; /* of what was delivered in the time, whenever it came up */
    double minimal_share;
    double hops;
};

typedef enum run_state { RUN_DONE, RUN_NO_POLICY, RUN_FAILED } run_state;

struct measurement {
    const struct experiment *experiment;
    run_state state;
    char *command; /* as anyone can type it */
    struct load_point *points;
    size_t count;
    struct table links; /* of a POINT, like the two below */
    struct table routers;
    struct table latencies;
};

/* Runs what was not run before by the same program with the same command; what fails is marked.
 * Ends the program when memory is short. */
struct measurement *measure_all(const struct bench_options *options, size_t *failed);
/* Frees what measure_all has returned. */
void measured_free(struct measurement *all);
/* Returns what an experiment measured; NULL unless it is done. */
const struct measurement *measured(const struct measurement *all, const char *name);

/* Returns the point of an offered load; NULL: there is none. */
const struct load_point *point_at(const struct measurement *curve, double load);
/* Returns the mean latency at an offered load, in cycles; NAN: there is none. */
double latency_at(const struct measurement *curve, double load);
/* Returns the largest accepted load of a curve. */
double throughput(const struct measurement *curve);
/* Returns the load at which the latency passes four times that at the least load, which is how
 * throughput is read from curves of latency; INFINITY if it does not. */
double saturation_load(const struct measurement *curve);
/* Returns the least load that is not stable; INFINITY: all are. */
double first_unstable(const struct measurement *curve);

/* ---- fidelity_rules.c -------------------------------------------------------------------------
 */

/* The router of a group that owns the global link to the group `distance` ahead, as a number in the
 * whole machine, from a table of links; and the number of groups. */
size_t owner_of_minimal_link(const struct table *links, size_t group, size_t distance,
                             size_t *groups);

/* ---- fidelity_claims.c: what the papers say -------------------------------------------------- */

typedef enum verdict { HOLDS, HOLDS_IN_PART, DOES_NOT_HOLD, NOT_MEASURED } verdict;

struct finding {
    verdict verdict;
    char text[400]; /* what was measured */
};

struct claim {
    const char *source; /* NULL ends the table */
    const char *says;
    const char *rule;
    const char *needs[6]; /* names of experiments, ending with NULL */
    void (*judge)(const struct measurement *const *of, struct finding *finding);
    const char *cause; /* why it does not hold, or only in part; NULL: not known to do so */
};

extern const struct claim claims[];
struct finding judge(const struct claim *claim, const struct measurement *all);

/* ---- fidelity_reference.c: curves of other simulators ---------------------------------------- */

struct reference_row {
    char curve[32]; /* name of the experiment it belongs to */
    char simulator[32];
    double offered;
    double accepted;
    double latency; /* cycles */
    bool steady;    /* its source calls it so, and it accepts what is offered */
};

extern const struct reference_row *reference_rows; /* after reference_read */
extern size_t reference_count;
bool reference_read(const char *path);
void reference_free(void);

/* How far a curve is from its reference, as shares: largest distance in latency where that is
 * steady, distance of the largest accepted loads, and largest distance in accepted load at any
 * load.
 */
struct reference_distances {
    double latency;
    double throughput;
    double accepted;
};
/* Finds how far a curve is from that of the paper. Returns false when there is none. */
bool reference_distance(const struct measurement *curve, struct reference_distances *found);
/* Returns the row of a paper's curve at a load; NULL: there is none. */
const struct reference_row *reference_at(const char *curve, double load);

/* ---- fidelity_pictures.c: pictures -------------------------------------------------------------
 */

/* Writes every picture of which something was measured into folder/fidelity, and a section of the
 * page about it. */
bool pictures_write(const struct measurement *all, const char *folder, FILE *page);

/* ---- fidelity_steps.c: what each rule of another simulator does ------------------------------ */

void steps_write(FILE *page, const struct measurement *all);

/* ---- fidelity_page.c --------------------------------------------------------------------------
 */

bool page_write(const struct bench_options *options, const struct measurement *all);

#endif
