/*
 * Roles: ranks whose steps have the same shape. A rule gives each rank of all programs a key, and
 * ranks with equal keys have one role. The first rule that fits is taken. Rules with few roles come
 * first.
 */
#include "traces/extrapolate/roles/series_roles.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/series_laws.h"
#include "traces/extrapolate/roles/series_keys.h"
#include "traces/extrapolate/roles/series_samples.h"
#include "traces/extrapolate/steps/series_shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many parameters a rule has at most. */
enum { ROOTS = 64, ARITIES = 3, RADICES = 6, WIDTHS = 7 };

static bool has_grid(uint32_t row) {
    return (series_keys_of(row) & SERIES_KEY_OF_GRID) != 0;
}

uint32_t series_role_key(const struct series *series, uint32_t program, uint32_t rank) {
    if (program == series->program_count)
        return series_key(series, &series->roles.rule, &series->target, series->target_ranks, rank);
    const struct series_program *from = &series->programs[program];
    return series_key(series, &series->roles.rule, &from->extents, from->program->rank_count, rank);
}

bool series_roles_choose(struct series *series, uint32_t n, uint32_t grid) {
    for (uint32_t row = 0; row < series_key_count(); row++)
        if ((series_keys_of(row) & SERIES_KEY_OF_CLASSES) != 0 && n-- == 0) {
            series->roles.rule = (struct series_role_rule){row, grid, 0};
            return true;
        }
    return false;
}

uint32_t series_role_class(const struct series *series, uint32_t key, uint32_t dimension) {
    const uint32_t shift = SERIES_KEY_CLASS_BITS * dimension;
    const uint32_t mask = (1u << SERIES_KEY_CLASS_BITS) - 1;
    const uint32_t class = key >> shift & mask;
    if (!series_key_has_extents(series->roles.rule.row)) return class;
    return class << SERIES_KEY_CLASS_BITS | (key >> (SERIES_KEY_EXTENT_BITS + shift) & mask);
}

/* The key of a rank, and the hash of its steps. */
struct key_shape {
    uint32_t key, program;
    uint64_t flat_hash;
};

static int compare_keys(const void *left, const void *right) {
    const struct key_shape *a = left, *b = right;
    if (a->key != b->key) return (a->key > b->key) - (a->key < b->key);
    if (a->flat_hash != b->flat_hash) return (a->flat_hash > b->flat_hash) ? 1 : -1;
    return (a->program > b->program) - (a->program < b->program);
}

/* Returns whether each program shares a role with another one. If not, the rule may only
 * distinguish programs. shapes: sorted by keys. */
static bool roles_are_shared(const struct series *series, const struct key_shape *shapes,
                             size_t count) {
    uint64_t shared = 0;
    for (size_t i = 1; i < count; i++)
        if (shapes[i].key == shapes[i - 1].key && shapes[i].program != shapes[i - 1].program)
            shared |= UINT64_C(1) << shapes[i].program | UINT64_C(1) << shapes[i - 1].program;
    return shared == UINT64_MAX >> (64 - series->program_count);
}

/* Returns whether ranks with equal keys have equal steps, except for the trips of loops, and each
 * program shares a role with another one. Sets `shapes`, which has room for all ranks, to those of
 * all ranks, sorted by keys. */
static bool rule_fits(const struct series *series, const struct series_role_rule *rule,
                      struct key_shape *shapes) {
    size_t count = 0;
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct series_program *from = &series->programs[k];
        for (uint32_t r = 0; r < from->program->rank_count; r++)
            shapes[count++] = (struct key_shape){
                series_key(series, rule, &from->extents, from->program->rank_count, r), k,
                from->ranks[r].flat_hash};
    }
    qsort(shapes, count, sizeof *shapes, compare_keys);
    for (size_t i = 1; i < count; i++)
        if (shapes[i].key == shapes[i - 1].key && shapes[i].flat_hash != shapes[i - 1].flat_hash)
            return false;
    return (series_keys_of(rule->row) & SERIES_KEY_OF_NUMBER) != 0 ||
           roles_are_shared(series, shapes, count);
}

void series_roles_forget(struct series *series) {
    series_pools_forget(series);
    series_neighbour_messages_forget(series);
    for (size_t i = 0; i < series->roles.count; i++) {
        struct series_role *role = &series->roles.list[i];
        series_samples_free(role);
        series_shape_free(&role->shape);
        free(role->folded.steps);
        free(role->folded.nodes);
    }
    series->roles.count = 0;
}

static struct series_role *role_with(const struct series *series, uint32_t key) {
    for (size_t i = 0; i < series->roles.count; i++)
        if (series->roles.list[i].key == key) return &series->roles.list[i];
    return NULL;
}

/* Unites the shape of a role with a rank, whose steps may be folded in another way for that.
 * Returns false if they do not fit, or after an error. */
static bool unite_rank(struct series_role *role, struct series_rank *rank, struct status *status) {
    return series_shape_has(&role->shape, rank) || series_shape_parse(&role->shape, rank, status) ||
           (status->code == STATUS_OK && series_shape_unite(&role->shape, rank, status));
}

/* Makes the shape of a role again, beginning with rank `last` of a program instead of the first
 * rank of the role, and unites it with all ranks of the role up to this one. Sets *fits to whether
 * all of them fit. */
static status_code unite_again(struct series *series, struct series_role *role, uint32_t program,
                               uint32_t last, bool *fits, struct status *status) {
    const struct series_rank *own = &series->programs[program].ranks[last];
    series_shape_free(&role->shape);
    FORWARD_IF_ERROR(series_shape_copy(&role->shape, own, own->first, own->count, status));
    for (uint32_t k = series->program_count; k-- > program;) {
        const struct series_program *from = &series->programs[k];
        for (uint32_t r = 0; r < from->program->rank_count; r++) {
            if (k == program && r > last) break;
            if (series_key(series, &series->roles.rule, &from->extents, from->program->rank_count,
                           r) != role->key)
                continue;
            *fits = unite_rank(role, &from->ranks[r], status);
            if (!*fits) return status->code;
        }
    }
    return status->code;
}

/* Makes the roles by the rule of the series. Sets *fits to false if the steps of a role have no
 * common shape. */
static status_code make_roles(struct series *series, bool *fits, struct status *status) {
    *fits = true;
    for (uint32_t k = series->program_count; k-- > 0 && *fits;) {
        const struct series_program *from = &series->programs[k];
        for (uint32_t r = 0; r < from->program->rank_count && *fits; r++) {
            struct series_rank *rank = &from->ranks[r];
            const uint32_t key = series_key(series, &series->roles.rule, &from->extents,
                                            from->program->rank_count, r);
            struct series_role *role = role_with(series, key);
            if (role == NULL) {
                FORWARD_IF_ERROR(memory_grow((void **)&series->roles.list, &series->roles.capacity,
                                             series->roles.count + 1, sizeof *role, status));
                role = &series->roles.list[series->roles.count++];
                *role = (struct series_role){.key = key, .shape = {.symbol = SERIES_LOOP}};
                FORWARD_IF_ERROR(
                    series_shape_copy(&role->shape, rank, rank->first, rank->count, status));
            } else {
                *fits = unite_rank(role, rank, status);
                if (!*fits && status->code == STATUS_OK)
                    FORWARD_IF_ERROR(unite_again(series, role, k, r, fits, status));
            }
            role->members++;
        }
    }
    return status->code;
}

status_code series_roles_count(struct series *series, struct status *status) {
    /* The first ranks of a role are examples; then each seventh one takes the place of one of them.
     */
    enum { EXAMPLE_STRIDE = 7 };
    uint32_t missing = 0, first = 0;
    for (uint32_t r = 0; r < series->target_ranks; r++) {
        struct series_role *role =
            role_with(series, series_key(series, &series->roles.rule, &series->target,
                                         series->target_ranks, r));
        if (role == NULL) {
            if (missing++ == 0) first = r;
            continue;
        }
        uint64_t number = role->target_members++;
        if (number < SERIES_ROLE_EXAMPLES)
            role->examples[role->example_count++] = r;
        else if (number % EXAMPLE_STRIDE == 0)
            role->examples[number / EXAMPLE_STRIDE % SERIES_ROLE_EXAMPLES] = r;
    }
    if (missing == 0) return STATUS_OK;
    series->outcome.lacks_role = series_key_is_of_zeros(series->roles.rule.row);
    if (series->outcome.missing_positions.row == 0 && series_has_positions(series))
        series->outcome.missing_positions = series->roles.rule;
    char text[SERIES_TEXT];
    series_role_text(
        series,
        series_key(series, &series->roles.rule, &series->target, series->target_ranks, first), text,
        sizeof text);
    return status_set(status, STATUS_INPUT,
                      "%u of the %u ranks have a role that no program of the series has, the first "
                      "is rank %u (%s); add a larger program, or one whose grid has such ranks",
                      missing, series->target_ranks, first, text);
}

/* Returns how many grids or parameters a rule has; 0: it cannot be taken. */
static uint32_t choices(const struct series *series, uint32_t row) {
    const uint32_t fewest = series->programs[0].program->rank_count;
    if ((series_keys_of(row) & SERIES_KEY_OF_ROOT) != 0) return fewest < ROOTS ? fewest : ROOTS;
    if ((series_keys_of(row) & SERIES_KEY_OF_ARITY) != 0) return ARITIES;
    if ((series_keys_of(row) & SERIES_KEY_OF_RADIX) != 0) return RADICES;
    if ((series_keys_of(row) & SERIES_KEY_OF_WIDTH) != 0) { /* all programs have inner ranks */
        const uint32_t widest = (fewest - 1) / 2;
        return widest < 2 ? 0 : widest - 1 < WIDTHS ? widest - 1 : WIDTHS;
    }
    return has_grid(row) ? series->grids.count : 1;
}

bool series_roles_next_rule(const struct series *series, struct series_role_rule *rule) {
    uint32_t row = rule->row, next = (has_grid(row) ? rule->grid : rule->parameter) + 1;
    while (next >= choices(series, row)) {
        if (++row == series_key_count()) return false;
        /* Grid 0 is the line of all ranks. Its classes are the ends of the line, which are a rule
         * of their own. */
        next = (series_keys_of(row) & SERIES_KEY_OF_CLASSES) != 0 ? 1 : 0;
    }
    *rule = (struct series_role_rule){row, has_grid(row) ? next : 0, has_grid(row) ? 0 : next};
    return true;
}

bool series_roles_may_be_of_sizes(const struct series_role_rule *rule) {
    return (series_keys_of(rule->row) & SERIES_KEY_OF_SIZES) != 0 && rule->parameter == 0;
}

bool series_roles_are_of_number(const struct series *series) {
    return (series_keys_of(series->roles.rule.row) & SERIES_KEY_OF_ROOT) != 0 &&
           series->roles.rule.parameter > 0;
}

status_code series_roles_next(struct series *series, bool is_first, bool *found,
                              struct status *status) {
    size_t all = 0;
    *found = false;
    for (uint32_t k = 0; k < series->program_count; k++)
        all += series->programs[k].program->rank_count;
    struct key_shape *shapes = memory_new(all, sizeof *shapes);
    RETURN_ERROR_IF(shapes == NULL, status, STATUS_MEMORY, "out of memory for roles");
    status_code code = STATUS_OK;
    while (code == STATUS_OK && !*found &&
           (is_first || series_roles_next_rule(series, &series->roles.rule))) {
        is_first = false;
        if ((series_keys_of(series->roles.rule.row) & SERIES_KEY_OF_NUMBER) != 0) continue;
        if (series->grids.rules[series->roles.rule.grid].is_second) continue;
        if (series->assumptions.roles_are_of_sizes) {
            bool fits = !has_grid(series->roles.rule.row);
            if (!series_roles_may_be_of_sizes(&series->roles.rule)) continue;
            if (!fits && series->assumptions.roles_are_of_grids)
                code = series_sizes_fit(series, &series->roles.rule, &fits, status);
            if (!fits) continue;
        }
        *found = code == STATUS_OK && rule_fits(series, &series->roles.rule, shapes);
        if (!*found) continue;
        series_roles_forget(series);
        code = make_roles(series, found, status);
    }
    free(shapes);
    if (*found && has_grid(series->roles.rule.row))
        series->grids.used[series->roles.rule.grid] = true;
    return code;
}

/* Returns how many different keys sorted shapes have. */
static size_t count_keys(const struct key_shape *shapes, size_t count) {
    size_t keys = 1;
    for (size_t i = 1; i < count; i++)
        keys += shapes[i].key != shapes[i - 1].key;
    return keys;
}

/* Sets *hash to that of the steps of the ranks with a key. Returns false if no rank has the key. */
static bool find_hash(const struct key_shape *shapes, size_t count, uint32_t key, uint64_t *hash) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (shapes[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || shapes[low].key != key) return false;
    *hash = shapes[low].flat_hash;
    return true;
}

/* Returns whether another rule that fits gives a rank of the new program other steps than the rule
 * of the series, and sets *rank to the first such rank. */
static bool rules_differ(const struct series *series, const struct series_role_rule *other,
                         const struct key_shape *own_shapes, const struct key_shape *shapes,
                         size_t count, uint32_t *rank) {
    for (*rank = 0; *rank < series->target_ranks; ++*rank) {
        uint64_t own, against;
        const uint32_t key =
            series_key(series, other, &series->target, series->target_ranks, *rank);
        if (find_hash(own_shapes, count, series_role_key(series, series->program_count, *rank),
                      &own) &&
            find_hash(shapes, count, key, &against) && own != against)
            return true;
    }
    return false;
}

status_code series_roles_alternative(const struct series *series, char *text, size_t size,
                                     struct status *status) {
    size_t all = 0;
    *text = '\0';
    if (series->assumptions.roles_are_of_grids)
        return series_sizes_alternative(series, text, size, status);
    if (series->outcome.missing_positions.row > 0) {
        char grid[SERIES_TEXT / 2];
        grid_text(series, series->outcome.missing_positions.grid, &series->target, grid,
                  sizeof grid);
        snprintf(text, size, "positions in %s, of which the series lacks some", grid);
        return STATUS_OK;
    }
    for (uint32_t k = 0; k < series->program_count; k++)
        all += series->programs[k].program->rank_count;
    struct key_shape *shapes = memory_new(all, sizeof *shapes);
    struct key_shape *own = memory_new(all, sizeof *own);
    if (shapes == NULL || own == NULL) {
        free(shapes);
        free(own);
        return status_set(status, STATUS_MEMORY, "out of memory for roles");
    }
    rule_fits(series, &series->roles.rule, own);
    struct series_role_rule other = {0};
    do {
        uint32_t rank;
        if (has_grid(series->roles.rule.row) && has_grid(other.row) &&
            series_grid_is_refuted(series, series->roles.rule.grid, other.grid))
            continue;
        if (!rule_fits(series, &other, shapes) || count_keys(shapes, all) > count_keys(own, all) ||
            !rules_differ(series, &other, own, shapes, all, &rank))
            continue;
        snprintf(text, size, "%s, which differs on rank %u", series_keys_text(other.row), rank);
        break;
    } while (series_roles_next_rule(series, &other));
    free(shapes);
    free(own);
    return STATUS_OK;
}

status_code series_roles_by_number(struct series *series, struct status *status) {
    size_t all = 0;
    for (uint32_t k = 0; k < series->program_count; k++) {
        if (series->programs[k].ranks == NULL) return STATUS_OK; /* its steps are not known */
        all += series->programs[k].program->rank_count;
    }
    struct key_shape *shapes = memory_new(all, sizeof *shapes);
    RETURN_ERROR_IF(shapes == NULL, status, STATUS_MEMORY, "out of memory for roles");
    for (uint32_t row = 0; row < series_key_count() && series->roles.number_rule == 0; row++)
        if ((series_keys_of(row) & SERIES_KEY_OF_NUMBER) != 0 &&
            rule_fits(series, &(struct series_role_rule){.row = row}, shapes) &&
            shapes[0].flat_hash != shapes[all - 1].flat_hash) /* the least and the greatest key */
            series->roles.number_rule = row;
    free(shapes);
    return STATUS_OK;
}

const struct series_role *series_role_of(const struct series *series, uint32_t rank) {
    return role_with(series, series_key(series, &series->roles.rule, &series->target,
                                        series->target_ranks, rank));
}

struct series_role *series_role_in(struct series *series, uint32_t program, uint32_t rank) {
    const struct series_program *from = &series->programs[program];
    return role_with(series, series_key(series, &series->roles.rule, &from->extents,
                                        from->program->rank_count, rank));
}

const char *series_roles_rule(const struct series *series) {
    return series_keys_text(series->roles.rule.row);
}
