/*
 * Tabu search for bisecting cuts. The router with the largest gain changes sides, even if that is a
 * loss, and stays there for a while; then a router of the larger side changes. Starts are random
 * halves, whole groups, halves of groups, and neighbourhoods grown from a router. See
 * bisection_search.h.
 */
#include "network/analysis/bisection/bisection_search.h"

#include "core/memory/memory.h"
#include "core/processes/parallel.h"
#include "core/simulation/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOVES_PER_ROUTER = 40,
    TENURE_MIN = 4,
    TENURE_RANGE = 12,
    RUNS_MIN = 8,
    RUNS_MAX = 30,
    START_KINDS = 5
};
#define SCANNED_IN_ALL INT64_C(200000000) /* routers examined in all runs: about a second */

struct search_job {
    const struct bisection_graph *graph;
    struct bisection_weights weights;
    uint32_t runs;
    int64_t moves;
    bool (*stop)(void *);
    void *context;
    int64_t *values; /* [run] */
    uint8_t *sides;  /* [run·routers + router] */
};

struct search_state {
    const struct search_job *job;
    uint32_t run;
    uint8_t *side;
    uint32_t sizes[2];
    int64_t *gain;  /* how much the value falls if the router changes sides */
    int64_t *until; /* first move at which the router may change sides again */
    uint32_t *order;
    int64_t value;
};

static uint32_t search_draw(uint32_t run, uint64_t counter, uint32_t bound) {
    return random_below(random_draw(1, RANDOM_BISECTION, run, counter).word[0], bound);
}

static void shuffle_order(uint32_t *order, uint32_t count, uint32_t run) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = search_draw(run, (UINT64_C(1) << 40) + i, i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

/* Orders the routers breadth first from a router, along links of one kind only; the other
 * components follow. */
static void grow_order(const struct bisection_graph *graph, uint32_t from, bool global,
                       uint32_t *order, uint8_t *seen) {
    memset(seen, 0, graph->routers);
    uint32_t count = 0, done = 0, next = 0;
    order[count++] = from;
    seen[from] = 1;
    while (count < graph->routers) {
        if (done == count) { /* another component */
            while (seen[next])
                next++;
            seen[next] = 1;
            order[count++] = next;
        }
        uint32_t i = order[done++];
        for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            const struct bisection_end *end = &graph->ends[e];
            if (seen[end->to] || (global ? end->global_links : end->local_links) == 0) continue;
            seen[end->to] = 1;
            order[count++] = end->to;
        }
    }
}

/* Sets the start of a run: side 1 is the second half of an order that depends on the run. */
static void start_partition(struct search_state *state) {
    const struct bisection_graph *graph = state->job->graph;
    const uint32_t n = graph->routers, group = graph->group, groups = (n + group - 1) / group;
    uint32_t count = 0;
    const uint32_t kind = state->run % START_KINDS;
    if (kind <= 1) { /* kind 0: whole groups in random order; kind 1: random order */
        uint32_t *order = state->order;
        uint32_t units = kind == 0 ? groups : n, width = kind == 0 ? group : 1;
        for (uint32_t i = 0; i < units; i++)
            order[i] = i;
        shuffle_order(order, units, state->run);
        for (uint32_t u = 0; u < units; u++)
            for (uint32_t i = order[u] * width; i < (order[u] + 1) * width && i < n; i++)
                state->side[i] = count++ >= n / 2;
        return;
    }
    if (kind == 2) { /* kind 2: about half of each group */
        for (uint32_t i = 0; i < n; i++)
            state->order[i] = i;
        shuffle_order(state->order, n, state->run);
        uint32_t half = n / 2, taken = 0;
        memset(state->side, 1, n);
        for (uint32_t part = 0; part < 2; part++) /* first up to half of it, then any */
            for (uint32_t u = 0; u < n && taken < half; u++) {
                uint32_t i = state->order[u], base = i / group * group, used = 0;
                for (uint32_t j = base; j < base + group && j < n; j++)
                    used += state->side[j] == 0;
                if (state->side[i] == 0 || (part == 0 && used >= group / 2)) continue;
                state->side[i] = 0;
                taken++;
            }
        return;
    }
    grow_order(graph, search_draw(state->run, UINT64_C(1) << 41, n), kind == 3, state->order,
               state->side);
    for (uint32_t u = 0; u < n; u++)
        state->side[state->order[u]] = u >= n / 2;
}

static int64_t end_weight(const struct bisection_weights *weights,
                          const struct bisection_end *end) {
    return weights->local * end->local_links + weights->global * end->global_links;
}

static void compute_gains(struct search_state *state) {
    const struct bisection_graph *graph = state->job->graph;
    state->sizes[0] = state->sizes[1] = 0;
    state->value = 0;
    for (uint32_t i = 0; i < graph->routers; i++) {
        state->sizes[state->side[i]]++;
        state->gain[i] = 0;
        state->until[i] = 0;
        for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            int64_t weight = end_weight(&state->job->weights, &graph->ends[e]);
            bool cut = state->side[i] != state->side[graph->ends[e].to];
            state->gain[i] += cut ? weight : -weight;
            if (cut && i < graph->ends[e].to) state->value += weight;
        }
    }
}

static void change_side(struct search_state *state, uint32_t i) {
    const struct bisection_graph *graph = state->job->graph;
    state->value -= state->gain[i];
    state->gain[i] = -state->gain[i];
    state->sizes[state->side[i]]--;
    state->side[i] ^= 1;
    state->sizes[state->side[i]]++;
    for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
        int64_t weight = end_weight(&state->job->weights, &graph->ends[e]);
        uint32_t other = graph->ends[e].to;
        state->gain[other] += state->side[i] != state->side[other] ? 2 * weight : -2 * weight;
    }
}

/* Returns the router to move, drawn from the best ones, or UINT32_MAX if all are tabu. */
static uint32_t choose_router(const struct search_state *state, int64_t move) {
    const uint32_t n = state->job->graph->routers;
    const bool any = state->sizes[0] == state->sizes[1];
    const uint8_t from = state->sizes[1] > state->sizes[0];
    int64_t best = INT64_MIN;
    uint32_t chosen = UINT32_MAX, ties = 0;
    for (uint32_t i = 0; i < n; i++) {
        if ((!any && state->side[i] != from) || state->until[i] > move || state->gain[i] < best)
            continue;
        if (state->gain[i] > best) {
            best = state->gain[i];
            ties = 0;
        }
        ties++;
        if (ties == 1 || search_draw(state->run, (uint64_t)move * n + i, ties) == 0) chosen = i;
    }
    return chosen;
}

static void search_one(struct search_state *state, uint8_t *best_side, int64_t *best_value) {
    const uint32_t n = state->job->graph->routers;
    *best_value = INT64_MAX;
    for (int64_t move = 0; move <= state->job->moves; move++) {
        bool balanced = state->sizes[0] + n % 2 >= state->sizes[1] &&
                        state->sizes[1] + n % 2 >= state->sizes[0];
        if (balanced && state->value < *best_value) {
            *best_value = state->value;
            memcpy(best_side, state->side, n);
        }
        if (move % 64 == 63 && state->job->stop != NULL && state->job->stop(state->job->context))
            return;
        uint32_t i = choose_router(state, move);
        if (i == UINT32_MAX) continue;
        change_side(state, i);
        uint32_t tenure = n / 8 < TENURE_MIN ? n / 8 : TENURE_MIN;
        uint32_t range = n / 8 < TENURE_RANGE ? n / 8 : TENURE_RANGE;
        state->until[i] = move + 1 + tenure +
                          search_draw(state->run, (UINT64_C(1) << 42) + (uint64_t)move, range + 1);
    }
}

static status_code run_search(void *context, unsigned worker, uint64_t run, struct status *status) {
    (void)worker;
    const struct search_job *job = context;
    const uint32_t n = job->graph->routers;
    struct search_state state = {.job = job, .run = (uint32_t)run};
    state.side = memory_new(n, 1);
    state.gain = memory_new(n, sizeof *state.gain);
    state.until = memory_new(n, sizeof *state.until);
    state.order = memory_new(n, sizeof *state.order);
    bool enough =
        state.side != NULL && state.gain != NULL && state.until != NULL && state.order != NULL;
    if (enough) {
        start_partition(&state);
        compute_gains(&state);
        search_one(&state, &job->sides[run * n], &job->values[run]);
    }
    free(state.side);
    free(state.gain);
    free(state.until);
    free(state.order);
    RETURN_ERROR_IF(!enough, status, STATUS_MEMORY, "out of memory for a search of %u routers", n);
    return STATUS_OK;
}

status_code bisection_search(const struct bisection_graph *graph,
                             const struct bisection_weights *weights, unsigned threads,
                             bool (*stop)(void *), void *context, uint8_t *side,
                             struct status *status) {
    const int64_t n = graph->routers;
    struct search_job job = {.graph = graph,
                             .weights = *weights,
                             .moves = MOVES_PER_ROUTER * n,
                             .stop = stop,
                             .context = context};
    if (job.moves * n * RUNS_MIN > SCANNED_IN_ALL)
        job.moves = SCANNED_IN_ALL / RUNS_MIN / n > n / 2 ? SCANNED_IN_ALL / RUNS_MIN / n : n / 2;
    int64_t runs = SCANNED_IN_ALL / (job.moves * n);
    job.runs = (uint32_t)(runs < RUNS_MIN ? RUNS_MIN : runs > RUNS_MAX ? RUNS_MAX : runs);
    job.values = memory_new(job.runs, sizeof *job.values);
    job.sides = memory_new(job.runs, (size_t)n);
    status_code code = STATUS_OK;
    if (job.values == NULL || job.sides == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for searching cuts");
    if (code == STATUS_OK) code = parallel_for(threads, job.runs, run_search, &job, status);
    if (code == STATUS_OK) {
        uint32_t best = 0;
        for (uint32_t run = 1; run < job.runs; run++)
            if (job.values[run] < job.values[best]) best = run;
        const uint8_t *found = &job.sides[(size_t)best * (size_t)n];
        for (int64_t i = 0; i < n; i++)
            side[i] = found[i] ^ found[0];
    }
    free(job.values);
    free(job.sides);
    return code;
}
