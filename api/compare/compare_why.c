/*
 * What decides between the candidates of a trace, as sentences for people: how the best one differs
 * from the one after it, where it saves the most time, and which links are busiest.
 *
 * Invariant: every sentence has its numbers, and follows from the points alone.
 */
#include "api/compare/comparison.h"
#include "api/results/link_numbers.h"
#include "api/text/text_buffer.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The parts of struct compare_point. */
static const char *const part_names[COMPARE_PARTS] = {
    "computation",    "send overhead",   "receive overhead", "reductions", "late senders",
    "late receivers", "network transit", "network queueing", "collectives"};

enum { NAMED_PARTS = 3 };

static void add_label(struct text_buffer *text, const anax_comparison *comparison,
                      size_t candidate) {
    char *label = candidate_set_label(&comparison->set, candidate);
    text_add_name(text, label != NULL ? label : "", 0);
    text->failed = text->failed || label == NULL;
    free(label);
}

static void add_winner_and_next(struct text_buffer *text, const anax_comparison *comparison,
                                const struct compare_winner *winner) {
    add_label(text, comparison, winner->winner);
    text_add(text, " and ");
    add_label(text, comparison, winner->runner_up);
}

/* Adds that several candidates of the trace have the time of the winner. */
static void add_equals(struct text_buffer *text, const anax_comparison *comparison,
                       const struct compare_winner *winner,
                       const struct compare_candidate *candidates) {
    const size_t count = comparison->set.candidate_count;
    size_t equals = 0;
    for (size_t i = 0; i < count; i++)
        equals += candidates[i].rank == candidates[winner->winner].rank;
    if (equals == 2) {
        add_winner_and_next(text, comparison, winner);
        text_add(text, " are equally fast, and first.");
    } else if (equals == count) {
        text_add(text, "All %zu candidates are equally fast.", count);
    } else {
        text_add(text, "%zu candidates are equally fast, and first; two of them are ", equals);
        add_winner_and_next(text, comparison, winner);
        text_add(text, ".");
    }
}

static void add_winner(struct text_buffer *text, const anax_comparison *comparison,
                       const struct compare_winner *winner,
                       const struct compare_candidate *candidates) {
    const int64_t best_ps = candidates[winner->winner].time.mean;
    const int64_t next_ps = candidates[winner->runner_up].time.mean;
    if (best_ps == next_ps) {
        add_equals(text, comparison, winner, candidates);
        return;
    }
    add_label(text, comparison, winner->winner);
    if (best_ps <= 0) { /* no factor says how much faster it is */
        char time[32];
        units_time_human(next_ps - best_ps, time, sizeof time);
        text_add(text, " is first; the next, ");
        add_label(text, comparison, winner->runner_up);
        text_add(text, ", takes %s longer.", time);
        return;
    }
    if (winner->negligible) {
        text_add(text, " is first; the next, ");
        add_label(text, comparison, winner->runner_up);
        text_add(text, ", takes %.2g %% longer, which is negligible.",
                 100.0 * (double)(next_ps - best_ps) / (double)best_ps);
        return;
    }
    text_add(text, " is first, %.2f times faster than the next, ",
             (double)next_ps / (double)best_ps);
    add_label(text, comparison, winner->runner_up);
    if (winner->exact)
        text_add(text, "; both times are exact.");
    else if (winner->holm_p < 0)
        text_add(text, "; one seed says nothing about chance.");
    else
        text_add(text, "; the difference is %s (p %.4f).",
                 winner->significant ? "significant" : "not significant", winner->holm_p);
}

struct part_change {
    size_t part;
    int64_t less_ps;
};

static int by_size(const void *first, const void *second) {
    const struct part_change *a = first, *b = second;
    const int64_t left = llabs(a->less_ps), right = llabs(b->less_ps);
    if (left != right) return left > right ? -1 : 1;
    return a->part < b->part ? -1 : 1;
}

/* Adds in which parts of a rank's mean time two candidates differ most. */
static void add_parts(struct text_buffer *text, const anax_comparison *comparison, size_t trace,
                      size_t best, size_t other) {
    struct part_change changes[COMPARE_PARTS];
    int64_t sum_ps = 0;
    for (size_t i = 0; i < COMPARE_PARTS; i++) {
        changes[i] = (struct part_change){i, comparison_part(comparison, trace, other, i) -
                                                 comparison_part(comparison, trace, best, i)};
        sum_ps += changes[i].less_ps;
    }
    qsort(changes, COMPARE_PARTS, sizeof *changes, by_size);
    if (changes[0].less_ps == 0) return;
    char time[32];
    units_time_human(llabs(sum_ps), time, sizeof time);
    text_add(text, " Against ");
    add_label(text, comparison, other);
    text_add(text, ", a rank takes %s %s on average:", time, sum_ps >= 0 ? "less" : "more");
    for (size_t i = 0; i < NAMED_PARTS && changes[i].less_ps != 0; i++) {
        units_time_human(llabs(changes[i].less_ps), time, sizeof time);
        text_add(text, "%s %s %s in %s", i > 0 ? "," : "", time,
                 changes[i].less_ps > 0 ? "less" : "more", part_names[changes[i].part]);
    }
    text_add(text, ".");
}

static const struct compare_point *first_point(const anax_comparison *comparison, size_t trace,
                                               size_t candidate) {
    return &comparison->points[comparison_point(comparison, trace, candidate, 0)];
}

static void add_link(struct text_buffer *text, const struct compare_point *point) {
    const struct compare_link *link = &point->links[0];
    text_add(text, "%s, busy %.1f %% and stalled %.1f %% of %s", link->name,
             100.0 * (double)link->busy_ps / (double)point->links_span_ps,
             100.0 * (double)link->stalled_ps / (double)point->links_span_ps,
             link_numbers_span_name(point->links_span_ps, point->time_ps));
}

static void add_links(struct text_buffer *text, const anax_comparison *comparison, size_t trace,
                      size_t best, size_t other) {
    const struct compare_point *here = first_point(comparison, trace, best);
    const struct compare_point *there = first_point(comparison, trace, other);
    if (here->link_count == 0 || there->link_count == 0 || here->time_ps <= 0 ||
        there->time_ps <= 0)
        return;
    text_add(text, " Its busiest link is ");
    add_link(text, here);
    text_add(text, "; there it is ");
    add_link(text, there);
    text_add(text, ".");
}

/* The other candidate of the reasons is the baseline, or the runner-up of the baseline. */
void comparison_add_why(struct text_buffer *text, const anax_comparison *comparison, size_t trace) {
    const struct compare_winner *winner = &comparison->winners[trace];
    const struct compare_candidate *candidates =
        &comparison->candidates[trace * comparison->set.candidate_count];
    if (!winner->known) return;
    add_winner(text, comparison, winner, candidates);
    const size_t best = winner->winner;
    const size_t other = best != 0 && candidates[0].rank > 0 ? 0 : winner->runner_up;
    if (other == 0 ? candidates[best].negligible : winner->negligible) return;
    if (candidates[best].time.mean == candidates[other].time.mean) return;
    add_parts(text, comparison, trace, best, other);
    add_links(text, comparison, trace, best, other);
}
