/*
 * The object behind anax_search: the best of many candidates by cost and time, found in stages
 * (successive halving). docs/search.md has the method.
 *
 * Invariant: which candidates a stage keeps follows from costs and simulated times alone, so it
 * does not depend on threads, on the folder of points, or on the order in which points finish. The
 * Pareto front and its figures follow from replays of the whole trace with all seeds.
 */
#ifndef ANAX_API_SEARCH_H
#define ANAX_API_SEARCH_H

#include "api/compare/comparison.h"

typedef enum search_figure {
    SEARCH_NODES,
    SEARCH_RADIX, /* ports of a router */
    SEARCH_COST,  /* millionths of a dollar */
    SEARCH_FIGURES
} search_figure;

struct search_limit {
    bool is_given;
    int64_t min, max;
};

enum { SEARCH_STAGES = 3 };

typedef enum search_part { SEARCH_OF_PART, SEARCH_OF_WHOLE } search_part;

struct search_stage {
    search_part part;
    uint32_t seeds;
    size_t candidates;
    size_t kept;
    size_t points; /* points of the stage, without those of stages before it */
};

struct search_candidate {
    int64_t figures[SEARCH_FIGURES];
    char *reason;   /* why it was left out, or has no time; NULL: neither */
    uint32_t stage; /* number of the last stage that it was part of; 0: it was left out */
    bool is_front;  /* it was part of the last stage, and none that costs no more is faster */
    bool has_rival; /* other candidates of the last stage cost no more */
    size_t rival;   /* the fastest of these */
    struct compare_sample difference; /* of its time to that of the rival */
    double holm_p;                    /* p of the difference; -1: not tested */
    bool exact;                       /* no seed has an influence on either of the two */
};

struct anax_search {
    const anax_trace *trace;
    anax_trace part_trace;     /* a part of the trace for the first stage; program NULL: none */
    const anax_trace *cut;     /* address of part_trace: the one entry of the traces of on_part */
    anax_comparison *on_whole; /* its points are those of the whole trace */
    anax_comparison *on_part;  /* those of the part of the trace; NULL: no stage runs it */
    struct search_limit limits[SEARCH_FIGURES];
    int64_t share_millionths; /* share of the trace's MPI calls that the part has */
    struct search_candidate *candidates;
    size_t candidate_count;
    size_t left_out; /* number of candidates that were left out before the first stage */
    struct search_stage stages[SEARCH_STAGES];
    uint32_t stage_count;
    size_t point_count, found, damaged, failed;
    /* Several processes search: this one runs the points of part process_part of process_parts
     * first in each stage. process_parts 0: one process searches. */
    uint32_t process_part, process_parts;
    bool ascii_only; /* anax_options.ascii_only */
};

extern const char *const search_figure_names[SEARCH_FIGURES];

/* Reads the limits, such as "nodes=100:2000". */
status_code search_limits_parse(struct search_limit limits[SEARCH_FIGURES],
                                const char *const *texts, size_t count, struct status *status);

/* Finds nodes, radix and cost of every candidate, and leaves out those that are impossible, do not
 * fit the trace, or are beyond a limit. */
status_code search_prepare_candidates(anax_search *search, struct status *status);

/* Makes the part of the trace for the first stage. Makes none if the trace is too short. */
status_code search_part_make(anax_search *search, unsigned threads, struct status *status);

/* Sets kept[i] for the candidates that the next stage runs: the `wanted` ones with the least
 * regret, or the whole Pareto front if that is more, and those near the front up to half of all
 * candidates. Clears kept[i] for the others. times_ps: -1 for candidates without a time. */
status_code search_keep(bool *kept, size_t *kept_count, const struct search_candidate *candidates,
                        const int64_t *times_ps, size_t count, size_t wanted,
                        struct status *status);

/* Runs the stages of successive halving; points are kept in the folder (NULL: nowhere). */
status_code search_run_stages(anax_search *search, const char *folder, const anax_options *options,
                              struct status *status);

/* Finds the Pareto front of the last stage, and tests every candidate of it against its rival. */
status_code search_judge(anax_search *search, struct status *status);

/* Returns the search as text, which the caller frees; NULL: out of memory. ascii_only: see
 * anax_search_text. */
char *report_search_text(const anax_search *search);

#endif
