/*
 * The order of the calls of several threads of a rank.
 *
 * A record is written when its call ends, so that the records of a rank stand in the order in which
 * its calls ended. Of two calls that were open at the same time, the one that ended first may
 * depend on the other one: two threads that communicate on two communicators. So a call during
 * which other calls ended is split. What it posts stands where the call began, and its wait
 * stands where it ended.
 *
 * Whoever waits in this order waits for something that the application had posted before. The
 * order is that of real time, so a replay in this order comes to its end.
 */
#include "traces/recording/recording_threads.h"

#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

/* A record in memory. Records whose calls are split and began between the end of the record before
 * and the end of this one form a list. */
struct kept_record {
    struct recording_record record;
    size_t first_word;            /* of its words in struct kept_records */
    struct recording_split split; /* what begin has set, for end */
    bool is_split;
    uint32_t begins; /* the first one of the list; NONE: it is empty */
    uint32_t next;   /* in the list of which this record is a part; NONE: no further one */
};

/* All records of a file. */
struct kept_records {
    struct kept_record *records;
    size_t count, capacity;
    uint64_t *words;
    size_t word_count, word_capacity;
};

uint64_t recording_overlap(const struct recording_record *record) {
    return record->word_count >= 2 && record->words[0] == RECORDING_OVERLAP ? record->words[1] : 0;
}

/* Copies a record and its words; a recording_sink. */
static status_code keep_record(void *context, const struct recording_record *record,
                               struct status *status) {
    struct kept_records *kept = context;
    RETURN_ERROR_IF(record->place != kept->count || kept->count == NONE, status, STATUS_INPUT,
                    "more calls of several threads than can be put in order");
    FORWARD_IF_ERROR(memory_grow((void **)&kept->records, &kept->capacity, kept->count + 1,
                                 sizeof *kept->records, status));
    FORWARD_IF_ERROR(memory_grow((void **)&kept->words, &kept->word_capacity,
                                 kept->word_count + record->word_count, sizeof *kept->words,
                                 status));
    kept->records[kept->count++] = (struct kept_record){
        .record = *record, .first_word = kept->word_count, .begins = NONE, .next = NONE};
    if (record->word_count > 0)
        memcpy(kept->words + kept->word_count, record->words,
               record->word_count * sizeof *record->words);
    kept->word_count += record->word_count;
    return STATUS_OK;
}

/* Returns whether a record can be split: it posts operations and waits for them, and nothing
 * else. A matched probe takes its message where it ends, not where it begins. */
static bool can_split(const struct recording_record *record, struct status *status) {
    struct recording_part part;
    bool posts = false;
    size_t at = 0;
    if (record->call == RECORDING_CALL_Mprobe || record->call == RECORDING_CALL_Improbe)
        return false;
    while (recording_next(record, &at, &part, status)) {
        uint64_t slot = UINT64_MAX;
        switch (part.item) {
        case RECORDING_SEND:
            slot = part.words[5];
            break;
        case RECORDING_COLLECTIVE:
            slot = part.words[7];
            break;
        case RECORDING_NEIGHBOURS:
        case RECORDING_FILE_ACCESS:
            slot = part.words[1];
            break;
        case RECORDING_RECEIVE:
            slot = 0;
            break;
        case RECORDING_OVERLAP:
        case RECORDING_SIZES:
        case RECORDING_COMMUNICATOR:
        case RECORDING_NAME:
        case RECORDING_CARTESIAN:
        case RECORDING_GRAPH:
        case RECORDING_FILE:
            continue;
        default:
            return false;
        }
        if (slot != 0) return false;
        posts = true;
    }
    return posts && record->call != RECORDING_CALL_Mark;
}

/* Finds the calls to split, and the records before which they began. */
static status_code find_begins(struct kept_records *kept, struct status *status) {
    for (size_t i = 0; i < kept->count; i++)
        kept->records[i].record.words = kept->words + kept->records[i].first_word;
    for (size_t i = kept->count; i-- > 0;) { /* so that each list is in the order of the file */
        struct kept_record *each = &kept->records[i];
        uint64_t overlap = recording_overlap(&each->record);
        RETURN_ERROR_IF(overlap > i, status, STATUS_INPUT, "record %zu (%s) is damaged", i,
                        recording_call_name(each->record.call));
        if (overlap == 0 || !can_split(&each->record, status)) {
            FORWARD_IF_ERROR(status->code);
            continue;
        }
        struct kept_record *where = &kept->records[i - overlap];
        each->is_split = true;
        each->next = where->begins;
        where->begins = (uint32_t)i;
    }
    return STATUS_OK;
}

static status_code import_in_order(struct kept_records *kept, const struct recording_order *order,
                                   struct status *status) {
    FORWARD_IF_ERROR(find_begins(kept, status));
    for (size_t i = 0; i < kept->count; i++) {
        struct kept_record *ends = &kept->records[i];
        for (uint32_t j = ends->begins; j != NONE; j = kept->records[j].next)
            FORWARD_IF_ERROR(order->begin(order->context, &kept->records[j].record,
                                          &kept->records[j].split, status));
        FORWARD_IF_ERROR(ends->is_split
                             ? order->end(order->context, &ends->record, &ends->split, status)
                             : order->whole(order->context, &ends->record, status));
    }
    return STATUS_OK;
}

status_code recording_read_in_order(const char *path, const struct recording_order *order,
                                    struct status *status) {
    struct kept_records kept = {0};
    status_code code = recording_read(path, keep_record, &kept, NULL, status);
    if (code == STATUS_OK && import_in_order(&kept, order, status) != STATUS_OK)
        code = status_prefix(status, "%s", path);
    free(kept.records);
    free(kept.words);
    return code;
}
