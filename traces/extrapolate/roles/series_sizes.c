/*
 * Roles by sizes: roles whose ranks make the same calls, and give them different sizes, such as the
 * sums of an MPI_Alltoallv among the neighbours in a grid. Laws are looked for with roles by a grid
 * only if the ranks of each role have equal sizes in each program.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/roles/series_keys.h"
#include "traces/extrapolate/roles/series_roles.h"
#include "traces/program/content_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void series_sizes_take(struct series *series) {
    for (uint32_t k = 0; k < series->program_count; k++)
        for (uint32_t r = 0; r < series->programs[k].program->rank_count; r++) {
            struct series_rank *rank = &series->programs[k].ranks[r];
            rank->size_hash = 0;
            for (size_t i = 0; i < rank->step_count; i++)
                if (rank->steps[i].symbol == series->outcome.sizes.symbol)
                    rank->size_hash = content_hash_add(
                        rank->size_hash,
                        (uint64_t)
                            rank->values[rank->steps[i].first_value + series->outcome.sizes.field]);
        }
}

/* The sizes that the ranks of one role give in one program. */
struct size_class {
    uint32_t key, program;
    uint64_t hash; /* size_hash of these ranks */
};

/* Compares by keys, then by programs, the largest one first. */
static int compare_classes(const void *left, const void *right) {
    const struct size_class *a = left, *b = right;
    if (a->key != b->key) return (a->key > b->key) - (a->key < b->key);
    if (a->program != b->program) return (a->program < b->program) - (a->program > b->program);
    return (a->hash > b->hash) - (a->hash < b->hash);
}

/* Returns whether some program has two roles that give different sizes. */
static bool tell_apart(const struct size_class *classes, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            if (classes[i].program == classes[k].program && classes[i].hash != classes[k].hash)
                return true;
    return false;
}

/* Returns the classes of a rule, in the order of compare_classes, which the caller frees; NULL: out
 * of memory. Sets *count to their number; 0: ranks of one role differ in a program, or all roles
 * give the same sizes in each program. */
static struct size_class *list_classes(const struct series *series,
                                       const struct series_role_rule *rule, size_t *count,
                                       struct status *status) {
    size_t all = 0, kept = 0;
    for (uint32_t k = 0; k < series->program_count; k++)
        all += series->programs[k].program->rank_count;
    struct size_class *classes = memory_new(all, sizeof *classes);
    *count = 0;
    if (classes == NULL) {
        status_set(status, STATUS_MEMORY, "out of memory for roles");
        return NULL;
    }
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct series_program *from = &series->programs[k];
        const uint32_t ranks = from->program->rank_count;
        for (uint32_t r = 0; r < ranks; r++)
            classes[(*count)++] = (struct size_class){
                series_key(series, rule, &from->extents, ranks, r), k, from->ranks[r].size_hash};
    }
    qsort(classes, all, sizeof *classes, compare_classes);
    for (size_t i = 0; i < all; i++) {
        const bool is_same = kept > 0 && classes[i].key == classes[kept - 1].key &&
                             classes[i].program == classes[kept - 1].program;
        if (!is_same)
            classes[kept++] = classes[i];
        else if (classes[i].hash != classes[kept - 1].hash)
            kept = 0, i = all;
    }
    *count = tell_apart(classes, kept) ? kept : 0;
    return classes;
}

status_code series_sizes_fit(const struct series *series, const struct series_role_rule *rule,
                             bool *fits, struct status *status) {
    size_t count;
    struct size_class *classes = list_classes(series, rule, &count, status);
    if (classes == NULL) return status->code;
    free(classes);
    *fits = count > 0;
    return STATUS_OK;
}

/* Returns the first class of a key; NULL: there is none. */
static const struct size_class *find_class(const struct size_class *classes, size_t count,
                                           uint32_t key) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (classes[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && classes[low].key == key ? &classes[low] : NULL;
}

/* Returns whether two roles give the same sizes in the largest program that has both. left, right:
 * the first class of each. left_end, right_end: the ends of their lists. */
static bool are_alike(const struct size_class *left, const struct size_class *right,
                      const struct size_class *left_end, const struct size_class *right_end) {
    const uint32_t left_key = left->key, right_key = right->key;
    while (left < left_end && right < right_end && left->key == left_key &&
           right->key == right_key) {
        if (left->program == right->program) return left->hash == right->hash;
        if (left->program > right->program)
            left++;
        else
            right++;
    }
    return false;
}

/* Returns whether another rule gives a rank of the new program other sizes, and sets *rank to the
 * first such rank. A role that the series lacks differs if it is by a grid that no program shows:
 * nothing says which sizes it gives. */
static bool differs(const struct series *series, const struct series_role_rule *other,
                    const struct size_class *own, size_t own_count,
                    const struct size_class *classes, size_t count, uint32_t *rank) {
    const uint32_t ranks = series->target_ranks;
    for (*rank = 0; *rank < ranks; ++*rank) {
        const struct size_class *left =
            find_class(own, own_count, series_role_key(series, series->program_count, *rank));
        const struct size_class *right =
            find_class(classes, count, series_key(series, other, &series->target, ranks, *rank));
        if (left != NULL &&
            (right != NULL ? !are_alike(left, right, own + own_count, classes + count)
                           : series_grid_is_unseen(series, other->grid)))
            return true;
    }
    return false;
}

static size_t count_keys(const struct size_class *classes, size_t count) {
    size_t keys = count > 0 ? 1 : 0;
    for (size_t i = 1; i < count; i++)
        keys += classes[i].key != classes[i - 1].key;
    return keys;
}

status_code series_sizes_alternative(const struct series *series, char *text, size_t size,
                                     struct status *status) {
    size_t own_count;
    struct size_class *own = list_classes(series, &series->roles.rule, &own_count, status);
    *text = '\0';
    if (own == NULL) return status->code;
    struct series_role_rule other = {0};
    while (*text == '\0' && series_roles_next_rule(series, &other)) {
        uint32_t rank;
        size_t count;
        if (!series_roles_may_be_of_sizes(&other)) continue;
        struct size_class *classes = list_classes(series, &other, &count, status);
        if (classes == NULL) break;
        if (count > 0 && count_keys(classes, count) <= count_keys(own, own_count) &&
            differs(series, &other, own, own_count, classes, count, &rank))
            snprintf(text, size, "%s, which differs on rank %u", series_keys_text(other.row), rank);
        free(classes);
    }
    free(own);
    return status->code;
}
