/*
 * bench/fidelity: the experiments of the papers, what they must show, and the page that says
 * whether they do.
 *
 * The plan (fidelity_plan.c) is a table of commands, the claims (fidelity_claims.c) are rules over
 * what the commands measured, the figures (fidelity_figures.c) are pictures of it. Invariant: a
 * verdict follows from measured numbers by the rule that stands in the page; nothing but the cause
 * of a verdict is written by hand.
 */
#ifndef ANAX_BENCH_FIDELITY_H
#define ANAX_BENCH_FIDELITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- fidelity_table.c: CSV tables, all cells as texts ---------------------------------------- */

typedef struct table {
    char *text;
    char **cells; /* row by row, header included */
    size_t columns;
    size_t rows; /* without the header */
} table;

/* False, with a message, when the file is missing or its lines have different numbers of cells. */
bool table_read(table *table, const char *path);
void table_free(table *table);
const char *table_text(const table *table, size_t row,
                       const char *column);                              /* NULL: no such column */
double table_number(const table *table, size_t row, const char *column); /* NAN for an empty cell */

/* ---- fidelity_plan.c: what is run ------------------------------------------------------------ */

typedef enum experiment_kind {
    CURVE, /* a point for each load */
    POINT  /* a single load, with tables of channels, routers and latencies */
} experiment_kind;

typedef struct experiment {
    const char *name; /* NULL ends the table */
    experiment_kind kind;
    const char *routing;
    const char *options; /* machine, pattern, settings */
    const char *loads;
    const char *quick_options; /* added for --quick: a small machine, short times */
    const char *quick_loads;
} experiment;

extern const experiment experiments[];

/* ---- fidelity_run.c: running it, once ---------------------------------------------------------
 */

typedef struct load_point {
    double offered;
    double accepted;
    bool stable;
    double latency; /* mean, in cycles (1 ns); NAN where nothing arrived, like those below */
    double minimal_latency;
    double nonminimal_latency;
    double accepted_latency; /* of what was delivered in the time, whenever it came up */
    double minimal_share;
    double hops;
} load_point;

typedef enum run_state { RUN_DONE, RUN_NO_POLICY, RUN_FAILED } run_state;

typedef struct measurement {
    const experiment *experiment;
    run_state state;
    char *command; /* as anyone can type it */
    load_point *points;
    size_t count;
    table links; /* of a POINT, like the two below */
    table routers;
    table latencies;
} measurement;

typedef struct fidelity_options {
    const char *build; /* folder */
    const char *only;  /* NULL: all */
    const char *out;   /* folder of fidelity.md */
    bool quick;
} fidelity_options;

/* Runs what was not run before by the same program with the same command; what fails is marked.
 * Ends the program when memory is short. */
measurement *measure_all(const fidelity_options *options, size_t *failed);
void measurements_free(measurement *all);
const measurement *measured(const measurement *all, const char *name); /* NULL unless it is done */

/* The point of that offered load, or NULL. */
const load_point *point_at(const measurement *curve, double load);
double latency_at(const measurement *curve, double load); /* NAN where there is none */
double throughput(const measurement *curve);              /* largest accepted load */
/* The load at which the latency passes four times that at the least load, which is how throughput
 * is read from curves of latency; INFINITY if it does not. */
double saturation_load(const measurement *curve);
double first_unstable(const measurement *curve); /* load; INFINITY if all are stable */

/* ---- fidelity_rules.c -------------------------------------------------------------------------
 */

/* The router of a group that owns the global link to the group `distance` ahead, as a number in the
 * whole machine, from a table of links; and the number of groups. */
size_t owner_of_minimal_link(const table *links, size_t group, size_t distance, size_t *groups);

/* ---- fidelity_claims.c: what the papers say -------------------------------------------------- */

typedef enum verdict { HOLDS, HOLDS_IN_PART, DOES_NOT_HOLD, NOT_MEASURED } verdict;

typedef struct finding {
    verdict verdict;
    char text[400]; /* what was measured */
} finding;

typedef struct claim {
    const char *source; /* NULL ends the table */
    const char *says;
    const char *rule;
    const char *needs[6]; /* names of experiments, ending with NULL */
    void (*judge)(const measurement *const *of, finding *finding);
    const char *cause; /* why it does not hold, or only in part; NULL: not known to do so */
} claim;

extern const claim claims[];
finding judge(const claim *claim, const measurement *all);

/* ---- fidelity_reference.c: curves of other simulators ---------------------------------------- */

typedef struct reference_row {
    char curve[32]; /* name of the experiment it belongs to */
    char simulator[32];
    double offered;
    double accepted;
    double latency; /* cycles */
    bool steady;    /* its source calls it so, and it accepts what is offered */
} reference_row;

extern const reference_row *reference_rows; /* after reference_read */
extern size_t reference_count;
bool reference_read(const char *path);
void reference_free(void);

/* How far a curve is from its reference, as shares: largest distance in latency where that is
 * steady, distance of the largest accepted loads, and largest distance in accepted load at any
 * load.
 */
typedef struct reference_distances {
    double latency;
    double throughput;
    double accepted;
} reference_distances;
/* False when there is none. */
bool reference_distance(const measurement *curve, reference_distances *found);
const reference_row *reference_at(const char *curve, double load); /* NULL: there is none */

/* ---- fidelity_svg.c, fidelity_figures.c: pictures -------------------------------------------- */

typedef struct series {
    const char *label;
    const double *x;
    const double *y; /* NAN: a gap */
    size_t count;
    bool dots; /* reference points: hollow marks, no line */
    bool bars;
} series;

typedef struct chart {
    const char *title;
    const char *x_label;
    const char *y_label;
    double x_most;
    double y_most; /* curves leave the picture above it */
    double y_least;
    bool y_logarithmic;
    series series[12];
    size_t count;
} chart;

bool svg_write(const chart *chart, const char *path);

/* Writes every figure of which something was measured into folder/fidelity, and a section of the
 * page about it. */
bool figures_write(const measurement *all, const char *folder, FILE *page);

/* ---- fidelity_steps.c: what each rule of another simulator does ------------------------------ */

void steps_write(FILE *page, const measurement *all);

/* ---- fidelity_page.c --------------------------------------------------------------------------
 */

bool page_write(const fidelity_options *options, const measurement *all);

#endif
