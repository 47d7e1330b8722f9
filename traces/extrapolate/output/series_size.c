/* Estimates how large the new program will be: counts the operations of some of its ranks without
 * writing them. */
#include "core/memory/memory_limit.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/output/series_output.h"
#include "traces/extrapolate/steps/series_steps.h"

#include <inttypes.h>

/* Counts are limited to this number, so that the product of two counts fits into 128 bits. */
static const wide MOST_OPERATIONS = (wide)1 << 60;

static wide limited(wide count) {
    return count < MOST_OPERATIONS ? count : MOST_OPERATIONS;
}

/* Returns the number of operations of a step: its computation, the begin of a call or a mark, and
 * of a call also what it posts and waits for, and its return. */
static wide count_step(const struct series *series, const struct series_role_step *step) {
    const struct series_symbol *symbol = &series->steps.symbols[step->symbol];
    const int64_t *words = series->steps.words + symbol->first_word,
                  *end = words + symbol->word_count;
    wide count = 2;
    if (words[0] != OPERATION_CALL) return count;
    count++; /* the return */
    for (words += 2; words < end; count++)
        words += series_part_words(series, words);
    return count;
}

/* Returns the number of operations of the nodes of a shape on one rank. Where the trips of a loop
 * depend on the iteration of a loop around it, all iterations count with the trips of the first. */
static wide count_nodes(const struct series *series, const struct series_role *role,
                        const struct series_shape_node *shape, struct series_place *place) {
    wide sum = 0;
    for (size_t i = 0; i < shape->count; i++) {
        const struct series_shape_node *node = &shape->nodes[i];
        if (node->symbol != SERIES_LOOP) {
            sum = limited(sum + count_step(series, &role->steps[node->index_in_role]));
            continue;
        }
        const struct series_role_step *loop = &role->loops[node->index_in_role];
        const uint32_t level = place->depth;
        int64_t trips;
        if (!law_value(series, law_at(role, loop, loop->laws, place), place, &trips) || trips < 0 ||
            trips > UINT32_MAX)
            continue; /* series_write refuses such trips */
        place->index[level] = 0;
        place->trips[level] = (uint32_t)trips;
        place->depth = level + 1;
        sum = limited(sum + count_nodes(series, role, node, place) * (uint64_t)trips);
        place->depth = level;
    }
    return sum;
}

/* Returns about how many operations the new program will have, from some ranks of each role. */
static wide count_operations(const struct series *series) {
    wide sum = 0;
    for (size_t r = 0; r < series->roles.count; r++) {
        const struct series_role *role = &series->roles.list[r];
        wide examples = 0;
        for (uint32_t i = 0; i < role->example_count; i++) {
            struct series_place place = law_target_place(series, role->examples[i]);
            examples += count_nodes(series, role, &role->shape, &place);
        }
        if (role->example_count > 0)
            sum = limited(sum + limited(examples / role->example_count) * role->target_members);
    }
    return sum;
}

status_code series_size_check(const struct series *series, struct status *status) {
    /* The builder is assumed to need twice the bytes of the operations. */
    const wide bytes = count_operations(series) * 2 * sizeof(struct program_operation);
    const uint64_t most = memory_limit_bytes();
    RETURN_ERROR_IF(bytes > most, status, STATUS_INPUT,
                    "the program of %u ranks needs about %" PRIu64 " MiB, and there are %" PRIu64
                    " MiB; cut the programs (trace.from, trace.to) or take fewer ranks",
                    series->target_ranks, (uint64_t)(bytes >> 20), most >> 20);
    return STATUS_OK;
}
