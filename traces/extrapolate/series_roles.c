/*
 * Roles: ranks whose steps have the same shape. A rule gives each rank a key: ranks with equal keys
 * have one role, in all programs of the series. The first rule that fits is taken; the rules with
 * few roles come first.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/series_law.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_ROOT = 64 };

struct key_context {
    uint32_t ranks, rank;
    uint32_t parameter;
    uint32_t dimensions;
    const uint32_t *extents;
};

static uint32_t key_same(const struct key_context *context) {
    (void)context;
    return 0;
}
static uint32_t key_root(const struct key_context *context) {
    return context->rank == context->parameter;
}
static uint32_t key_last(const struct key_context *context) {
    return context->rank + 1 == context->ranks;
}
static uint32_t key_ends(const struct key_context *context) {
    return (uint32_t)(context->rank == 0) + 2 * key_last(context);
}
static uint32_t key_half(const struct key_context *context) {
    const uint32_t half = context->ranks / 2;
    return context->rank < half ? 0 : context->rank < 2 * half ? 1 : 2;
}
static uint32_t key_parity(const struct key_context *context) {
    return context->rank % 2;
}

static uint32_t power_below(uint32_t ranks) {
    uint32_t power = 1;
    while (power <= ranks / 2)
        power *= 2;
    return power;
}

/* Recursive doubling: the first ranks work in pairs if the number of ranks is no power of two. */
static uint32_t key_remainder(const struct key_context *context) {
    const uint32_t rest = context->ranks - power_below(context->ranks);
    return context->rank >= 2 * rest ? 2 : context->rank % 2;
}

/* Binomial trees: the number of children. */
static uint32_t key_zeros(const struct key_context *context) {
    return context->rank == 0 ? 32 : (uint32_t)__builtin_ctz(context->rank);
}

/* A binomial tree: root, inner, leaf. */
static uint32_t key_tree(const struct key_context *context) {
    if (context->rank == 0) return 0;
    return context->rank % 2 == 0 && context->rank + 1 < context->ranks ? 1 : 2;
}
/* A tree in which all ranks send that have something: the same. */
static uint32_t key_doubling_tree(const struct key_context *context) {
    if (context->rank == 0) return 0;
    uint64_t bit = 1;
    while (bit <= context->rank)
        bit *= 2;
    return context->rank + bit < context->ranks ? 1 : 2;
}
/* A binary tree: root, two children, one, none. */
static uint32_t key_heap(const struct key_context *context) {
    const uint64_t child = 2 * (uint64_t)context->rank + 1;
    if (context->rank == 0) return 0;
    return child + 1 < context->ranks ? 1 : child < context->ranks ? 2 : 3;
}

/* Which coordinates are 0. */
static uint32_t key_firsts(const struct key_context *context) {
    uint32_t coordinates[SERIES_DIMENSIONS], key = 0;
    grid_coordinates(context->extents, context->dimensions, context->rank, coordinates);
    for (uint32_t d = context->dimensions; d-- > 0;)
        key = key * 2 + (coordinates[d] != 0);
    return key;
}

static uint32_t position(uint32_t coordinate, uint32_t extent) {
    if (extent == 1) return 3;
    return coordinate == 0 ? 0 : coordinate + 1 == extent ? 2 : 1;
}

/* In each dimension: at the low end, inside, at the high end, or alone. */
static uint32_t key_edges(const struct key_context *context) {
    uint32_t coordinates[SERIES_DIMENSIONS], key = 0;
    grid_coordinates(context->extents, context->dimensions, context->rank, coordinates);
    for (uint32_t d = context->dimensions; d-- > 0;)
        key = key * 4 + position(coordinates[d], context->extents[d]);
    return key;
}
/* Which dimensions have one, two or more ranks. */
static uint32_t key_extents(const struct key_context *context) {
    uint32_t key = 0;
    for (uint32_t d = context->dimensions; d-- > 0;)
        key = key * 4 + (context->extents[d] < 3 ? context->extents[d] : 3);
    return key;
}
static uint32_t key_edges_and_extents(const struct key_context *context) {
    return key_edges(context) << 8 | key_extents(context);
}
static uint32_t key_parities(const struct key_context *context) {
    uint32_t coordinates[SERIES_DIMENSIONS], key = 0;
    grid_coordinates(context->extents, context->dimensions, context->rank, coordinates);
    for (uint32_t d = context->dimensions; d-- > 0;)
        key = key * 2 + coordinates[d] % 2;
    return key;
}
static uint32_t key_edges_and_parities(const struct key_context *context) {
    return key_edges(context) << 4 | key_parities(context);
}
static uint32_t key_edges_and_root(const struct key_context *context) {
    return key_edges(context) << 1 | (context->rank == 0);
}

static const struct {
    uint32_t (*key)(const struct key_context *context);
    const char *text;
    bool has_root, has_grid, has_classes;
} rules[] = {
    {key_same, "all ranks are alike", false, false, false},
    {key_root, "one rank differs from the others", true, false, false},
    {key_last, "the last rank differs from the others", false, false, false},
    {key_ends, "the first and the last rank differ from the others", false, false, false},
    {key_half, "the first and the second half of the ranks differ", false, false, false},
    {key_parity, "even and odd ranks differ", false, false, false},
    {key_remainder, "the ranks beyond a power of two differ", false, false, false},
    {key_tree, "by the place in a binomial tree", false, false, false},
    {key_doubling_tree, "by the place in a doubling tree", false, false, false},
    {key_heap, "by the place in a binary tree", false, false, false},
    {key_zeros, "by the zeros at the end of the rank's binary number", false, false, false},
    {key_extents, "by the extents of the grid: 1, 2 or more", false, true, true},
    {key_edges, "by the position in the grid: at an end, inside or alone in each dimension", false,
     true, true},
    {key_parities, "by even and odd coordinates in the grid", false, true, false},
    {key_edges_and_root, "by the position in the grid, and rank 0", false, true, false},
    {key_edges_and_parities, "by the position in the grid and even and odd coordinates", false,
     true, false},
    {key_edges_and_extents, "by the position in the grid and its extents: 1, 2 or more", false,
     true, true},
    {key_firsts, "by which coordinates in the grid are 0", false, true, false}};
enum { RULES = sizeof rules / sizeof *rules };

static uint32_t key_of(const struct series *series, const struct series_role_rule *rule,
                       const struct series_grid_extents *extents, uint32_t ranks, uint32_t rank) {
    struct key_context context = {ranks, rank, rule->parameter,
                                  series->grids[rule->grid].dimensions, extents->of[rule->grid]};
    return rules[rule->row].key(&context);
}

uint32_t series_role_key(const struct series *series, uint32_t program, uint32_t rank) {
    if (program == series->program_count)
        return key_of(series, &series->role_rule, &series->target, series->target_ranks, rank);
    const struct series_program *from = &series->programs[program];
    return key_of(series, &series->role_rule, &from->extents, from->program->rank_count, rank);
}

bool series_roles_choose(struct series *series, uint32_t n, uint32_t grid) {
    for (uint32_t row = 0; row < RULES; row++)
        if (rules[row].has_classes && n-- == 0) {
            series->role_rule = (struct series_role_rule){row, grid, 0};
            return true;
        }
    return false;
}

uint32_t series_role_class(const struct series *series, uint32_t key, uint32_t dimension) {
    const uint32_t class = key >> (2 * dimension) & 3;
    if (rules[series->role_rule.row].key != key_edges_and_extents) return class;
    return class << 2 | (key >> (8 + 2 * dimension) & 3);
}

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

/* Returns whether each program shares a role with another one. Otherwise the rule only tells the
 * programs from each other. shapes: sorted by keys. */
static bool roles_are_shared(const struct series *series, const struct key_shape *shapes,
                             size_t count) {
    uint64_t shared = 0;
    for (size_t i = 1; i < count; i++)
        if (shapes[i].key == shapes[i - 1].key && shapes[i].program != shapes[i - 1].program)
            shared |= UINT64_C(1) << shapes[i].program | UINT64_C(1) << shapes[i - 1].program;
    return shared == UINT64_MAX >> (64 - series->program_count);
}

/* Returns whether ranks with equal keys have equal steps, but for the trips of loops. */
static bool rule_fits(const struct series *series, const struct series_role_rule *rule,
                      struct key_shape *shapes) {
    size_t count = 0;
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct series_program *from = &series->programs[k];
        for (uint32_t r = 0; r < from->program->rank_count; r++)
            shapes[count++] = (struct key_shape){
                key_of(series, rule, &from->extents, from->program->rank_count, r), k,
                from->ranks[r].flat_hash};
    }
    qsort(shapes, count, sizeof *shapes, compare_keys);
    for (size_t i = 1; i < count; i++)
        if (shapes[i].key == shapes[i - 1].key && shapes[i].flat_hash != shapes[i - 1].flat_hash)
            return false;
    return roles_are_shared(series, shapes, count);
}

void series_roles_forget(struct series *series) {
    for (size_t i = 0; i < series->role_count; i++) {
        struct series_role *role = &series->roles[i];
        series_samples_free(role);
        shape_free(&role->shape);
        free(role->folded.steps);
        free(role->folded.nodes);
    }
    series->role_count = 0;
}

static struct series_role *role_with(const struct series *series, uint32_t key) {
    for (size_t i = 0; i < series->role_count; i++)
        if (series->roles[i].key == key) return &series->roles[i];
    return NULL;
}

/* Makes the roles of a rule, or sets *fits to false. */
static status_code make_roles(struct series *series, bool *fits, struct status *status) {
    *fits = true;
    for (uint32_t k = series->program_count; k-- > 0 && *fits;) {
        const struct series_program *from = &series->programs[k];
        for (uint32_t r = 0; r < from->program->rank_count && *fits; r++) {
            const struct series_rank *rank = &from->ranks[r];
            const uint32_t key =
                key_of(series, &series->role_rule, &from->extents, from->program->rank_count, r);
            struct series_role *role = role_with(series, key);
            if (role == NULL) {
                FORWARD_IF_ERROR(memory_grow((void **)&series->roles, &series->role_capacity,
                                             series->role_count + 1, sizeof *role, status));
                role = &series->roles[series->role_count++];
                *role = (struct series_role){.key = key, .shape = {.symbol = SERIES_LOOP}};
                FORWARD_IF_ERROR(shape_copy(&role->shape, rank, rank->first, rank->count, status));
            } else {
                *fits = shape_unite(&role->shape, rank, status);
            }
            role->members++;
        }
    }
    return status->code;
}

status_code series_roles_count(struct series *series, struct status *status) {
    uint32_t missing = 0, first = 0;
    for (uint32_t r = 0; r < series->target_ranks; r++) {
        struct series_role *role = role_with(
            series, key_of(series, &series->role_rule, &series->target, series->target_ranks, r));
        if (role == NULL) {
            if (missing++ == 0) first = r;
            continue;
        }
        uint64_t number = role->target_members++;
        if (number < SERIES_ROLE_EXAMPLES)
            role->examples[role->example_count++] = r;
        else if (number % 7 == 0) /* some later ranks, too */
            role->examples[number / 7 % SERIES_ROLE_EXAMPLES] = r;
    }
    if (missing == 0) return STATUS_OK;
    char text[SERIES_TEXT];
    series_role_text(
        series, key_of(series, &series->role_rule, &series->target, series->target_ranks, first),
        text, sizeof text);
    return status_set(status, STATUS_INPUT,
                      "%u of the %u ranks have a role that no program of the series has, the first "
                      "is rank %u (%s); add a larger program, or one whose grid has such ranks",
                      missing, series->target_ranks, first, text);
}

/* Returns how many grids or parameters a rule has. */
static uint32_t choices(const struct series *series, uint32_t row) {
    const uint32_t fewest = series->programs[0].program->rank_count;
    if (rules[row].has_root) return fewest < LARGEST_ROOT ? fewest : LARGEST_ROOT;
    return rules[row].has_grid ? series->grid_count : 1;
}

/* Goes to the next rule. Returns false after the last one. */
static bool next_rule(const struct series *series, struct series_role_rule *rule) {
    uint32_t row = rule->row, next = (rules[row].has_grid ? rule->grid : rule->parameter) + 1;
    while (next >= choices(series, row)) {
        if (++row == RULES) return false;
        next = rules[row].has_classes ? 1 : 0; /* a line has its ends for classes */
    }
    *rule = (struct series_role_rule){row, rules[row].has_grid ? next : 0,
                                      rules[row].has_root ? next : 0};
    return true;
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
    while (code == STATUS_OK && !*found && (is_first || next_rule(series, &series->role_rule))) {
        is_first = false;
        *found = rule_fits(series, &series->role_rule, shapes);
        if (!*found) continue;
        series_roles_forget(series);
        code = make_roles(series, found, status);
    }
    free(shapes);
    if (*found && rules[series->role_rule.row].has_grid)
        series->grid_used[series->role_rule.grid] = true;
    return code;
}

/* Returns how many keys sorted shapes have. */
static size_t count_keys(const struct key_shape *shapes, size_t count) {
    size_t keys = 1;
    for (size_t i = 1; i < count; i++)
        keys += shapes[i].key != shapes[i - 1].key;
    return keys;
}

/* Finds the hash of the steps of a key in sorted shapes. Returns false if no rank has the key. */
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

/* Returns whether two rules that fit give a rank of the new program other steps. */
static bool rules_differ(const struct series *series, const struct series_role_rule *other,
                         const struct key_shape *own_shapes, const struct key_shape *shapes,
                         size_t count, uint32_t *rank) {
    for (*rank = 0; *rank < series->target_ranks; ++*rank) {
        uint64_t own, against;
        const uint32_t key = key_of(series, other, &series->target, series->target_ranks, *rank);
        if (find_hash(own_shapes, count, series_role_key(series, series->program_count, *rank),
                      &own) &&
            find_hash(shapes, count, key, &against) && own != against)
            return true;
    }
    return false;
}

status_code series_roles_rival(const struct series *series, char *text, size_t size,
                               struct status *status) {
    size_t all = 0;
    *text = '\0';
    for (uint32_t k = 0; k < series->program_count; k++)
        all += series->programs[k].program->rank_count;
    struct key_shape *shapes = memory_new(all, sizeof *shapes);
    struct key_shape *own = memory_new(all, sizeof *own);
    if (shapes == NULL || own == NULL) {
        free(shapes);
        free(own);
        return status_set(status, STATUS_MEMORY, "out of memory for roles");
    }
    rule_fits(series, &series->role_rule, own);
    struct series_role_rule other = {0};
    do {
        uint32_t rank;
        if (!rule_fits(series, &other, shapes) || count_keys(shapes, all) > count_keys(own, all) ||
            !rules_differ(series, &other, own, shapes, all, &rank))
            continue;
        snprintf(text, size, "%s, which differs on rank %u", rules[other.row].text, rank);
        break;
    } while (next_rule(series, &other));
    free(shapes);
    free(own);
    return STATUS_OK;
}

const struct series_role *series_role_of(const struct series *series, uint32_t rank) {
    return role_with(
        series, key_of(series, &series->role_rule, &series->target, series->target_ranks, rank));
}

struct series_role *series_role_in(struct series *series, uint32_t program, uint32_t rank) {
    const struct series_program *from = &series->programs[program];
    return role_with(series, key_of(series, &series->role_rule, &from->extents,
                                    from->program->rank_count, rank));
}

/* Names what a key says of each dimension, such as "low, inside, high". */
static void list_text(uint32_t key, uint32_t base, const char *const *names, uint32_t dimensions,
                      char *text, size_t size) {
    size_t length = 0;
    for (uint32_t d = 0; d < dimensions && length < size; d++, key /= base)
        length += (size_t)snprintf(text + length, size - length, "%s%s", d > 0 ? ", " : "",
                                   names[key % base]);
}

static void edges_text(uint32_t key, uint32_t dimensions, char *text, size_t size) {
    static const char *const names[] = {"low", "inside", "high", "alone"};
    list_text(key, 4, names, dimensions, text, size);
}

static void extents_text(uint32_t key, uint32_t dimensions, char *text, size_t size) {
    static const char *const names[] = {"0", "1", "2", "3 or more"};
    list_text(key, 4, names, dimensions, text, size);
}

static void parities_text(uint32_t key, uint32_t dimensions, char *text, size_t size) {
    static const char *const names[] = {"even", "odd"};
    list_text(key, 2, names, dimensions, text, size);
}

void series_role_text(const struct series *series, uint32_t key, char *text, size_t size) {
    const uint32_t row = series->role_rule.row;
    const uint32_t dimensions = series->grids[series->role_rule.grid].dimensions;
    static const char *const ends[] = {"all between the first and the last rank", "the first rank",
                                       "the last rank", "the only rank"};
    static const char *const remainders[] = {"even rank of a pair beyond the power of two",
                                             "odd rank of a pair beyond the power of two",
                                             "rank without such a pair"};
    static const char *const trees[] = {"root", "inner rank of the tree", "leaf"};
    static const char *const heaps[] = {"root", "rank with two children", "rank with one child",
                                        "leaf"};
    static const char *const firsts[] = {"0", "not 0"};
    char edges[SERIES_TEXT / 2], others[SERIES_TEXT / 2];
    if (rules[row].key == key_same)
        snprintf(text, size, "all ranks");
    else if (rules[row].key == key_root)
        snprintf(text, size, key == 1 ? "rank %u" : "all but rank %u", series->role_rule.parameter);
    else if (rules[row].key == key_half)
        snprintf(text, size, key == 0 ? "first half" : key == 1 ? "second half" : "left over");
    else if (rules[row].key == key_edges) {
        edges_text(key, dimensions, text, size);
    } else if (rules[row].key == key_edges_and_root) {
        edges_text(key >> 1, dimensions, edges, sizeof edges);
        snprintf(text, size, "%s%s", edges, (key & 1) != 0 ? ", rank 0" : "");
    } else if (rules[row].key == key_edges_and_parities) {
        edges_text(key >> 4, dimensions, edges, sizeof edges);
        parities_text(key & 0xF, dimensions, others, sizeof others);
        snprintf(text, size, "%s; coordinates %s", edges, others);
    } else if (rules[row].key == key_edges_and_extents) {
        edges_text(key >> 8, dimensions, edges, sizeof edges);
        extents_text(key & 0xFF, dimensions, others, sizeof others);
        snprintf(text, size, "%s; extents %s", edges, others);
    } else if (rules[row].key == key_extents) {
        extents_text(key, dimensions, others, sizeof others);
        snprintf(text, size, "extents %s", others);
    } else if (rules[row].key == key_parities) {
        parities_text(key, dimensions, others, sizeof others);
        snprintf(text, size, "coordinates %s", others);
    } else if (rules[row].key == key_parity)
        snprintf(text, size, "%s ranks", key == 0 ? "even" : "odd");
    else if (rules[row].key == key_last)
        snprintf(text, size, "%s", key == 0 ? "all but the last rank" : "the last rank");
    else if (rules[row].key == key_ends)
        snprintf(text, size, "%s", ends[key % 4]);
    else if (rules[row].key == key_tree || rules[row].key == key_doubling_tree)
        snprintf(text, size, "%s", trees[key % 3]);
    else if (rules[row].key == key_heap)
        snprintf(text, size, "%s", heaps[key % 4]);
    else if (rules[row].key == key_firsts) {
        list_text(key, 2, firsts, dimensions, others, sizeof others);
        snprintf(text, size, "coordinates %s", others);
    } else if (rules[row].key == key_remainder)
        snprintf(text, size, "%s", remainders[key % 3]);
    else if (key == 32)
        snprintf(text, size, "rank 0");
    else
        snprintf(text, size, "%u zero%s at the end", key, key == 1 ? "" : "s");
}

const char *series_roles_rule(const struct series *series) {
    return rules[series->role_rule.row].text;
}
