/*
 * Folds the steps of a rank so that they fit the shape of other ranks. A sequence may be folded in
 * several ways: a send and three receives are a send and a loop of three receives, or a pair and a
 * loop of two receives. The steps of all ranks of a role must be folded in the same way.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/steps/series_shape.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

/* The search tries each loop with fewer and fewer trips, so it may take long. It ends without a
 * result after so many nodes. */
enum {
    MOST_STEPS = 1 << 14, /* of a rank */
    MOST_WORK = 64 * MOST_STEPS
};

/* A list of nodes that were found. */
struct parsed {
    struct series_node *list;
    size_t count, capacity;
};

/* The state of a search. */
struct parser {
    struct series_rank *rank;
    struct status *status;
    uint32_t work; /* how many nodes of the shape may still be looked at */
};

static bool parse_nodes(struct parser *parser, const struct series_shape_node *shape, size_t place,
                        size_t *step, bool to_end, struct parsed *found);

static bool add(struct parser *parser, struct parsed *found, const struct series_node *node) {
    if (memory_grow((void **)&found->list, &found->capacity, found->count + 1, sizeof *node,
                    parser->status) != STATUS_OK)
        return false;
    found->list[found->count++] = *node;
    return true;
}

static uint64_t hash_of(const struct parsed *body) {
    uint64_t hash = body->count;
    for (size_t i = 0; i < body->count; i++)
        hash = content_hash_add(hash, body->list[i].hash);
    return hash;
}

/* Returns how many iterations of a loop follow each other from a step on, all with equal nodes; at
 * most `most`. Sets lengths[i] to the number of steps of iteration i, and *body to the nodes of the
 * first one, which the caller frees. */
static uint32_t count_trips(struct parser *parser, const struct series_shape_node *loop,
                            size_t step, size_t *lengths, uint32_t most, struct parsed *body) {
    uint32_t trips = 0;
    for (; trips < most; trips++) {
        struct parsed next = {0};
        size_t end = step;
        const bool fits = parse_nodes(parser, loop, 0, &end, false, &next) && end > step &&
                          (trips == 0 || hash_of(&next) == hash_of(body));
        if (fits && trips == 0)
            *body = next;
        else
            free(next.list);
        if (!fits) break;
        lengths[trips] = end - step;
        step = end;
    }
    return trips;
}

/* Appends a loop; if it has one trip, the nodes of its body. Returns false if memory is short. */
static bool add_loop(struct parser *parser, const struct parsed *body, uint32_t trips,
                     struct parsed *found) {
    struct series_rank *rank = parser->rank;
    struct series_node loop = {
        .symbol = SERIES_LOOP, .trips = trips, .count = (uint32_t)body->count};
    if (trips == 1) {
        for (size_t i = 0; i < body->count; i++)
            if (!add(parser, found, &body->list[i])) return false;
        return true;
    }
    if (series_keep_nodes(rank, body->list, body->count, &loop.first, parser->status) != STATUS_OK)
        return false;
    loop.hash = content_hash_add(trips, hash_of(body));
    return add(parser, found, &loop);
}

/* Folds steps from number *step on into loop `place` of a shape and the nodes after it, as
 * parse_nodes does. The loop gets as many trips as possible: fewer, if the nodes after it do not
 * fit otherwise. */
static bool parse_loop(struct parser *parser, const struct series_shape_node *shape, size_t place,
                       size_t *step, bool to_end, struct parsed *found) {
    const size_t left = parser->rank->step_count - *step, before = found->count;
    size_t *lengths = memory_new(left + 1, sizeof *lengths);
    struct parsed body = {0};
    bool fits = false;
    if (lengths == NULL) return false;
    uint32_t trips =
        count_trips(parser, &shape->nodes[place], *step, lengths, (uint32_t)left, &body);
    for (; trips > 0 && !fits; trips--) {
        size_t next = *step;
        for (uint32_t i = 0; i < trips; i++)
            next += lengths[i];
        found->count = before;
        fits = add_loop(parser, &body, trips, found) &&
               parse_nodes(parser, shape, place + 1, &next, to_end, found);
        if (fits) *step = next;
    }
    free(lengths);
    free(body.list);
    return fits;
}

/* Folds steps from number *step on into nodes that fit those of a shape from `place` on, and
 * appends them to `found`. Sets *step to the step after them. to_end: no step may be left. Returns
 * false if the steps do not fit, if the search takes too long, or if memory is short. */
static bool parse_nodes(struct parser *parser, const struct series_shape_node *shape, size_t place,
                        size_t *step, bool to_end, struct parsed *found) {
    for (; place < shape->count; place++) {
        const struct series_shape_node *node = &shape->nodes[place];
        if (parser->work-- == 0 || *step == parser->rank->step_count) {
            parser->work += parser->work == UINT32_MAX;
            return false;
        }
        if (node->symbol == SERIES_LOOP)
            return parse_loop(parser, shape, place, step, to_end, found);
        const uint32_t symbol = parser->rank->steps[*step].symbol;
        if (symbol != node->symbol) return false;
        if (!add(parser, found,
                 &(struct series_node){.hash = content_hash_mix(symbol + 1), .symbol = symbol}))
            return false;
        ++*step;
    }
    return !to_end || *step == parser->rank->step_count;
}

bool series_shape_parse(const struct series_shape_node *shape, struct series_rank *rank,
                        struct status *status) {
    struct parser parser = {rank, status, MOST_WORK};
    struct parsed found = {0};
    size_t step = 0;
    const size_t known = rank->node_count;
    const bool fits =
        rank->step_count <= MOST_STEPS && parse_nodes(&parser, shape, 0, &step, true, &found) &&
        series_keep_nodes(rank, found.list, found.count, &rank->first, status) == STATUS_OK;
    if (fits)
        rank->count = (uint32_t)found.count;
    else
        rank->node_count = known;
    free(found.list);
    return fits;
}
