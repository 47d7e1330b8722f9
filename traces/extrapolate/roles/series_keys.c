/*
 * Keys of roles: the table of rules that give each rank a key, and the names of roles by their
 * keys.
 */
#include "traces/extrapolate/roles/series_keys.h"
#include "traces/extrapolate/grids/series_communicators.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/laws/law_roots.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/roles/series_roles.h"

#include <stdio.h>
#include <string.h>

/* What parameter 0 of a rule stands for. */
enum { FEWEST_CHILDREN = 2, FEWEST_RADIX = 3, SMALLEST_WIDTH = 2 };

/* Rank 0 counts as a number with so many zeros at its end. */
enum { ALL_ZEROS = 32 };

/* Classes of a position in a dimension. */
enum { AT_LOW_END, INSIDE, AT_HIGH_END, ALONE };

/* ---- keys ---- */

/* What the key of a rank follows from. */
struct key_context {
    const struct series *series;
    const struct series_grid_extents *all_extents;
    uint32_t ranks, rank;
    uint32_t parameter;
    uint32_t dimensions; /* of the grid of the rule */
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
/* Bit n: the rank is in the n-th of the families that not all ranks are in. */
static uint32_t key_members(const struct key_context *context) {
    enum { MOST_FAMILIES = 30 };
    const struct series *series = context->series;
    uint32_t key = 0, bit = 0;
    for (uint32_t f = 0; f < series->families.count && bit < MOST_FAMILIES; f++) {
        const struct series_family *family = &series->families.list[f];
        if (!series_is_for_some(family)) continue;
        if (series_is_member(series, family, context->all_extents, context->ranks, context->rank))
            key |= 1u << bit;
        bit++;
    }
    return key;
}
static uint32_t key_members_and_root(const struct key_context *context) {
    return key_members(context) << 1 | (context->rank == 0);
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

/* Recursive doubling: the first ranks work in pairs, as many pairs as there are ranks beyond a
 * power of two. 0 or 1: the even or odd rank of a pair; 2: another rank. */
static uint32_t key_remainder(const struct key_context *context) {
    const uint32_t rest = context->ranks - power_below(context->ranks);
    return context->rank >= 2 * rest ? 2 : context->rank % 2;
}

/* The number of zeros at the end of the rank's binary number: how many children it has in a
 * binomial tree of enough ranks. */
static uint32_t key_zeros(const struct key_context *context) {
    return context->rank == 0 ? ALL_ZEROS : (uint32_t)__builtin_ctz(context->rank);
}

/* The place in a binomial tree: root, inner rank or leaf. */
static uint32_t key_tree(const struct key_context *context) {
    if (context->rank == 0) return 0;
    return context->rank % 2 == 0 && context->rank + 1 < context->ranks ? 1 : 2;
}
/* The same in a doubling tree, in which all ranks send that have received something. */
static uint32_t key_doubling_tree(const struct key_context *context) {
    if (context->rank == 0) return 0;
    uint64_t bit = 1;
    while (bit <= context->rank)
        bit *= 2;
    return context->rank + bit < context->ranks ? 1 : 2;
}
/* The place in a tree in which rank r has the children k r + 1 to k r + k. 0: the root; 1: a rank
 * with k children; 2: one with k - 1 children; and so on up to k + 1: a leaf. */
static uint32_t key_heap(const struct key_context *context) {
    const uint64_t most = context->parameter + FEWEST_CHILDREN;
    const uint64_t child = most * context->rank + 1;
    if (context->rank == 0) return 0;
    const uint64_t children = child >= context->ranks ? 0 : context->ranks - child;
    return 1 + (uint32_t)(children < most ? most - children : 0);
}

/* The place in a k-nomial tree: root, inner rank or leaf. */
static uint32_t key_knomial(const struct key_context *context) {
    const uint32_t radix = context->parameter + FEWEST_RADIX;
    if (context->rank == 0) return 0;
    return context->rank % radix == 0 && context->rank + 1 < context->ranks ? 1 : 2;
}

/* The ranks beyond a power of two (2), their partners, which are as many first ranks (1), and the
 * others (0). */
static uint32_t key_beyond(const struct key_context *context) {
    const uint32_t power = power_below(context->ranks);
    return context->rank >= power ? 2 : context->rank < context->ranks - power ? 1 : 0;
}

/* A scan in rounds of doubling: a rank sends up as long as there is a rank above, and receives as
 * long as there is one below. Says which of the two it does in more rounds, and whether it does
 * both. */
static uint32_t key_scan(const struct key_context *context) {
    const int below = law_number_bits(context->rank);
    const int above = law_number_bits(context->ranks - 1 - context->rank);
    return (below > above ? 2u : below < above ? 1u : 0) + (below > 0 && above > 0 ? 3u : 0);
}

/* A band: how many of the next `width` ranks below there are, and how many of those above. */
static uint32_t key_band(const struct key_context *context) {
    const uint32_t width = context->parameter + SMALLEST_WIDTH;
    const uint32_t below = context->rank, above = context->ranks - 1 - context->rank;
    return (below < width ? below : width) * (width + 1) + (above < width ? above : width);
}

/* Which coordinates are 0. */
static uint32_t key_firsts(const struct key_context *context) {
    uint32_t coordinates[SERIES_DIMENSIONS], key = 0;
    grid_coordinates(context->extents, context->dimensions, context->rank, coordinates);
    for (uint32_t d = context->dimensions; d-- > 0;)
        key = key * 2 + (coordinates[d] != 0);
    return key;
}

/* Whether a rank is on the diagonal of a plane. */
static uint32_t key_diagonal(const struct key_context *context) {
    uint32_t coordinates[SERIES_DIMENSIONS];
    if (context->dimensions != 2) return 0;
    grid_coordinates(context->extents, context->dimensions, context->rank, coordinates);
    return coordinates[0] == coordinates[1];
}

static uint32_t position(uint32_t coordinate, uint32_t extent) {
    if (extent == 1) return ALONE;
    return coordinate == 0 ? AT_LOW_END : coordinate + 1 == extent ? AT_HIGH_END : INSIDE;
}

/* In each dimension: at the low end, inside, at the high end, or alone. */
static uint32_t key_edges(const struct key_context *context) {
    uint32_t coordinates[SERIES_DIMENSIONS], key = 0;
    grid_coordinates(context->extents, context->dimensions, context->rank, coordinates);
    for (uint32_t d = context->dimensions; d-- > 0;)
        key = key << SERIES_KEY_CLASS_BITS | position(coordinates[d], context->extents[d]);
    return key;
}
/* Which dimensions have one, two or more ranks. */
static uint32_t key_extents(const struct key_context *context) {
    uint32_t key = 0;
    for (uint32_t d = context->dimensions; d-- > 0;)
        key = key << SERIES_KEY_CLASS_BITS | (context->extents[d] < 3 ? context->extents[d] : 3);
    return key;
}
static uint32_t key_edges_and_extents(const struct key_context *context) {
    return key_edges(context) << SERIES_KEY_EXTENT_BITS | key_extents(context);
}
static uint32_t key_parities(const struct key_context *context) {
    uint32_t coordinates[SERIES_DIMENSIONS], key = 0;
    grid_coordinates(context->extents, context->dimensions, context->rank, coordinates);
    for (uint32_t d = context->dimensions; d-- > 0;)
        key = key * 2 + coordinates[d] % 2;
    return key;
}
static uint32_t key_edges_and_parities(const struct key_context *context) {
    return key_edges(context) << SERIES_DIMENSIONS | key_parities(context);
}
static uint32_t key_edges_and_root(const struct key_context *context) {
    return key_edges(context) << 1 | (context->rank == 0);
}

/* Of which kind the number of ranks is: some codes make other calls for some numbers of ranks. */
static uint32_t key_of_even(const struct key_context *context) {
    return context->ranks % 2;
}
static uint32_t key_of_fours(const struct key_context *context) {
    return context->ranks % 4 == 0;
}
static uint32_t key_of_power(const struct key_context *context) {
    return law_number_is_power(context->ranks);
}
static uint32_t key_of_square(const struct key_context *context) {
    return law_number_exact_root(context->ranks, 2) > 0;
}

/* ---- names of roles ---- */

/* A role, and what its name depends on. */
struct named_role {
    const struct series *series;
    uint32_t key;
    uint32_t parameter;
    uint32_t dimensions;
};

/* Writes what a key says about each dimension, such as "low, inside, high": digit d of the key, in
 * base `base`, is an index in names. */
static void list_text(uint32_t key, uint32_t base, const char *const *names, uint32_t dimensions,
                      char *text, size_t size) {
    size_t length = 0;
    for (uint32_t d = 0; d < dimensions && length < size; d++, key /= base)
        length += (size_t)snprintf(text + length, size - length, "%s%s", d > 0 ? ", " : "",
                                   names[key % base]);
}

static void list_edges(uint32_t key, uint32_t dimensions, char *text, size_t size) {
    static const char *const names[] = {
        [AT_LOW_END] = "low", [INSIDE] = "inside", [AT_HIGH_END] = "high", [ALONE] = "alone"};
    list_text(key, 1 << SERIES_KEY_CLASS_BITS, names, dimensions, text, size);
}

static void list_extents(uint32_t key, uint32_t dimensions, char *text, size_t size) {
    static const char *const names[] = {"0", "1", "2", "3 or more"};
    list_text(key, 1 << SERIES_KEY_CLASS_BITS, names, dimensions, text, size);
}

static void list_parities(uint32_t key, uint32_t dimensions, char *text, size_t size) {
    static const char *const names[] = {"even", "odd"};
    list_text(key, 2, names, dimensions, text, size);
}

/* Writes the communicators that the ranks of a key by key_members are in. */
static void list_members(const struct series *series, uint32_t key, char *text, size_t size) {
    size_t length = 0;
    uint32_t bit = 0;
    snprintf(text, size, "in no communicator of some ranks");
    for (uint32_t f = 0; f < series->families.count && length < size; f++) {
        const struct series_family *family = &series->families.list[f];
        if (!series_is_for_some(family)) continue;
        if ((key >> bit++ & 1) == 0) continue;
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s%s", length > 0 ? ", " : "in ",
                             *family->name != '\0' ? "" : "communicator ",
                             *family->name != '\0' ? family->name : "");
        if (*family->name == '\0' && length < size)
            length += (size_t)snprintf(text + length, size - length, "%u", f);
    }
}

static void heap_text(const struct named_role *role, char *text, size_t size) {
    const uint32_t key = role->key, most = role->parameter + FEWEST_CHILDREN;
    const uint32_t children = key > most ? 0 : most + 1 - key;
    if (key == 0 || children == 0)
        snprintf(text, size, key == 0 ? "root" : "leaf");
    else
        snprintf(text, size, "rank with %u child%s", children, children == 1 ? "" : "ren");
}

static void same_text(const struct named_role *role, char *text, size_t size) {
    (void)role;
    snprintf(text, size, "all ranks");
}
static void root_text(const struct named_role *role, char *text, size_t size) {
    snprintf(text, size, role->key == 1 ? "rank %u" : "all but rank %u", role->parameter);
}
static void last_text(const struct named_role *role, char *text, size_t size) {
    snprintf(text, size, "%s", role->key == 0 ? "all but the last rank" : "the last rank");
}
static void ends_text(const struct named_role *role, char *text, size_t size) {
    static const char *const names[] = {"all between the first and the last rank", "the first rank",
                                        "the last rank", "the only rank"};
    snprintf(text, size, "%s", names[role->key % 4]);
}
static void members_text(const struct named_role *role, char *text, size_t size) {
    list_members(role->series, role->key, text, size);
}
static void members_and_root_text(const struct named_role *role, char *text, size_t size) {
    char members[SERIES_TEXT / 2];
    list_members(role->series, role->key >> 1, members, sizeof members);
    snprintf(text, size, "%s%s", (role->key & 1) != 0 ? "rank 0, " : "", members);
}
static void half_text(const struct named_role *role, char *text, size_t size) {
    const uint32_t key = role->key;
    snprintf(text, size, key == 0 ? "first half" : key == 1 ? "second half" : "left over");
}
static void parity_text(const struct named_role *role, char *text, size_t size) {
    snprintf(text, size, "%s ranks", role->key == 0 ? "even" : "odd");
}
static void remainder_text(const struct named_role *role, char *text, size_t size) {
    static const char *const names[] = {"even rank of a pair beyond the power of two",
                                        "odd rank of a pair beyond the power of two",
                                        "rank without such a pair"};
    snprintf(text, size, "%s", names[role->key % 3]);
}
static void tree_text(const struct named_role *role, char *text, size_t size) {
    static const char *const names[] = {"root", "inner rank of the tree", "leaf"};
    snprintf(text, size, "%s", names[role->key % 3]);
}
static void beyond_text(const struct named_role *role, char *text, size_t size) {
    static const char *const names[] = {"without a rank beyond the power of two",
                                        "with a rank beyond the power of two",
                                        "beyond the power of two"};
    snprintf(text, size, "%s", names[role->key % 3]);
}
static void scan_text(const struct named_role *role, char *text, size_t size) {
    static const char *const names[] = {"alone",
                                        "no rank below",
                                        "no rank above",
                                        "as many rounds below as above",
                                        "more rounds above",
                                        "more rounds below"};
    snprintf(text, size, "%s", names[role->key % 6]);
}
static void zeros_text(const struct named_role *role, char *text, size_t size) {
    if (role->key == ALL_ZEROS)
        snprintf(text, size, "rank 0");
    else
        snprintf(text, size, "%u zero%s at the end", role->key, role->key == 1 ? "" : "s");
}
static void band_text(const struct named_role *role, char *text, size_t size) {
    const uint32_t width = role->parameter + SMALLEST_WIDTH;
    const uint32_t below = role->key / (width + 1), above = role->key % (width + 1);
    snprintf(text, size, "%u%s below, %u%s above", below, below == width ? " or more" : "", above,
             above == width ? " or more" : "");
}
static void extents_text(const struct named_role *role, char *text, size_t size) {
    char extents[SERIES_TEXT / 2];
    list_extents(role->key, role->dimensions, extents, sizeof extents);
    snprintf(text, size, "extents %s", extents);
}
static void edges_text(const struct named_role *role, char *text, size_t size) {
    list_edges(role->key, role->dimensions, text, size);
}
static void parities_text(const struct named_role *role, char *text, size_t size) {
    char parities[SERIES_TEXT / 2];
    list_parities(role->key, role->dimensions, parities, sizeof parities);
    snprintf(text, size, "coordinates %s", parities);
}
static void edges_and_root_text(const struct named_role *role, char *text, size_t size) {
    char edges[SERIES_TEXT / 2];
    list_edges(role->key >> 1, role->dimensions, edges, sizeof edges);
    snprintf(text, size, "%s%s", edges, (role->key & 1) != 0 ? ", rank 0" : "");
}
static void edges_and_parities_text(const struct named_role *role, char *text, size_t size) {
    char edges[SERIES_TEXT / 2], parities[SERIES_TEXT / 2];
    list_edges(role->key >> SERIES_DIMENSIONS, role->dimensions, edges, sizeof edges);
    list_parities(role->key & ((1 << SERIES_DIMENSIONS) - 1), role->dimensions, parities,
                  sizeof parities);
    snprintf(text, size, "%s; coordinates %s", edges, parities);
}
static void edges_and_extents_text(const struct named_role *role, char *text, size_t size) {
    char edges[SERIES_TEXT / 2], extents[SERIES_TEXT / 2];
    list_edges(role->key >> SERIES_KEY_EXTENT_BITS, role->dimensions, edges, sizeof edges);
    list_extents(role->key & ((1 << SERIES_KEY_EXTENT_BITS) - 1), role->dimensions, extents,
                 sizeof extents);
    snprintf(text, size, "%s; extents %s", edges, extents);
}
static void firsts_text(const struct named_role *role, char *text, size_t size) {
    static const char *const names[] = {"0", "not 0"};
    char firsts[SERIES_TEXT / 2];
    list_text(role->key, 2, names, role->dimensions, firsts, sizeof firsts);
    snprintf(text, size, "coordinates %s", firsts);
}
static void diagonal_text(const struct named_role *role, char *text, size_t size) {
    snprintf(text, size, role->key == 0 ? "beside the diagonal" : "on the diagonal");
}

/* ---- the rules ---- */

static const struct {
    uint32_t (*key)(const struct key_context *context);
    void (*role_text)(const struct named_role *role, char *text, size_t size);
    const char *text; /* of the rule */
    uint8_t of;       /* what the rule depends on: SERIES_KEY_OF_... */
} rules[] = {
    {key_same, same_text, "all ranks are alike", 0},
    {key_root, root_text, "one rank differs from the others",
     SERIES_KEY_OF_ROOT | SERIES_KEY_OF_SIZES},
    {key_last, last_text, "the last rank differs from the others", SERIES_KEY_OF_SIZES},
    {key_ends, ends_text, "the first and the last rank differ from the others",
     SERIES_KEY_OF_SIZES},
    {key_members, members_text, "by the communicators that a rank is in", 0},
    {key_members_and_root, members_and_root_text,
     "by the communicators that a rank is in, and rank 0", 0},
    {key_half, half_text, "the first and the second half of the ranks differ", 0},
    {key_parity, parity_text, "even and odd ranks differ", SERIES_KEY_OF_SIZES},
    {key_remainder, remainder_text, "the ranks beyond a power of two differ", 0},
    {key_tree, tree_text, "by the place in a binomial tree", 0},
    {key_doubling_tree, tree_text, "by the place in a doubling tree", 0},
    {key_heap, heap_text, "by the place in a tree of two to four children", SERIES_KEY_OF_ARITY},
    {key_knomial, tree_text, "by the place in a k-nomial tree", SERIES_KEY_OF_RADIX},
    {key_beyond, beyond_text, "the ranks beyond a power of two and their partners differ", 0},
    {key_scan, scan_text, "by the ranks below and above, in rounds of doubling", 0},
    {key_zeros, zeros_text, "by the zeros at the end of the rank's binary number", 0},
    {key_extents, extents_text, "by the extents of the grid: 1, 2 or more",
     SERIES_KEY_OF_GRID | SERIES_KEY_OF_CLASSES},
    {key_edges, edges_text,
     "by the position in the grid: at an end, inside or alone in each dimension",
     SERIES_KEY_OF_GRID | SERIES_KEY_OF_CLASSES | SERIES_KEY_OF_SIZES},
    {key_parities, parities_text, "by even and odd coordinates in the grid", SERIES_KEY_OF_GRID},
    {key_edges_and_root, edges_and_root_text, "by the position in the grid, and rank 0",
     SERIES_KEY_OF_GRID},
    {key_edges_and_parities, edges_and_parities_text,
     "by the position in the grid and even and odd coordinates", SERIES_KEY_OF_GRID},
    {key_edges_and_extents, edges_and_extents_text,
     "by the position in the grid and its extents: 1, 2 or more",
     SERIES_KEY_OF_GRID | SERIES_KEY_OF_CLASSES},
    {key_firsts, firsts_text, "by which coordinates in the grid are 0",
     SERIES_KEY_OF_GRID | SERIES_KEY_OF_SIZES},
    {key_diagonal, diagonal_text, "by the diagonal of a plane", SERIES_KEY_OF_GRID},
    {key_band, band_text, "by the ranks below and above in a band", SERIES_KEY_OF_WIDTH},
    /* These are only alternatives of the rules above. */
    {key_of_even, same_text, "even and odd numbers of ranks differ", SERIES_KEY_OF_NUMBER},
    {key_of_fours, same_text, "numbers of ranks differ that are multiples of 4",
     SERIES_KEY_OF_NUMBER},
    {key_of_power, same_text, "numbers of ranks differ that are powers of two",
     SERIES_KEY_OF_NUMBER},
    {key_of_square, same_text, "numbers of ranks differ that are squares", SERIES_KEY_OF_NUMBER},
};

uint32_t series_key_count(void) {
    return sizeof rules / sizeof *rules;
}

uint8_t series_keys_of(uint32_t row) {
    return rules[row].of;
}

const char *series_keys_text(uint32_t row) {
    return rules[row].text;
}

bool series_has_positions(const struct series *series) {
    uint32_t (*const key)(const struct key_context *context) = rules[series->roles.rule.row].key;
    return (key == key_edges || key == key_edges_and_root || key == key_edges_and_parities) &&
           series->grids.rules[series->roles.rule.grid].dimensions > 1;
}

uint32_t series_key_with_root(uint32_t row) {
    uint32_t (*const key)(const struct key_context *context) = rules[row].key;
    uint32_t (*const with_root)(const struct key_context *context) =
        key == key_members ? key_members_and_root
        : key == key_edges ? key_edges_and_root
                           : key;
    uint32_t r = 0;
    while (rules[r].key != with_root)
        r++;
    return r;
}

bool series_key_has_extents(uint32_t row) {
    return rules[row].key == key_edges_and_extents;
}

bool series_key_is_beyond(uint32_t row) {
    return rules[row].key == key_beyond;
}

bool series_key_is_of_zeros(uint32_t row) {
    return rules[row].key == key_zeros;
}

uint32_t series_key(const struct series *series, const struct series_role_rule *rule,
                    const struct series_grid_extents *extents, uint32_t ranks, uint32_t rank) {
    struct key_context context = {series,
                                  extents,
                                  ranks,
                                  rank,
                                  rule->parameter,
                                  series->grids.rules[rule->grid].dimensions,
                                  extents->of[rule->grid]};
    return rules[rule->row].key(&context);
}

void series_role_text(const struct series *series, uint32_t key, char *text, size_t size) {
    const struct series_role_rule *rule = &series->roles.rule;
    const struct named_role role = {series, key, rule->parameter,
                                    series->grids.rules[rule->grid].dimensions};
    rules[rule->row].role_text(&role, text, size);
}
