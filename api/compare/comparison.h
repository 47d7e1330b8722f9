/*
 * The object behind anax_comparison. Every combination of the factors' values is a candidate; each
 * is run for each trace with each seed, which makes a point.
 *
 * Invariant: factor 0 is the machine. Candidates count the last factor fastest, so candidate 0, the
 * baseline, has the first value of each. What is said of candidates follows from the points alone,
 * so it does not depend on which of them ran at once, or in which run.
 */
#ifndef ANAX_API_COMPARISON_H
#define ANAX_API_COMPARISON_H

#include "api/api.h"

struct compare_factor {
    char *setting;
    char **values;
    size_t count;
};

struct compare_point {
    bool finished;
    bool found;   /* kept from an earlier run */
    bool damaged; /* it was kept, but not as it was written */
    int64_t time_ps;
    uint64_t digest;
    char *failure; /* why it has no time; NULL if it has one */
};

/* The mean of some times or differences, and half the width of its confidence interval. */
struct compare_sample {
    uint32_t count;
    int64_t mean_ps;
    int64_t half_ps; /* -1: fewer than two, or it is wider than 53 days */
    int64_t least_ps;
    int64_t most_ps;
    double p; /* that the true mean is 0; -1: not tested */
};

struct compare_candidate {
    uint32_t rank;              /* from 1, equal means sharing one; 0: not all seeds finished */
    struct compare_sample time; /* of the seeds that finished */
    struct compare_sample difference; /* to the baseline, of the seeds that both finished */
    double holm_p; /* p of the difference, corrected for the number of candidates */
    bool significant;
};

struct anax_comparison {
    anax_config **machines; /* copies */
    struct compare_factor *factors;
    size_t factor_count;
    const anax_trace *const *traces;
    size_t trace_count;
    char **paths; /* of the traces; and what they are called after these */
    char **names;
    bool ascii; /* in the text */
    uint32_t seed_count;
    int64_t first_seed;
    size_t candidate_count;
    struct compare_point *points;         /* [trace][candidate][seed] */
    struct compare_candidate *candidates; /* [trace][candidate] */
    size_t point_count;
    size_t failed; /* points */
    size_t found;
    size_t damaged;
};

/* An interval of this probability; and the level of significance that goes with it. */
#define COMPARE_CONFIDENCE 0.95

static inline size_t comparison_point(const anax_comparison *comparison, size_t trace,
                                      size_t candidate, uint32_t seed) {
    return (trace * comparison->candidate_count + candidate) * comparison->seed_count + seed;
}

/* The value that a candidate has of a factor. */
const char *comparison_value(const anax_comparison *comparison, size_t candidate, size_t factor);

/* What the candidate is called: the values of the factors that have several. To be freed. */
char *comparison_label(const anax_comparison *comparison, size_t candidate);

/* Factors from "network.routing=minimal,par"; checks every value against its setting. */
status_code comparison_add_factor(anax_comparison *comparison, const char *pair,
                                  struct status *status);

/* The configuration of a point. STATUS_USAGE when its values do not fit together. */
status_code comparison_config(anax_config **config, const anax_comparison *comparison,
                              size_t candidate, uint32_t seed, struct status *status);

/* Runs every point that is not found in the folder (NULL: none), and keeps it there. */
status_code comparison_run(anax_comparison *comparison, const char *folder,
                           const anax_options *options, struct status *status);

/* From points to candidates. */
status_code comparison_judge(anax_comparison *comparison, struct status *status);

/* The candidates of a trace by rank, those without one last; to be freed. */
status_code comparison_order(const anax_comparison *comparison, size_t trace, size_t **order,
                             struct status *status);

/* The mean of values and its interval. */
struct compare_sample compare_sample_of(const int64_t *values_ps, uint32_t count);

/* NULL when out of memory. */
char *report_comparison_text(const anax_comparison *comparison);

#endif
