/*
 * Finds the bisection function: searches for cuts, then proves the minimum at every point of their
 * envelope by search trees.
 *
 * Trees grow in rounds. A round evaluates the last NODES_A_ROUND open nodes in parallel, then takes
 * their outcomes in order. Invariant: a round depends on the previous rounds only, not on the
 * number of threads.
 */
#include "network/analysis/bisection/bisection.h"

#include "core/memory/memory.h"
#include "core/processes/parallel.h"
#include "network/analysis/bisection/bisection_envelope.h"
#include "network/analysis/bisection/bisection_search.h"
#include "network/analysis/bisection/bisection_tree.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_A_ROUND = 16, SEARCHES_MAX = 40 };

/* A point that is or was on the envelope, and the state of its proof. */
struct proof_point {
    struct bisection_point point; /* lower: bound of the root; upper: the target */
    struct bisection_tree_problem problem;
    bool current; /* whether it is on the envelope now */
};

struct bisection_job {
    const struct bisection_graph *graph;
    const struct bisection_options *options;
    unsigned threads;
    struct bisection_envelope envelope;
    uint64_t min[2]; /* least numbers of local and of global links in any cut */
    struct proof_point *points;
    size_t point_count, point_capacity;
    struct bisection_tree_node *open; /* a stack of open nodes */
    size_t open_count, open_capacity;
    struct bisection_tree_worker *workers;
    struct bisection_tree_node batch[NODES_A_ROUND];
    struct bisection_tree_outcome outcomes[NODES_A_ROUND];
    uint8_t *sides; /* [NODES_A_ROUND·routers] */
    uint64_t nodes;
};

static bool bisection_stopped(const struct bisection_job *job) {
    return job->options->stop != NULL && job->options->stop(job->options->context);
}

/* ---------------------------------------------------------------- searching */

static status_code search_at(struct bisection_job *job, int64_t local, int64_t global,
                             struct status *status) {
    const struct bisection_weights weights = {local, global};
    bool changed = false;
    FORWARD_IF_ERROR(bisection_search(job->graph, &weights, job->threads, job->options->stop,
                                      job->options->context, job->sides, status));
    return bisection_envelope_add(&job->envelope, job->sides, &changed, status);
}

static status_code find_ends(struct bisection_job *job, struct status *status) {
    for (int global = 0; global < 2; global++) {
        bool found, changed;
        FORWARD_IF_ERROR(bisection_envelope_end(job->graph, global, job->sides, &found,
                                                &job->min[global], status));
        if (found)
            FORWARD_IF_ERROR(bisection_envelope_add(&job->envelope, job->sides, &changed, status));
    }
    return STATUS_OK;
}

/* Searches cuts at both ends and at some values of alpha between them, then wherever two lines
 * meet, until there are no new points. */
static status_code search_cuts(struct bisection_job *job, struct status *status) {
    const int64_t all_local = (int64_t)job->graph->local_links + 1;
    const int64_t all_global = (int64_t)job->graph->global_links + 1;
    const int64_t alpha[][2] = {{all_global, 1}, {1, all_local}, {4, 1}, {2, 1},
                                {1, 1},          {1, 2},         {1, 4}};
    for (size_t i = 0; i < sizeof alpha / sizeof *alpha; i++)
        FORWARD_IF_ERROR(search_at(job, alpha[i][0], alpha[i][1], status));
    uint64_t searched[SEARCHES_MAX][2];
    for (size_t done = 0; done < SEARCHES_MAX && !bisection_stopped(job); done++) {
        size_t number = 1;
        for (; number < job->envelope.count; number++) {
            struct bisection_point point = bisection_envelope_point(&job->envelope, number);
            size_t i = 0;
            while (i < done &&
                   (searched[i][0] != point.denominator || searched[i][1] != point.numerator))
                i++;
            if (i == done) break;
        }
        if (number >= job->envelope.count) break;
        struct bisection_point point = bisection_envelope_point(&job->envelope, number);
        searched[done][0] = point.denominator;
        searched[done][1] = point.numerator;
        FORWARD_IF_ERROR(
            search_at(job, (int64_t)point.denominator, (int64_t)point.numerator, status));
    }
    return STATUS_OK;
}

/* ---------------------------------------------------------------- proving */

static void release_node(struct bisection_tree_node *node) {
    free(node->fixed);
    bisection_tree_warm_start_release(node->warm_start, 1);
    *node = (struct bisection_tree_node){0};
}

static status_code push_node(struct bisection_job *job, const struct bisection_tree_node *like,
                             uint32_t vertex, enum bisection_tree_side side,
                             struct status *status) {
    const size_t vertices = job->graph->routers + job->graph->routers % 2;
    FORWARD_IF_ERROR(memory_grow((void **)&job->open, &job->open_capacity, job->open_count + 1,
                                 sizeof *job->open, status));
    struct bisection_tree_node node = *like;
    node.fixed = memory_new(vertices, 1);
    RETURN_ERROR_IF(node.fixed == NULL, status, STATUS_MEMORY, "out of memory for the search tree");
    if (like->fixed != NULL) memcpy(node.fixed, like->fixed, vertices);
    node.fixed[vertex] = (uint8_t)side;
    job->open[job->open_count++] = node;
    return STATUS_OK;
}

static status_code begin_point(struct bisection_job *job, const struct bisection_point *point,
                               struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&job->points, &job->point_capacity, job->point_count + 1,
                                 sizeof *job->points, status));
    struct proof_point *own = &job->points[job->point_count++];
    *own = (struct proof_point){*point, {0}, true};
    if (point->numerator == 0) own->point.lower = job->min[0];
    if (point->denominator == 0) own->point.lower = job->min[1];
    const struct bisection_weights weights = {(int64_t)point->denominator,
                                              (int64_t)point->numerator};
    bisection_tree_problem_set(&own->problem, job->graph, &weights, (int64_t)point->upper);
    own->point.proven = own->point.lower >= point->upper ||
                        point->upper - own->point.lower < (uint64_t)own->problem.step;
    if (own->point.proven) {
        own->point.lower = point->upper;
        return STATUS_OK;
    }
    const struct bisection_tree_node root = {.problem = (uint32_t)(job->point_count - 1),
                                             .bound = (int64_t)own->point.lower};
    return push_node(job, &root, 0, BISECTION_TREE_SAME, status);
}

static struct proof_point *find_point(struct bisection_job *job,
                                      const struct bisection_point *point) {
    for (size_t i = 0; i < job->point_count; i++) {
        const struct bisection_point *own = &job->points[i].point;
        if (own->numerator == point->numerator && own->denominator == point->denominator &&
            own->upper == point->upper)
            return &job->points[i];
    }
    return NULL;
}

/* Follows a change of the envelope: begins new points, and drops the nodes of points that have left
 * it. */
static status_code follow_envelope(struct bisection_job *job, struct status *status) {
    for (size_t i = 0; i < job->point_count; i++)
        job->points[i].current = false;
    for (size_t number = 0; number <= job->envelope.count; number++) {
        const struct bisection_point point = bisection_envelope_point(&job->envelope, number);
        struct proof_point *own = find_point(job, &point);
        if (own != NULL)
            own->current = true;
        else
            FORWARD_IF_ERROR(begin_point(job, &point, status));
    }
    size_t kept = 0;
    for (size_t i = 0; i < job->open_count; i++) {
        if (job->points[job->open[i].problem].current)
            job->open[kept++] = job->open[i];
        else
            release_node(&job->open[i]);
    }
    job->open_count = kept;
    for (size_t i = 0; i < job->point_count; i++) /* a point that comes back starts again */
        if (!job->points[i].current && !job->points[i].point.proven)
            job->points[i].point.upper = UINT64_MAX;
    return STATUS_OK;
}

static status_code evaluate_node(void *context, unsigned worker, uint64_t item,
                                 struct status *status) {
    struct bisection_job *job = context;
    const struct bisection_tree_node *node = &job->batch[item];
    return bisection_tree_evaluate(&job->workers[worker], &job->points[node->problem].problem, node,
                                   job->options->stop, job->options->context, &job->outcomes[item],
                                   &job->sides[item * job->graph->routers], status);
}

/* Adds the cut of an evaluated node to the envelope, and its children to the stack. */
static status_code take_outcome(struct bisection_job *job, size_t item, bool *changed,
                                struct status *status) {
    const struct bisection_tree_node *node = &job->batch[item];
    const struct bisection_tree_outcome *outcome = &job->outcomes[item];
    if (outcome->found)
        FORWARD_IF_ERROR(bisection_envelope_add(
            &job->envelope, &job->sides[item * job->graph->routers], changed, status));
    if (outcome->closed) return STATUS_OK;
    struct bisection_tree_node child = {.problem = node->problem,
                                        .depth = node->depth + 1,
                                        .bound = outcome->bound,
                                        .fixed = node->fixed,
                                        .warm_start = outcome->warm_start};
    if (outcome->warm_start == NULL) { /* stopped: the node remains open */
        child.depth = node->depth;
        return push_node(job, &child, 0, BISECTION_TREE_SAME, status);
    }
    status_code code = push_node(job, &child, outcome->branch, BISECTION_TREE_OPPOSITE, status);
    if (code != STATUS_OK) {
        bisection_tree_warm_start_release(outcome->warm_start, 2);
        return code;
    }
    code = push_node(job, &child, outcome->branch, BISECTION_TREE_SAME, status);
    if (code != STATUS_OK) bisection_tree_warm_start_release(outcome->warm_start, 1);
    return code;
}

/* Marks points without open nodes as proven. Returns how many points of the envelope are proven. */
static uint64_t close_points(struct bisection_job *job) {
    uint64_t proven = 0;
    for (size_t i = 0; i < job->point_count; i++) {
        struct proof_point *own = &job->points[i];
        if (!own->current) continue;
        bool open = false;
        for (size_t n = 0; n < job->open_count && !open; n++)
            open = job->open[n].problem == i;
        if (!open && !own->point.proven) {
            own->point.proven = true;
            own->point.lower = own->point.upper;
        }
        proven += own->point.proven;
    }
    return proven;
}

static status_code prove_round(struct bisection_job *job, bool *changed, struct status *status) {
    size_t count = job->open_count < NODES_A_ROUND ? job->open_count : NODES_A_ROUND;
    job->open_count -= count;
    memcpy(job->batch, &job->open[job->open_count], count * sizeof *job->batch);
    memset(job->outcomes, 0, sizeof job->outcomes);
    status_code code = parallel_for(job->threads, count, evaluate_node, job, status);
    for (size_t i = 0; i < count; i++) {
        if (code == STATUS_OK)
            code = take_outcome(job, i, changed, status);
        else
            bisection_tree_warm_start_release(job->outcomes[i].warm_start, 2);
        release_node(&job->batch[i]);
    }
    job->nodes += count;
    return code;
}

static status_code prove(struct bisection_job *job, struct status *status) {
    const uint32_t vertices = job->graph->routers + job->graph->routers % 2;
    const unsigned workers = parallel_threads(job->threads, NODES_A_ROUND);
    job->workers = memory_new(workers, sizeof *job->workers);
    RETURN_ERROR_IF(job->workers == NULL, status, STATUS_MEMORY, "out of memory for %u threads",
                    workers);
    status_code code = STATUS_OK;
    for (unsigned i = 0; i < workers && code == STATUS_OK; i++)
        code = bisection_tree_worker_new(&job->workers[i], vertices, status);
    bool changed = true;
    while (code == STATUS_OK) {
        if (changed) code = follow_envelope(job, status);
        changed = false;
        uint64_t proven = close_points(job);
        if (code == STATUS_OK && job->options->progress != NULL)
            job->options->progress(job->options->context, proven, job->envelope.count + 1,
                                   job->open_count);
        if (code != STATUS_OK || job->open_count == 0 || bisection_stopped(job)) break;
        code = prove_round(job, &changed, status);
    }
    for (unsigned i = 0; i < workers; i++)
        bisection_tree_worker_free(&job->workers[i]);
    return code;
}

/* ---------------------------------------------------------------- results */

/* Returns a point of the envelope with the bound proven for it: its own bound, or the least bound
 * of its open nodes. */
static struct bisection_point proven_point(struct bisection_job *job, size_t number) {
    struct bisection_point point = bisection_envelope_point(&job->envelope, number);
    const struct proof_point *own = find_point(job, &point);
    if (number == 0) point.lower = job->min[0];
    if (number == job->envelope.count) point.lower = job->min[1];
    if (own != NULL && own->point.proven) point.lower = point.upper;
    if (own != NULL && !own->point.proven) {
        uint64_t min = point.upper;
        for (size_t i = 0; i < job->open_count; i++)
            if (&job->points[job->open[i].problem] == own && (uint64_t)job->open[i].bound < min)
                min = (uint64_t)job->open[i].bound;
        point.lower = min;
    }
    point.proven = point.lower == point.upper;
    return point;
}

static status_code fill_result(struct bisection_job *job, struct bisection_result *result,
                               struct status *status) {
    result->points = memory_new(job->envelope.count + 1, sizeof *result->points);
    RETURN_ERROR_IF(result->points == NULL, status, STATUS_MEMORY, "out of memory for results");
    result->proven = true;
    for (size_t i = 0; i <= job->envelope.count; i++) {
        result->points[i] = proven_point(job, i);
        result->proven = result->proven && result->points[i].proven;
    }
    result->lines = job->envelope.lines;
    result->line_count = job->envelope.count;
    job->envelope.lines = NULL;
    job->envelope.count = 0;
    result->nodes = job->nodes;
    return STATUS_OK;
}

static void free_job(struct bisection_job *job) {
    for (size_t i = 0; i < job->open_count; i++)
        release_node(&job->open[i]);
    free(job->open);
    free(job->points);
    free(job->workers);
    free(job->sides);
    bisection_envelope_free(&job->envelope);
}

status_code bisection_run(struct bisection_result *result, const struct bisection_graph *graph,
                          const struct bisection_options *options, struct status *status) {
    *result = (struct bisection_result){0};
    RETURN_ERROR_IF(graph->routers < 2, status, STATUS_USAGE,
                    "a machine of %u router has no two halves; choose one of two routers or more",
                    graph->routers);
    struct bisection_job job = {.graph = graph, .options = options, .envelope = {.graph = graph}};
    job.threads = parallel_threads(options->threads, UINT32_MAX);
    job.sides = memory_new(NODES_A_ROUND, graph->routers);
    RETURN_ERROR_IF(job.sides == NULL, status, STATUS_MEMORY, "out of memory for cuts");
    result->exact = graph->routers <= options->exact_routers;
    status_code code = find_ends(&job, status);
    if (code == STATUS_OK) code = search_cuts(&job, status);
    if (code == STATUS_OK && result->exact) code = prove(&job, status);
    if (code == STATUS_OK) code = fill_result(&job, result, status);
    result->stopped = !result->proven && bisection_stopped(&job);
    free_job(&job);
    if (code != STATUS_OK) bisection_result_free(result);
    return code;
}

void bisection_result_free(struct bisection_result *result) {
    for (size_t i = 0; i < result->line_count; i++)
        free(result->lines[i].side);
    free(result->lines);
    free(result->points);
    memset(result, 0, sizeof *result);
}
