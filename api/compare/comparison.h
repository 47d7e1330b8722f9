/*
 * The object behind anax_comparison: candidates, and a point for each trace, candidate and seed. A
 * point is one run of a candidate for one trace with one seed.
 *
 * Invariant: all figures of candidates follow from the points alone, so they do not depend on which
 * points ran at once, or in which run.
 */
#ifndef ANAX_API_COMPARISON_H
#define ANAX_API_COMPARISON_H

#include "api/api.h"
#include "api/compare/candidate_set.h"

/* Where the time of a point went: means over its ranks, which add up to the mean of their times but
 * for rounding. */
enum { COMPARE_PARTS = 9, COMPARE_LINKS = 3, COMPARE_LINK_BYTES = 64 };

struct compare_link {
    char name[COMPARE_LINK_BYTES]; /* "global router 3 -> router 17" */
    int64_t busy_ps;
    int64_t stalled_ps;
};

struct compare_point {
    bool finished;
    bool exact;       /* no seed has an influence, so all seeds have the same point */
    bool was_kept;    /* kept from an earlier run */
    bool was_damaged; /* its kept file was damaged */
    int64_t time_ps;
    uint64_t digest;
    int64_t parts_ps[COMPARE_PARTS];
    struct compare_link links[COMPARE_LINKS]; /* the busiest ones */
    uint32_t link_count;
    int64_t links_span_ps; /* busy and stalled shares of links are relative to this time */
    char *failure;         /* why the point has no time; NULL if it has one */
    double seconds;        /* how long it took to compute; -1: unknown */
};

/* The mean of some values with its confidence interval, all in the unit of the values: picoseconds
 * for times and their differences, millionths for loads. */
struct compare_sample {
    uint32_t count; /* number of values; 0: the other members mean nothing */
    int64_t mean;
    int64_t half_width; /* of the interval; -1: fewer than two values, or 2^62 and more */
    int64_t min;
    int64_t max;
    double p; /* p value of the hypothesis that the true mean is 0; -1: not tested */
};

struct compare_candidate {
    uint32_t rank;              /* place from 1, shared by equal means; 0: not all seeds finished */
    struct compare_sample time; /* times of the seeds that finished */
    struct compare_sample difference; /* differences to the baseline, of seeds that both finished */
    double holm_p; /* p of the difference, corrected for the number of candidates */
    bool significant;
    bool negligible; /* the difference is less than the share of anax_comparison */
    bool exact;      /* all points of the candidate and of the baseline are exact */
};

/* The best candidate of a trace, compared with the one after it. */
struct compare_winner {
    bool known; /* at least two candidates have a rank */
    size_t winner;
    size_t runner_up;
    struct compare_sample difference; /* of the runner-up to the winner */
    double holm_p; /* p of the difference, corrected for comparing the winner with all others */
    bool significant;
    bool negligible;
    bool exact;
};

struct anax_comparison {
    struct candidate_set set;
    const anax_trace *const *traces;
    size_t trace_count;
    char **paths; /* paths of the traces */
    char **names;
    uint32_t seed_count;
    int64_t first_seed;
    struct compare_point *points;         /* [trace][candidate][seed] */
    bool *wanted;                         /* [point]: comparison_run runs it; NULL: all */
    struct compare_candidate *candidates; /* [trace][candidate] */
    struct compare_winner *winners;       /* [trace] */
    int64_t *prices; /* [candidate], of its machine: millionths of a dollar; -1: not known */
    int64_t negligible_millionths; /* share of the baseline's time */
    size_t point_count;
    size_t failed; /* number of points that did not finish */
    size_t found;
    size_t damaged;
    bool ascii_only; /* anax_options.ascii_only */
};

/* The probability of confidence intervals; 1 minus it is the level of significance. */
#define COMPARE_CONFIDENCE 0.95

/* Returns the index of a point: of a trace, a candidate and a seed, all counted from 0. */
static inline size_t comparison_point(const anax_comparison *comparison, size_t trace,
                                      size_t candidate, uint32_t seed) {
    return (trace * comparison->set.candidate_count + candidate) * comparison->seed_count + seed;
}

/* Creates the configuration of a point. STATUS_USAGE: the candidate's values do not fit
 * together. */
static inline status_code comparison_new_config(anax_config **config,
                                                const anax_comparison *comparison, size_t candidate,
                                                uint32_t seed, struct status *status) {
    return candidate_set_config(config, &comparison->set, candidate, comparison->first_seed + seed,
                                status);
}

/* Makes the comparison of a plan, which has the defaults of anax_compare_plan for what it does not
 * give, without results of points. anax_comparison_free also frees one that could not be made. */
status_code comparison_begin(anax_comparison *comparison, const anax_compare_plan *plan,
                             struct status *status);

/* Runs every wanted point of a part (parts 0: of all) that has no time yet and that the folder
 * (NULL: none) does not contain, and keeps it there. */
status_code comparison_run(anax_comparison *comparison, const char *folder, uint32_t part,
                           uint32_t parts, const anax_options *options, struct status *status);

/* Sets *parts to the number of parts into which the comparison is best cut; see points_count_parts.
 */
status_code comparison_count_parts(unsigned *parts, anax_comparison *comparison, const char *folder,
                                   const anax_options *options, struct status *status);

/* Computes the figures and ranks of candidates from the points. */
status_code comparison_judge(anax_comparison *comparison, struct status *status);

/* compare_prices.c: finds the prices of the candidates' machines. Candidates whose values do not
 * fit together have none. */
status_code comparison_find_prices(anax_comparison *comparison, struct status *status);

/* Sorts the candidates of a trace by rank, candidates without a rank last. The caller frees
 * *order. */
status_code comparison_sort_candidates(const anax_comparison *comparison, size_t trace,
                                       size_t **order, struct status *status);

/* Returns how much of the time of a candidate's ranks went into a part: ps, the mean over seeds. */
int64_t comparison_part(const anax_comparison *comparison, size_t trace, size_t candidate,
                        size_t part);

/* Returns whether all points of a candidate finished and are exact. */
bool comparison_is_exact(const anax_comparison *comparison, size_t trace, size_t candidate);

/* Adds what decides between the best candidate of a trace and the others, as sentences for people:
 * compare_why.c. */
struct text_buffer;
void comparison_add_why(struct text_buffer *text, const anax_comparison *comparison, size_t trace);

/* Returns the mean of values of any unit with its confidence interval. */
struct compare_sample compare_sample_of(const int64_t *values, uint32_t count);

/* Returns the comparison as text, which the caller frees; NULL: out of memory. ascii_only: see
 * anax_comparison_text. */
char *report_comparison_text(const anax_comparison *comparison);

#endif
