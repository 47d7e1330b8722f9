/*
 * Decides the reading of recorded sizes. A tracer records N·n bytes for blocks of n bytes, or
 * (N-1)·n bytes for a call in place, and does not say which. Where both readings give whole blocks,
 * this file takes the likelier one. Must not know archives.
 *
 * The rule counts different sizes, not calls, since a loop is no evidence. For each kind of
 * collective:
 * - a size that is a multiple of N-1 but not of N was in place; a size that is a multiple of N but
 *   not of N-1 was not;
 * - of the sizes that were not in place, one in m is a multiple of N-1 by chance, with m = (N-1) /
 *   gcd(N-1, 4), since elements have 4 or 8 bytes. So c sizes that are no multiple of N-1 let
 *   expect c / (m-1) sizes that are multiples of both. Sizes beyond this number count as in place,
 *   the others as not. With m = 1 chance gives no information, and multiples of both do not count.
 *
 * The two counts, plus 1 for in place and plus 2 for not in place, give the odds of the readings.
 * For one size, each side is multiplied by the worth of the block under that reading: 24 for a
 * multiple of 8 bytes, 16 for a multiple of 4, 1 for any other; times 8 for a power of two from 256
 * bytes on; times 4 for a block of at least 64 bytes that another collective of the trace certainly
 * has. The size stays open if the other reading has more than one chance in 17.
 */
#include "traces/program/seal/in_place_odds.h"
#include "core/memory/memory.h"
#include "traces/program/builder/program_builder.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>

enum {
    SMALLEST_POWER = 256,
    SMALLEST_KNOWN = 64,
    WORTH_POWER = 8,
    WORTH_KNOWN = 4,
    CERTAINTY = 16
};

/* Number of different sizes of one kind and number of members: certainly not in place, certainly in
 * place, or either. */
struct size_group {
    uint32_t kind;
    uint32_t members;
    uint64_t other, in_place, either;
};

/* Estimates which collectives were called with MPI_IN_PLACE. */
struct in_place_estimator {
    struct in_place_odds *odds;
    const struct program *program;
    struct key_table index; /* index of classes */
    struct size_group *groups;
    size_t group_count, group_capacity;
    struct key_table group_index;
    uint64_t other[PROGRAM_COLLECTIVE_KINDS]; /* for each kind: estimated sizes not in place and in
                                                 place */
    uint64_t in_place[PROGRAM_COLLECTIVE_KINDS];
    struct key_table known; /* blocks that are certain */
};

bool in_place_is_open(const struct program *program,
                      const struct program_collective_arguments *arguments) {
    const struct program_communicator *c = &program->communicators[arguments->communicator];
    if (c->members == PROGRAM_NONE || c->size < 2 || c->remote_size > 0) return false;
    switch ((program_collective_kind)arguments->kind) {
    case PROGRAM_COLLECTIVE_ALLREDUCE:
    case PROGRAM_COLLECTIVE_ALLGATHER:
    case PROGRAM_COLLECTIVE_ALLGATHERV:
    case PROGRAM_COLLECTIVE_ALLTOALL:
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return true;
    default:
        return false;
    }
}

uint64_t in_place_block(const struct program_collective_arguments *arguments) {
    return arguments->kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER ? arguments->receive_bytes
                                                                : arguments->send_bytes;
}

/* ---- classes ---- */

static status_code find_class(struct in_place_estimator *estimator, uint32_t kind, uint32_t members,
                              uint64_t recorded, uint32_t *number, struct status *status) {
    struct in_place_odds *odds = estimator->odds;
    const uint64_t words[] = {kind, members, recorded};
    uint64_t hash = content_hash_words64(0, words, sizeof words / sizeof words[0]);
    for (;; hash++) {
        *number = key_table_find(&estimator->index, hash);
        if (*number == KEY_TABLE_NONE) break;
        const struct in_place_class *found = &odds->classes[*number];
        if (found->kind == kind && found->members == members && found->recorded == recorded)
            return STATUS_OK;
    }
    FORWARD_IF_ERROR(memory_grow((void **)&odds->classes, &odds->capacity, odds->count + 1,
                                 sizeof *odds->classes, status));
    *number = (uint32_t)odds->count++;
    odds->classes[*number] =
        (struct in_place_class){.kind = kind, .members = members, .recorded = recorded};
    return key_table_insert(&estimator->index, hash, *number, status);
}

static status_code classify(struct in_place_estimator *estimator,
                            const struct program_operation *operation, struct status *status) {
    const struct program *program = estimator->program;
    if (operation->flags & BUILDER_SIZES_ARE_KNOWN) return STATUS_OK;
    uint32_t index = operation->collective.arguments;
    bool in_place = (operation->flags & OPERATION_FLAG_COLLECTIVE_IN_PLACE) != 0;
    uint32_t *number = &estimator->odds->class_of[2 * (size_t)index + in_place];
    if (*number != PROGRAM_NONE) return STATUS_OK;
    const struct program_collective_arguments *arguments = &program->collective_arguments[index];
    uint64_t block = in_place_block(arguments);
    if (block == 0 || !in_place_is_open(program, arguments)) return STATUS_OK;
    uint32_t members = program->communicators[arguments->communicator].size;
    if (block > UINT64_MAX / members) return STATUS_OK;
    return find_class(estimator, arguments->kind, members, block * (members - in_place), number,
                      status);
}

static status_code classify_all(struct in_place_estimator *estimator,
                                const struct program_posted *posted, struct status *status) {
    const struct program *program = estimator->program;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const struct program_places *places = &posted->ranks[rank].collectives;
        for (size_t i = 0; i < places->count; i++) {
            const struct program_operation call = program_posted_at(program, rank, places, i);
            FORWARD_IF_ERROR(classify(estimator, &call, status));
        }
    }
    return STATUS_OK;
}

/* ---- the evidence of all sizes of a kind ---- */

static bool is_whole(const struct in_place_class *class, bool in_place) {
    return class->recorded % (class->members - in_place) == 0;
}

static uint64_t block_of(const struct in_place_class *class, bool in_place) {
    return class->recorded / (class->members - in_place);
}

static status_code find_group(struct in_place_estimator *estimator,
                              const struct in_place_class *class, struct size_group **group,
                              struct status *status) {
    uint64_t key = (uint64_t) class->kind << 32 | class->members;
    uint32_t number = key_table_find(&estimator->group_index, key);
    if (number == KEY_TABLE_NONE) {
        FORWARD_IF_ERROR(memory_grow((void **)&estimator->groups, &estimator->group_capacity,
                                     estimator->group_count + 1, sizeof *estimator->groups,
                                     status));
        number = (uint32_t)estimator->group_count++;
        estimator->groups[number] =
            (struct size_group){.kind = class->kind, .members = class->members};
        FORWARD_IF_ERROR(key_table_insert(&estimator->group_index, key, number, status));
    }
    *group = &estimator->groups[number];
    return STATUS_OK;
}

static status_code add_known_block(struct in_place_estimator *estimator, uint64_t block,
                                   struct status *status) {
    if (block < SMALLEST_KNOWN || key_table_find(&estimator->known, block) != KEY_TABLE_NONE)
        return STATUS_OK;
    return key_table_insert(&estimator->known, block, 0, status);
}

static status_code count_sizes(struct in_place_estimator *estimator, struct status *status) {
    for (size_t i = 0; i < estimator->odds->count; i++) {
        const struct in_place_class *class = &estimator->odds->classes[i];
        struct size_group *group = NULL;
        FORWARD_IF_ERROR(find_group(estimator, class, &group, status));
        bool other = is_whole(class, false), in_place = is_whole(class, true);
        group->either += other && in_place;
        group->other += !in_place;
        group->in_place += !other && in_place;
        if (other != in_place)
            FORWARD_IF_ERROR(add_known_block(estimator, block_of(class, in_place), status));
    }
    for (size_t i = 0; i < estimator->group_count; i++) {
        const struct size_group *group = &estimator->groups[i];
        uint32_t below = group->members - 1;
        uint64_t by_chance_one_in = below / (below % 4 == 0 ? 4 : below % 2 == 0 ? 2 : 1);
        uint64_t expected = by_chance_one_in == 1
                                ? 0
                                : (group->other + by_chance_one_in - 2) / (by_chance_one_in - 1);
        uint64_t beyond =
            by_chance_one_in > 1 && group->either > expected ? group->either - expected : 0;
        estimator->in_place[group->kind] += group->in_place + beyond;
        estimator->other[group->kind] +=
            group->other + (by_chance_one_in > 1 ? group->either - beyond : 0);
    }
    return STATUS_OK;
}

/* Adds the blocks of collectives whose sizes are recorded without a factor to the blocks that are
 * certain. */
static status_code add_known_blocks(struct in_place_estimator *estimator, struct status *status) {
    const struct program *program = estimator->program;
    for (uint32_t i = 0; i < program->collective_argument_count; i++) {
        const struct program_collective_arguments *arguments = &program->collective_arguments[i];
        switch ((program_collective_kind)arguments->kind) {
        case PROGRAM_COLLECTIVE_BCAST:
        case PROGRAM_COLLECTIVE_REDUCE:
        case PROGRAM_COLLECTIVE_GATHER:
        case PROGRAM_COLLECTIVE_SCATTER:
        case PROGRAM_COLLECTIVE_EXSCAN:
            FORWARD_IF_ERROR(add_known_block(estimator, arguments->send_bytes, status));
            break;
        default:
            break;
        }
    }
    return STATUS_OK;
}

/* ---- verdicts ---- */

static uint64_t worth_of(const struct in_place_estimator *estimator, uint64_t block) {
    uint64_t worth = block % 8 == 0 ? 24 : block % 4 == 0 ? 16 : 1;
    if (block >= SMALLEST_POWER && (block & (block - 1)) == 0) worth *= WORTH_POWER;
    if (key_table_find(&estimator->known, block) != KEY_TABLE_NONE) worth *= WORTH_KNOWN;
    return worth;
}

static void decide_class(const struct in_place_estimator *estimator, struct in_place_class *class) {
    class->in_place = !is_whole(class, false) && is_whole(class, true);
    if (!is_whole(class, false) || !is_whole(class, true)) return;
    uint64_t in_place =
        (estimator->in_place[class->kind] + 1) * worth_of(estimator, block_of(class, true));
    uint64_t other =
        (estimator->other[class->kind] + 2) * worth_of(estimator, block_of(class, false));
    class->in_place = in_place > other;
    class->is_open = class->in_place ? in_place < CERTAINTY * other : other < CERTAINTY * in_place;
}

static status_code find_odds(struct in_place_estimator *estimator,
                             const struct program_posted *posted, struct status *status) {
    FORWARD_IF_ERROR(classify_all(estimator, posted, status));
    FORWARD_IF_ERROR(count_sizes(estimator, status));
    FORWARD_IF_ERROR(add_known_blocks(estimator, status));
    for (size_t i = 0; i < estimator->odds->count; i++)
        decide_class(estimator, &estimator->odds->classes[i]);
    return STATUS_OK;
}

status_code in_place_odds_find(struct in_place_odds *odds, const struct program *program,
                               const struct program_posted *posted, struct status *status) {
    size_t count = program->collective_argument_count;
    *odds = (struct in_place_odds){.argument_count = count,
                                   .class_of = memory_new(2 * count, sizeof *odds->class_of)};
    RETURN_ERROR_IF(odds->class_of == NULL, status, STATUS_MEMORY,
                    "out of memory for %zu sizes of collectives", count);
    for (size_t i = 0; i < 2 * count; i++)
        odds->class_of[i] = PROGRAM_NONE;
    struct in_place_estimator estimator = {.odds = odds, .program = program};
    status_code code = find_odds(&estimator, posted, status);
    key_table_free(&estimator.index);
    key_table_free(&estimator.group_index);
    key_table_free(&estimator.known);
    free(estimator.groups);
    return code;
}

void in_place_odds_free(struct in_place_odds *odds) {
    free(odds->classes);
    free(odds->class_of);
    *odds = (struct in_place_odds){0};
}
