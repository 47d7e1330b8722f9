/*
 * Evaluates a partial cut. With few free vertices it tries all ways to assign them. Otherwise it
 * bounds all cuts below by a semidefinite relaxation with a proof in integers, and chooses the
 * vertex of whose side the relaxation is least certain.
 */
#include "network/analysis/bisection/bisection_tree.h"

#include "core/base/greatest_common_divisor.h"
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENUMERATED_MAX = 12, /* up to 12 free vertices, all their sides are tried */
    CLIMB_STEPS = 60,    /* steps between two bounds */
    CLIMBS_MIN = 2,      /* climbs before branching */
    CLIMBS_MAX = 60,
    PATIENCE = 12,    /* how many more climbs like the last are worth their time */
    WARM_STEPS = 4000 /* steps after which a cold climb has a warm climb's first pace */
};

/*
 * Returns the step between possible numbers of cut links of one kind. A side S cuts the sum of the
 * degrees in S, minus twice the links inside S. If the degrees of all routers have one parity, and
 * that is even or |S| is known, the number of links cut has a fixed parity.
 */
static int64_t count_step(const struct bisection_graph *graph, bool global) {
    uint32_t odd = 0;
    for (uint32_t i = 0; i < graph->routers; i++) {
        uint32_t degree = 0;
        for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++)
            degree += global ? graph->ends[e].global_links : graph->ends[e].local_links;
        odd += degree % 2;
    }
    if (odd == 0) return 2;
    return odd == graph->routers && graph->routers % 2 == 0 ? 2 : 1;
}

void bisection_tree_problem_set(struct bisection_tree_problem *problem,
                                const struct bisection_graph *graph,
                                const struct bisection_weights *weights, int64_t target) {
    *problem = (struct bisection_tree_problem){.graph = graph,
                                               .vertices = graph->routers + graph->routers % 2,
                                               .weights = *weights,
                                               .target = target};
    problem->step =
        (int64_t)greatest_common_divisor((uint64_t)(weights->local * count_step(graph, false)),
                                         (uint64_t)(weights->global * count_step(graph, true)));
    int64_t largest = 1;
    for (uint32_t i = 0; i < graph->routers; i++) {
        int64_t degree = 0;
        for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            int64_t weight =
                bisection_value(weights, graph->ends[e].local_links, graph->ends[e].global_links);
            degree += weight;
            if (weight > largest) largest = weight;
        }
        if (degree > problem->degree) problem->degree = degree;
    }
    problem->scale = (INT64_C(1) << RELAXATION_WEIGHT_BITS) / largest;
    if (problem->scale < 1) problem->scale = 1;
}

void bisection_tree_warm_start_release(struct bisection_tree_warm_start *warm_start,
                                       uint32_t shares) {
    if (warm_start == NULL) return;
    warm_start->users -= shares;
    if (warm_start->users > 0) return;
    free(warm_start->vectors);
    free(warm_start->triangles);
    free(warm_start);
}

status_code bisection_tree_worker_new(struct bisection_tree_worker *worker, uint32_t vertices,
                                      struct status *status) {
    memset(worker, 0, sizeof *worker);
    FORWARD_IF_ERROR(bisection_relaxation_new(&worker->relaxation, vertices, status));
    worker->vertex = memory_new(vertices, sizeof *worker->vertex);
    worker->position = memory_new(vertices, sizeof *worker->position);
    worker->fixed = memory_new(vertices, 1);
    worker->best = memory_new(vertices, 1);
    if (worker->vertex == NULL || worker->position == NULL || worker->fixed == NULL ||
        worker->best == NULL) {
        bisection_tree_worker_free(worker);
        return status_set(status, STATUS_MEMORY, "out of memory for %u routers", vertices);
    }
    return STATUS_OK;
}

void bisection_tree_worker_free(struct bisection_tree_worker *worker) {
    bisection_relaxation_free(&worker->relaxation);
    free(worker->vertex);
    free(worker->position);
    free(worker->fixed);
    free(worker->best);
    memset(worker, 0, sizeof *worker);
}

static int64_t value_of(const struct bisection_tree_problem *problem,
                        const struct bisection_end *end) {
    return bisection_value(&problem->weights, end->local_links, end->global_links);
}

/* ---------------------------------------------------------------- few free vertices */

struct enumeration {
    const struct bisection_tree_problem *problem;
    const uint32_t *vertex; /* free vertices, from index 1 on */
    uint32_t end;           /* last index + 1 */
    uint8_t *fixed;
    uint8_t *best;
    int64_t best_value; /* only a cut with a lower value is of interest */
    bool found;
};

/* Returns the value of the links from vertex v to vertices on the other side, if v takes `side`. */
static int64_t cost_of_side(const struct bisection_tree_problem *problem, const uint8_t *fixed,
                            uint32_t v, uint8_t side) {
    const struct bisection_graph *graph = problem->graph;
    int64_t cost = 0;
    if (v >= graph->routers) return 0;
    for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
        uint8_t other = fixed[graph->ends[e].to];
        if (other != BISECTION_TREE_FREE && other != side)
            cost += value_of(problem, &graph->ends[e]);
    }
    return cost;
}

/* Tries both sides for all free vertices from `position` on. open_places: how many more vertices
 * each side takes. */
static void enumerate(struct enumeration *job, uint32_t position, int64_t value,
                      const uint32_t open_places[3]) {
    if (value >= job->best_value) return;
    if (position == job->end) {
        job->best_value = value;
        job->found = true;
        memcpy(job->best, job->fixed, job->problem->vertices);
        return;
    }
    const uint32_t v = job->vertex[position];
    for (unsigned side = BISECTION_TREE_SAME; side <= BISECTION_TREE_OPPOSITE; side++) {
        if (open_places[side] == 0) continue;
        uint32_t open_after[3] = {0, open_places[1], open_places[2]};
        open_after[side]--;
        int64_t cost = cost_of_side(job->problem, job->fixed, v, (uint8_t)side);
        job->fixed[v] = (uint8_t)side;
        enumerate(job, position + 1, value + cost, open_after);
        job->fixed[v] = BISECTION_TREE_FREE;
    }
}

/* Returns the value of the links that are cut between fixed vertices. */
static int64_t fixed_value(const struct bisection_tree_problem *problem, const uint8_t *fixed) {
    const struct bisection_graph *graph = problem->graph;
    int64_t value = 0;
    for (uint32_t i = 0; i < graph->routers; i++)
        if (fixed[i] == BISECTION_TREE_SAME)
            value += cost_of_side(problem, fixed, i, BISECTION_TREE_SAME);
    return value; /* each cut link has one end on side BISECTION_TREE_SAME */
}

/* ---------------------------------------------------------------- the node's relaxation */

/* Loads a node's relaxation. All fixed vertices become one vertex; those on the opposite side count
 * with a minus sign. */
static void load_relaxation(struct bisection_tree_worker *worker,
                            const struct bisection_tree_problem *problem, uint32_t count) {
    const struct bisection_graph *graph = problem->graph;
    struct bisection_relaxation *relaxation = &worker->relaxation;
    relaxation->size = count;
    relaxation->scale = problem->scale;
    relaxation->degree = problem->degree;
    memset(relaxation->weight, 0, (size_t)count * count * sizeof(int32_t));
    memset(relaxation->balance, 0, count * sizeof(int32_t));
    relaxation->constant = 2 * fixed_value(problem, worker->fixed);
    for (uint32_t i = 0; i < problem->vertices; i++) {
        const int32_t sign = worker->fixed[i] == BISECTION_TREE_OPPOSITE ? -1 : 1;
        const uint32_t here = worker->position[i];
        relaxation->balance[here] += sign;
        if (i >= graph->routers) continue;
        for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            const uint32_t j = graph->ends[e].to, there = worker->position[j];
            if (here == there || j < i) continue; /* both fixed, or counted from the other end */
            const int32_t other_sign = worker->fixed[j] == BISECTION_TREE_OPPOSITE ? -1 : 1;
            const int32_t value = (int32_t)value_of(problem, &graph->ends[e]);
            relaxation->constant += value;
            relaxation->weight[(size_t)here * count + there] += sign * other_sign * value;
            relaxation->weight[(size_t)there * count + here] += sign * other_sign * value;
        }
    }
}

/* Translates a triangle of the parent to the positions of this node. Returns false if two of its
 * vertices are fixed now. In each of the four forms, the product of the three signs is 1.
 * Fixing a vertex does not change the product, since the vertex is in two of the three pairs. So
 * exactly one form fits, and the signs of two pairs determine the form. */
static bool place_triangle(const struct bisection_tree_worker *worker,
                           const struct bisection_relaxation_triangle *from,
                           struct bisection_relaxation_triangle *to) {
    const uint16_t vertex[3] = {from->a, from->b, from->c};
    uint32_t position[3], zero = 0;
    int sign[3], signs_between[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        position[i] = worker->position[vertex[i]];
        sign[i] = worker->fixed[vertex[i]] == BISECTION_TREE_OPPOSITE ? -1 : 1;
        zero += position[i] == 0;
    }
    if (zero > 1) return false;
    const int8_t *signs = relaxation_signs[from->form];
    const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int p = 0; p < 3; p++) {
        const int i = pairs[p][0], j = pairs[p][1];
        signs_between[i][j] = signs_between[j][i] = signs[p] * sign[i] * sign[j];
    }
    int order[3] = {0, 1, 2};
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 2; i++)
            if (position[order[i]] > position[order[i + 1]]) {
                int kept = order[i];
                order[i] = order[i + 1];
                order[i + 1] = kept;
            }
    *to = *from;
    to->a = (uint16_t)position[order[0]];
    to->b = (uint16_t)position[order[1]];
    to->c = (uint16_t)position[order[2]];
    for (uint16_t f = 0; f < 4; f++)
        if (relaxation_signs[f][0] == signs_between[order[0]][order[1]] &&
            relaxation_signs[f][1] == signs_between[order[0]][order[2]])
            to->form = f;
    return true;
}

static status_code load_warm_start(struct bisection_tree_worker *worker,
                                   const struct bisection_tree_warm_start *warm_start,
                                   struct status *status) {
    struct bisection_relaxation *relaxation = &worker->relaxation;
    const size_t rank = bisection_relaxation_rank(relaxation->capacity);
    relaxation->triangle_count = 0;
    if (warm_start == NULL) return STATUS_OK;
    FORWARD_IF_ERROR(memory_grow((void **)&relaxation->triangles, &relaxation->triangle_capacity,
                                 warm_start->triangle_count, sizeof *relaxation->triangles,
                                 status));
    relaxation->penalty = warm_start->penalty;
    for (size_t t = 0; t < warm_start->triangle_count; t++)
        if (place_triangle(worker, &warm_start->triangles[t],
                           &relaxation->triangles[relaxation->triangle_count]))
            relaxation->triangle_count++;
    for (uint32_t p = 0; p < relaxation->size; p++)
        memcpy(&relaxation->vectors[p * rank], &warm_start->vectors[worker->vertex[p] * rank],
               rank * sizeof(int32_t));
    return STATUS_OK;
}

/* Saves the warm start for the children. The vertices of positions ascend, so triangles keep their
 * order; position 0 stands for router 0. */
static status_code keep_warm_start(const struct bisection_tree_worker *worker,
                                   const struct bisection_tree_problem *problem,
                                   struct bisection_tree_warm_start **kept, struct status *status) {
    const struct bisection_relaxation *relaxation = &worker->relaxation;
    const size_t rank = relaxation->rank;
    struct bisection_tree_warm_start *warm_start = memory_new(1, sizeof *warm_start);
    RETURN_ERROR_IF(warm_start == NULL, status, STATUS_MEMORY, "out of memory for the search tree");
    warm_start->users = 2;
    warm_start->penalty = relaxation->penalty;
    warm_start->vectors = memory_new(problem->vertices * rank, sizeof *warm_start->vectors);
    warm_start->triangles = memory_new(relaxation->triangle_count, sizeof *warm_start->triangles);
    if (warm_start->vectors == NULL || warm_start->triangles == NULL) {
        bisection_tree_warm_start_release(warm_start, 2);
        return status_set(status, STATUS_MEMORY, "out of memory for the search tree");
    }
    for (uint32_t p = 0; p < relaxation->size; p++)
        memcpy(&warm_start->vectors[worker->vertex[p] * rank], &relaxation->vectors[p * rank],
               rank * sizeof(int32_t));
    for (size_t t = 0; t < relaxation->triangle_count; t++) {
        const struct bisection_relaxation_triangle *triangle = &relaxation->triangles[t];
        if (triangle->average == 0 && triangle->current == 0) continue;
        struct bisection_relaxation_triangle *copy =
            &warm_start->triangles[warm_start->triangle_count++];
        *copy = *triangle;
        copy->a = (uint16_t)worker->vertex[triangle->a];
        copy->b = (uint16_t)worker->vertex[triangle->b];
        copy->c = (uint16_t)worker->vertex[triangle->c];
    }
    *kept = warm_start;
    return STATUS_OK;
}

/* ---------------------------------------------------------------- evaluation */

/* Returns the least value that a cut can have, from the relaxation's proven bound. */
static int64_t rounded_bound(const struct bisection_tree_problem *problem, int64_t bound) {
    const int64_t unit = 4 * problem->scale;
    int64_t min = bound > 0 ? (bound + unit - 1) / unit : 0;
    if (min >= problem->target) return problem->target;
    return problem->target - (problem->target - min) / problem->step * problem->step;
}

/* Returns the free vertex of whose side the relaxation is least certain. */
static uint32_t choose_branch(const struct bisection_tree_worker *worker) {
    const struct bisection_relaxation *relaxation = &worker->relaxation;
    uint32_t chosen = 1;
    for (uint32_t p = 2; p < relaxation->size; p++)
        if (abs(relaxation->mean_products[p]) < abs(relaxation->mean_products[chosen])) chosen = p;
    return worker->vertex[chosen];
}

static status_code bound_node(struct bisection_tree_worker *worker,
                              const struct bisection_tree_problem *problem,
                              const struct bisection_tree_node *node, bool (*stop)(void *),
                              void *context, struct bisection_tree_outcome *outcome,
                              struct status *status) {
    struct bisection_relaxation *relaxation = &worker->relaxation;
    const int64_t wanted = 4 * problem->scale * (problem->target - problem->step);
    bisection_relaxation_begin(relaxation, node->warm_start == NULL);
    relaxation->steps = node->warm_start == NULL ? 0 : WARM_STEPS;
    int64_t best = 0, before = 0;
    bool stopped = false;
    for (int climbs = 0;; climbs++) {
        int64_t bound = bisection_relaxation_bound(relaxation);
        if (bound > best) best = bound;
        stopped = stop != NULL && stop(context);
        if (best > wanted || stopped || climbs == CLIMBS_MAX) break;
        if (climbs >= CLIMBS_MIN && (best - before) * PATIENCE < wanted - best) break;
        before = best;
        FORWARD_IF_ERROR(bisection_relaxation_separate(relaxation, status));
        bisection_relaxation_climb(relaxation, CLIMB_STEPS);
    }
    int64_t rounded = rounded_bound(problem, best);
    if (rounded > outcome->bound) outcome->bound = rounded;
    outcome->closed = outcome->bound >= problem->target;
    if (outcome->closed || stopped) return STATUS_OK;
    outcome->branch = choose_branch(worker);
    return keep_warm_start(worker, problem, &outcome->warm_start, status);
}

/* Counts the room on both sides. If a side is full, fixes the remaining vertices on the other
 * side. */
static void complete_sides(struct bisection_tree_worker *worker, uint32_t vertices,
                           uint32_t room[3]) {
    room[BISECTION_TREE_SAME] = room[BISECTION_TREE_OPPOSITE] = vertices / 2;
    for (uint32_t i = 0; i < vertices; i++)
        if (worker->fixed[i] != BISECTION_TREE_FREE) room[worker->fixed[i]]--;
    for (unsigned side = BISECTION_TREE_SAME; side <= BISECTION_TREE_OPPOSITE; side++) {
        if (room[side] > 0) continue;
        const unsigned other = BISECTION_TREE_SAME + BISECTION_TREE_OPPOSITE - side;
        for (uint32_t i = 0; i < vertices; i++) {
            if (worker->fixed[i] != BISECTION_TREE_FREE) continue;
            worker->fixed[i] = (uint8_t)other;
            room[other]--;
        }
    }
}

status_code bisection_tree_evaluate(struct bisection_tree_worker *worker,
                                    const struct bisection_tree_problem *problem,
                                    const struct bisection_tree_node *node, bool (*stop)(void *),
                                    void *context, struct bisection_tree_outcome *outcome,
                                    uint8_t *side, struct status *status) {
    uint32_t room[3], count = 1;
    *outcome = (struct bisection_tree_outcome){.bound = node->bound};
    memcpy(worker->fixed, node->fixed, problem->vertices);
    complete_sides(worker, problem->vertices, room);
    worker->vertex[0] = 0;
    for (uint32_t i = 0; i < problem->vertices; i++) {
        worker->position[i] = worker->fixed[i] == BISECTION_TREE_FREE ? count : 0;
        if (worker->fixed[i] == BISECTION_TREE_FREE) worker->vertex[count++] = i;
    }
    if (count - 1 <= ENUMERATED_MAX) {
        struct enumeration job = {.problem = problem,
                                  .vertex = worker->vertex,
                                  .end = count,
                                  .fixed = worker->fixed,
                                  .best = worker->best,
                                  .best_value = problem->target};
        enumerate(&job, 1, fixed_value(problem, worker->fixed), room);
        outcome->closed = true;
        outcome->found = job.found;
        outcome->bound = job.best_value;
        for (uint32_t i = 0; job.found && i < problem->graph->routers; i++)
            side[i] = worker->best[i] == BISECTION_TREE_OPPOSITE;
        return STATUS_OK;
    }
    load_relaxation(worker, problem, count);
    FORWARD_IF_ERROR(load_warm_start(worker, node->warm_start, status));
    return bound_node(worker, problem, node, stop, context, outcome, status);
}
