/*
 * Partitioned requests. MPI matches their messages apart from all others: a request that sends is
 * paired with the request of the receiver that has the same place in the order in which both sides
 * made theirs, among those of the same peer, tag and communicator.
 *
 * In the program, messages of equal tags match in their order. So each place in the order of making
 * has a tag of its own, below those of neighbour collectives: one for each pair of an application's
 * tag and a place.
 */
#include "traces/recording/recording_rank.h"

#include "core/memory/memory.h"

#include <stdlib.h>

enum { PARTITIONED_TAGS = RECORDING_PARTITIONED_TAG - PROGRAM_TAG_LAST };

status_code recording_define_partitioned(struct survey *survey, struct survey_rank *rank,
                                         const struct recording_part *part, struct status *status) {
    const uint64_t *words = part->words;
    const int64_t tag = recording_signed(words[3]);
    RETURN_ERROR_IF(words[0] != rank->partitioned_count || words[1] >= rank->communicator_count ||
                        words[2] >= survey->rank_count || tag < 0 || tag > INT32_MAX ||
                        words[4] > 1,
                    status, STATUS_INPUT, "the definition of a partitioned request is damaged");
    FORWARD_IF_ERROR(memory_grow((void **)&rank->partitioned, &rank->partitioned_capacity,
                                 rank->partitioned_count + 1, sizeof *rank->partitioned, status));
    rank->partitioned[rank->partitioned_count++] =
        (struct survey_partitioned){.communicator = (uint32_t)words[1],
                                    .peer = (uint32_t)words[2],
                                    .tag = (int32_t)tag,
                                    .receives = words[4] != 0};
    return STATUS_OK;
}

/* Compares what is equal in requests of one order of making. Returns the sign of the difference. */
static int compare(const struct survey_partitioned *a, const struct survey_partitioned *b) {
    if (a->communicator != b->communicator) return a->communicator < b->communicator ? -1 : 1;
    if (a->peer != b->peer) return a->peer < b->peer ? -1 : 1;
    if (a->tag != b->tag) return a->tag < b->tag ? -1 : 1;
    return (int)a->receives - (int)b->receives;
}

static int by_order(const void *a, const void *b) {
    const struct survey_partitioned *x = *(const struct survey_partitioned *const *)a,
                                    *y = *(const struct survey_partitioned *const *)b;
    const int order = compare(x, y);
    return order != 0 ? order : (x > y) - (x < y); /* then in the order of making */
}

/* Finds or makes the tag in the program of a pair, which is a tag of the application and a place.
 * *count: number of such tags so far. */
static status_code find_tag(struct key_table *tags, uint32_t *count, uint64_t pair,
                            int32_t *program_tag, struct status *status) {
    uint32_t found = key_table_find(tags, pair);
    if (found == KEY_TABLE_NONE) {
        RETURN_ERROR_IF(*count >= PARTITIONED_TAGS, status, STATUS_INPUT,
                        "more than %d partitioned requests of one order", PARTITIONED_TAGS);
        found = (*count)++;
        FORWARD_IF_ERROR(key_table_insert(tags, pair, found, status));
    }
    *program_tag = RECORDING_PARTITIONED_TAG - (int32_t)found;
    return STATUS_OK;
}

static status_code pair_rank(struct survey_rank *rank, struct survey_partitioned **sorted,
                             struct key_table *tags, uint32_t *count, struct status *status) {
    for (size_t i = 0; i < rank->partitioned_count; i++)
        sorted[i] = &rank->partitioned[i];
    qsort(sorted, rank->partitioned_count, sizeof *sorted, by_order);
    for (size_t i = 0, place = 0; i < rank->partitioned_count; i++) {
        place = i > 0 && compare(sorted[i - 1], sorted[i]) == 0 ? place + 1 : 0;
        RETURN_ERROR_IF(place > UINT32_MAX, status, STATUS_INPUT, "too many partitioned requests");
        FORWARD_IF_ERROR(find_tag(tags, count, (uint64_t)(uint32_t)sorted[i]->tag << 32 | place,
                                  &sorted[i]->program_tag, status));
    }
    return STATUS_OK;
}

status_code recording_pair_partitioned(struct survey *survey, struct status *status) {
    struct key_table tags = {0};
    uint32_t count = 0;
    status_code code = STATUS_OK;
    for (uint32_t i = 0; code == STATUS_OK && i < survey->rank_count; i++) {
        struct survey_rank *rank = &survey->ranks[i];
        if (rank->partitioned_count == 0) continue;
        struct survey_partitioned **sorted =
            memory_new(rank->partitioned_count, sizeof(struct survey_partitioned *));
        code = sorted != NULL ? pair_rank(rank, sorted, &tags, &count, status)
                              : status_set(status, STATUS_MEMORY, "out of memory");
        free(sorted);
    }
    key_table_free(&tags);
    return code;
}
