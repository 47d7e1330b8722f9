/*
 * Divides loops in which several exchanges follow each other with the same calls. For example, a
 * rank that sends and receives in six rows of a grid, one after another, has one loop for all of
 * these exchanges. So has a rank that exchanges in rounds, and then once with another partner. If
 * no rule gives the partners in such a loop, the loop is divided: its last iteration or the first
 * ones stand alone, or it becomes a loop of equal parts. If no such division fits, the calls are
 * divided by their sizes (series_classes.c).
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/roles/series_samples.h"
#include "traces/extrapolate/steps/series_shape.h"
#include "traces/extrapolate/steps/series_steps.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

/* Ways to divide a loop, in the order in which they are tried: the last iteration stands alone
 * (PARTS_OF_LAST); the first one does (PARTS_OF_FIRST); n equal parts, n from 2 to MOST_PARTS; the
 * first n iterations stand alone, n from 2 to MOST_FIRSTS (MOST_PARTS + n - 1). */
enum { MOST_PARTS = 8, MOST_FIRSTS = 4, PARTS_OF_LAST = 0, PARTS_OF_FIRST = 1 };

/* How a loop is divided. */
struct split {
    uint32_t parts;   /* one of these ways */
    uint64_t content; /* hash of the symbols in the loop */
};

/* Returns how many first iterations stand alone. */
static uint32_t firsts_of(uint32_t parts) {
    if (parts > MOST_PARTS) return parts - MOST_PARTS + 1;
    return parts == PARTS_OF_FIRST ? 1 : 0;
}

/* Returns whether all parts of a loop are equal. */
static bool is_equal(uint32_t parts) {
    return parts != PARTS_OF_LAST && firsts_of(parts) == 0;
}

/* Adds the symbols in a shape to a hash. */
static uint64_t add_shape(uint64_t hash, const struct series_shape_node *shape) {
    for (size_t i = 0; i < shape->count; i++)
        hash = shape->nodes[i].symbol == SERIES_LOOP
                   ? add_shape(hash, &shape->nodes[i])
                   : content_hash_add(hash, shape->nodes[i].symbol);
    return hash;
}

/* Does the same for a loop of a rank. */
static uint64_t add_nodes(uint64_t hash, const struct series_rank *rank,
                          const struct series_node *loop) {
    for (uint32_t i = loop->first; i < loop->first + loop->count; i++) {
        const struct series_node *node = &rank->nodes[i];
        hash = node->symbol == SERIES_LOOP ? add_nodes(hash, rank, node)
                                           : content_hash_add(hash, node->symbol);
    }
    return hash;
}

/* Returns the loop of a shape that has this number; NULL: it is not in this shape. */
static const struct series_shape_node *find_loop(const struct series_shape_node *shape,
                                                 uint32_t number) {
    const struct series_shape_node *found = NULL;
    for (size_t i = 0; i < shape->count && found == NULL; i++) {
        const struct series_shape_node *node = &shape->nodes[i];
        if (node->symbol != SERIES_LOOP) continue;
        found = node->index_in_role == number ? node : find_loop(node, number);
    }
    return found;
}

/* ---- the search ---- */

/* Returns whether the loop around a step at a level has enough iterations, on all ranks, to be
 * divided in this way. */
static bool has_parts(const struct series_role_step *step, uint32_t level, uint32_t parts) {
    if (is_equal(parts)) return series_trips_are_multiples(step, level, parts);
    const uint32_t alone = parts == PARTS_OF_LAST ? 1 : firsts_of(parts);
    for (size_t i = 0; i < step->sample_count; i++)
        if (step->samples[i].trips[level] <= alone) return false;
    return true;
}

/* Returns the number of the part that an iteration is in, and sets *index and *trips to those in
 * the part. Part 0 is the rest of the loop, or the first of equal parts; the parts of the
 * iterations that stand alone are numbered from 1. */
static uint32_t part_of(uint32_t parts, uint32_t *index, uint32_t *trips) {
    if (is_equal(parts)) {
        const uint32_t part = *index / (*trips / parts);
        *trips /= parts;
        *index %= *trips;
        return part;
    }
    const uint32_t firsts = firsts_of(parts);
    const bool is_alone = firsts == 0 ? *index + 1 == *trips : *index < firsts;
    const uint32_t part = !is_alone ? 0 : firsts == 0 ? 1 : *index + 1;
    *index = is_alone ? 0 : *index - firsts;
    *trips = is_alone ? 1 : *trips - (firsts == 0 ? 1 : firsts);
    return part;
}

/* Returns whether a partner or a tag follows from one law, and no law that is as good gives the new
 * program other values. */
static bool has_law(const struct series_law_data *data) {
    struct series_law law;
    struct series_alternatives alternatives = {.count = 0};
    const bool found = data->what == SERIES_VALUE_PEER ? law_find_peer(data, &law)
                                                       : law_find_value(data, &law, &alternatives);
    return found && !law.is_open;
}

/* Sets *follows to whether one law gives the values of all iterations i with equal i modulo
 * divisor, for each remainder. */
static status_code remainders_follow(const struct series_law_data *like, uint32_t level,
                                     uint32_t divisor, bool *follows, struct status *status) {
    struct series_groups groups;
    const uint32_t levels = divisor > 1 ? divisor * SERIES_LOOP_SETS | 1u << level : 0;
    *follows = divisor == 1 || series_trips_are_multiples(like->step, level, divisor);
    if (!*follows) return STATUS_OK;
    const status_code code = series_groups_make(like, levels, divisor, &groups, status);
    for (uint32_t g = 0; g < divisor && *follows && code == STATUS_OK; g++) {
        const struct series_law_data data = series_groups_data(&groups, g, like);
        *follows = data.count > 0 && has_law(&data);
    }
    series_groups_free(&groups);
    return code;
}

/* Sets *follows to whether a law gives the values of one part of a loop. In the rest after n first
 * iterations that stand alone, n from 2, the iterations may also take turns with n laws. */
static status_code part_follows(const struct series_law_data *like, uint32_t level, uint32_t parts,
                                uint32_t part, bool *follows, struct status *status) {
    struct series_role_step step = *like->step;
    struct series_law_data data = *like;
    step.samples = memory_new(like->step->sample_count, sizeof *step.samples);
    RETURN_ERROR_IF(step.samples == NULL, status, STATUS_MEMORY, "out of memory for laws");
    step.sample_count = 0;
    for (size_t i = 0; i < like->step->sample_count; i++) {
        struct series_sample sample = like->step->samples[i];
        if (part_of(parts, &sample.index[level], &sample.trips[level]) == part)
            step.samples[step.sample_count++] = sample;
    }
    data.step = &step;
    const uint32_t firsts = firsts_of(parts);
    status_code code = remainders_follow(&data, level, 1, follows, status);
    if (code == STATUS_OK && !*follows && firsts > 1 && part == 0)
        code = remainders_follow(&data, level, firsts, follows, status);
    free(step.samples);
    return code;
}

/* Sets *parts to the first way to divide a loop by which laws give the values of each part. level:
 * of the loop, among those around the step. Sets *found to whether there is one. */
static status_code find_parts(const struct series_law_data *data, uint32_t level, uint32_t *parts,
                              bool *found, struct status *status) {
    *found = false;
    for (*parts = PARTS_OF_LAST; firsts_of(*parts) <= MOST_FIRSTS; ++*parts) {
        const uint32_t count = is_equal(*parts) ? *parts : *parts == 0 ? 2 : firsts_of(*parts) + 1;
        *found = has_parts(data->step, level, *parts);
        for (uint32_t part = 0; part < count && *found; part++)
            FORWARD_IF_ERROR(part_follows(data, level, *parts, part, found, status));
        if (*found) return STATUS_OK;
    }
    return STATUS_OK;
}

/* ---- the division ---- */

struct node_list {
    struct series_node *list;
    size_t count, capacity;
};

static status_code add_node(struct node_list *nodes, const struct series_node *node,
                            struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&nodes->list, &nodes->capacity, nodes->count + 1,
                                 sizeof *node, status));
    nodes->list[nodes->count++] = *node;
    return STATUS_OK;
}

/* Appends the body of a loop. */
static status_code add_body(const struct series_rank *rank, const struct series_node *loop,
                            struct node_list *nodes, struct status *status) {
    for (uint32_t i = loop->first; i < loop->first + loop->count; i++) {
        const struct series_node node = rank->nodes[i];
        FORWARD_IF_ERROR(add_node(nodes, &node, status));
    }
    return STATUS_OK;
}

/* Appends a loop with `without` fewer trips; if one trip is left, its body. */
static status_code add_rest(const struct series_rank *rank, const struct series_node *loop,
                            uint32_t without, struct node_list *nodes, struct status *status) {
    struct series_node rest = *loop;
    rest.trips -= without;
    return rest.trips == 1 ? add_body(rank, loop, nodes, status) : add_node(nodes, &rest, status);
}

/* Appends the parts of a loop. */
static status_code add_divided(struct series_rank *rank, const struct split *split,
                               const struct series_node *loop, struct node_list *nodes,
                               struct status *status) {
    if (split->parts == PARTS_OF_LAST) {
        FORWARD_IF_ERROR(add_rest(rank, loop, 1, nodes, status));
        return add_body(rank, loop, nodes, status);
    }
    const uint32_t firsts = firsts_of(split->parts);
    for (uint32_t i = 0; i < firsts; i++)
        FORWARD_IF_ERROR(add_body(rank, loop, nodes, status));
    if (firsts > 0) return add_rest(rank, loop, firsts, nodes, status);
    struct series_node inner = *loop, outer = *loop;
    inner.trips /= split->parts;
    outer.trips = split->parts;
    outer.count = 1;
    if (inner.trips == 1) return add_node(nodes, loop, status);
    FORWARD_IF_ERROR(series_keep_nodes(rank, &inner, 1, &outer.first, status));
    return add_node(nodes, &outer, status);
}

/* Returns whether a loop with so many trips can be divided. On ranks of other roles, it may not. */
static bool can_divide(const struct split *split, uint32_t trips) {
    if (is_equal(split->parts)) return trips % split->parts == 0;
    return trips > (split->parts == PARTS_OF_LAST ? 1 : firsts_of(split->parts));
}

/* Divides all loops with the content of the split among some nodes of a rank, and in the loops of
 * these. Sets *first and *count to the new nodes. */
static status_code divide_nodes(struct series_rank *rank, const struct split *split,
                                uint32_t *first, uint32_t *count, struct status *status) {
    struct node_list nodes = {0};
    status_code code = STATUS_OK;
    for (uint32_t i = 0; i < *count && code == STATUS_OK; i++) {
        struct series_node node = rank->nodes[*first + i];
        const bool is_loop = node.symbol == SERIES_LOOP;
        const bool is_wanted =
            is_loop && can_divide(split, node.trips) && add_nodes(0, rank, &node) == split->content;
        if (is_wanted)
            code = add_divided(rank, split, &node, &nodes, status);
        else if (is_loop)
            code = divide_nodes(rank, split, &node.first, &node.count, status);
        if (!is_wanted && code == STATUS_OK) code = add_node(&nodes, &node, status);
    }
    *count = (uint32_t)nodes.count;
    if (code == STATUS_OK) code = series_keep_nodes(rank, nodes.list, nodes.count, first, status);
    free(nodes.list);
    return code;
}

static status_code divide(struct series *series, const struct split *split, struct status *status) {
    for (uint32_t k = 0; k < series->program_count; k++)
        for (uint32_t r = 0; r < series->programs[k].program->rank_count; r++) {
            struct series_rank *rank = &series->programs[k].ranks[r];
            FORWARD_IF_ERROR(divide_nodes(rank, split, &rank->first, &rank->count, status));
        }
    return STATUS_OK;
}

status_code series_splits_find(struct series *series, bool *found, struct status *status) {
    const struct series_role *role = series->outcome.lacking_role;
    const struct series_role_step *step = series->outcome.lacking_step;
    *found = false;
    if (role == NULL || step->symbol == SERIES_LOOP) return STATUS_OK;
    const uint32_t field = series->outcome.sizes.field;
    const uint8_t *kinds = series->steps.kinds + series->steps.symbols[step->symbol].first_kind;
    const struct series_law_data data = {.series = series,
                                         .role = role,
                                         .step = step,
                                         .field = field,
                                         .what = (series_value_kind)kinds[field]};
    for (uint32_t level = step->depth; level-- > 0 && !*found;) {
        struct split split;
        if (role->loops[step->loops[level]].fixed_trips > 0) continue;
        FORWARD_IF_ERROR(find_parts(&data, level, &split.parts, found, status));
        if (!*found) continue;
        split.content = add_shape(0, find_loop(&role->shape, step->loops[level]));
        FORWARD_IF_ERROR(divide(series, &split, status));
    }
    return *found ? STATUS_OK : series_classes_divide(series, step->symbol, found, status);
}
