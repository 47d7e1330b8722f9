/*
 * Matches sends with receives. All sends are sorted by destination rank. Each destination then goes
 * through its receives in posting order and takes the oldest send with the same source and envelope
 * (communicator and tag). Must not know how the program was made.
 *
 * Invariants: memory is 20 bytes per send, 4 more for those to the destinations at hand, and some
 * bytes per rank. A destination's sends of one source are in the source's program order, because
 * one worker handles all sends of a source; the order of different sources does not matter. So the
 * result is equal for any number of threads.
 * Only the worker of a rank reads and writes its operations, from the first to the last, since they
 * may lie in a file: what a destination needs of a send stands in the send's entry (but the length
 * of a very long one), and matches of sends wait in an array of their own.
 */
#include "traces/program/seal/program_match_messages.h"
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "core/processes/parallel.h"
#include "traces/key_table.h"

#include <stdatomic.h>
#include <stdlib.h>

struct match_entry {
    uint32_t source;
    uint32_t envelope;
    uint32_t send;  /* number among the source's sends */
    uint32_t bytes; /* of the send; LONG_BYTES: as many or more */
};

#define LONG_BYTES UINT32_MAX

/* The sends of one source and envelope to the current destination, oldest first. */
struct match_queue {
    uint32_t head; /* PROGRAM_NONE: all are taken */
    uint32_t tail;
};

struct match_scratch {
    struct key_table queue_index; /* source and envelope -> queue */
    struct match_queue *queues;
    size_t queue_count, queue_capacity;
    uint32_t *next; /* for each send to the destination: the next one in its queue */
    size_t next_capacity;
    struct program_match_counts counts;
};

struct matcher {
    const struct program *program;
    const struct program_posted *posted;
    struct program_operation *writable; /* the program's operations; NULL: only compare */
    struct match_entry *entries;
    uint64_t *first;      /* index of each destination's first entry, and the end */
    uint32_t *matches;    /* of the sends of all sources: set, or those that are compared */
    uint64_t *first_send; /* index of each source's first one, and the end */
    atomic_uint_fast64_t *filled;
    struct match_scratch *scratch; /* for each worker */
};

/* Sets the match of an operation. If operations are only compared, returns false if the match
 * differs. */
static bool set_match(const struct matcher *matcher, uint32_t rank, uint64_t operation,
                      uint32_t match) {
    if (matcher->writable == NULL)
        return PROGRAM_OPERATION_AT(matcher->program, rank, operation)->message.match == match;
    matcher->writable[operation].message.match = match;
    return true;
}

static status_code sort_sends(void *context, unsigned worker, uint64_t rank,
                              struct status *status) {
    (void)worker;
    struct matcher *matcher = context;
    const struct program_places *sends = &matcher->posted->ranks[rank].sends;
    uint64_t first = matcher->program->ranks[rank].first;
    for (size_t i = 0; i < sends->count; i++) {
        const struct program_operation send =
            program_posted_at(matcher->program, (uint32_t)rank, sends, i);
        if (program_is_one_sided(&send)) {
            RETURN_ERROR_IF(!set_match(matcher, (uint32_t)rank, first + sends->at[i], PROGRAM_NONE),
                            status, STATUS_INPUT,
                            "rank %u: a one-sided operation is matched with a receive",
                            (uint32_t)rank);
            continue;
        }
        uint64_t place =
            atomic_fetch_add_explicit(&matcher->filled[send.message.peer], 1, memory_order_relaxed);
        matcher->entries[place] = (struct match_entry){
            .source = (uint32_t)rank,
            .envelope = send.message.envelope,
            .send = (uint32_t)i,
            .bytes = send.bytes < LONG_BYTES ? (uint32_t)send.bytes : LONG_BYTES};
        if (matcher->writable == NULL)
            matcher->matches[matcher->first_send[rank] + i] = send.message.match;
    }
    paging_evict(matcher->program->paging);
    return STATUS_OK;
}

/* Sets the match of a send to another rank, or compares it as set_match does. */
static bool settle_send(const struct matcher *matcher, const struct match_entry *entry,
                        uint32_t match) {
    uint32_t *place = &matcher->matches[matcher->first_send[entry->source] + entry->send];
    if (matcher->writable == NULL) return *place == match;
    *place = match;
    return true;
}

static uint64_t bytes_of(const struct matcher *matcher, const struct match_entry *entry) {
    if (entry->bytes < LONG_BYTES) return entry->bytes;
    const uint32_t at = matcher->posted->ranks[entry->source].sends.at[entry->send];
    return PROGRAM_OPERATION_AT(matcher->program, entry->source,
                                matcher->program->ranks[entry->source].first + at)
        ->bytes;
}

/* Gives the sends of a source their matches. */
static status_code settle_sends(void *context, unsigned worker, uint64_t rank,
                                struct status *status) {
    (void)worker;
    (void)status;
    struct matcher *matcher = context;
    const struct program_places *sends = &matcher->posted->ranks[rank].sends;
    const uint32_t *matches = matcher->matches + matcher->first_send[rank];
    struct program_operation *operations = matcher->writable + matcher->program->ranks[rank].first;
    for (size_t i = 0; i < sends->count; i++) {
        const struct program_operation send =
            program_posted_at(matcher->program, (uint32_t)rank, sends, i);
        if (!program_is_one_sided(&send)) operations[sends->at[i]].message.match = matches[i];
    }
    paging_evict(matcher->program->paging);
    return STATUS_OK;
}

static uint64_t queue_key(uint32_t source, uint32_t envelope) {
    return (uint64_t)source << 32 | envelope;
}

static status_code queue_sends(struct match_scratch *scratch, const struct match_entry *entries,
                               uint64_t count, struct status *status) {
    key_table_remove_all(&scratch->queue_index);
    scratch->queue_count = 0;
    RETURN_ERROR_IF(count >= PROGRAM_NONE, status, STATUS_INPUT, "more than %u messages",
                    PROGRAM_NONE);
    FORWARD_IF_ERROR(memory_grow((void **)&scratch->next, &scratch->next_capacity, count,
                                 sizeof *scratch->next, status));
    for (uint32_t i = 0; i < count; i++) {
        scratch->next[i] = PROGRAM_NONE;
        uint64_t key = queue_key(entries[i].source, entries[i].envelope);
        uint32_t found = key_table_find(&scratch->queue_index, key);
        if (found != KEY_TABLE_NONE) {
            scratch->next[scratch->queues[found].tail] = i;
            scratch->queues[found].tail = i;
            continue;
        }
        FORWARD_IF_ERROR(memory_grow((void **)&scratch->queues, &scratch->queue_capacity,
                                     scratch->queue_count + 1, sizeof *scratch->queues, status));
        FORWARD_IF_ERROR(
            key_table_insert(&scratch->queue_index, key, (uint32_t)scratch->queue_count, status));
        scratch->queues[scratch->queue_count++] = (struct match_queue){i, i};
    }
    return STATUS_OK;
}

/* Sets or compares the match of the sends without a receive. */
static bool settle_rest(const struct matcher *matcher, struct match_scratch *scratch,
                        const struct match_entry *entries) {
    bool right = true;
    for (size_t q = 0; q < scratch->queue_count; q++) {
        uint32_t send = scratch->queues[q].head;
        for (; send != PROGRAM_NONE; send = scratch->next[send]) {
            right &= settle_send(matcher, &entries[send], PROGRAM_NONE);
            if (matcher->program->envelopes[entries[send].envelope].tag > PROGRAM_TAG_LAST)
                scratch->counts.unmatched_sends++;
            else
                scratch->counts.unmatched_signals++;
        }
    }
    return right;
}

/* Sets the length of a receive of unknown length; 0 if it has no send. */
static void set_size(const struct matcher *matcher, struct match_scratch *scratch, uint64_t receive,
                     uint64_t bytes) {
    if (matcher->writable == NULL) return;
    struct program_operation *operation = &matcher->writable[receive];
    if ((operation->flags & MATCH_UNSIZED) == 0) return;
    operation->flags &= ~MATCH_UNSIZED & 0xFF;
    operation->bytes = bytes & (PROGRAM_BYTES_LIMIT - 1);
    scratch->counts.unsized_receives++;
}

static status_code match_destination(void *context, unsigned worker, uint64_t rank,
                                     struct status *status) {
    struct matcher *matcher = context;
    struct match_scratch *scratch = &matcher->scratch[worker];
    const struct match_entry *entries = matcher->entries + matcher->first[rank];
    FORWARD_IF_ERROR(
        queue_sends(scratch, entries, matcher->first[rank + 1] - matcher->first[rank], status));
    const struct program_places *receives = &matcher->posted->ranks[rank].receives;
    bool right = true;
    for (uint32_t number = 0; number < receives->count; number++) {
        uint64_t i = matcher->program->ranks[rank].first + receives->at[number];
        const struct program_operation receive =
            program_posted_at(matcher->program, (uint32_t)rank, receives, number);
        uint64_t key = queue_key(receive.message.peer, receive.message.envelope);
        uint32_t queue = key_table_find(&scratch->queue_index, key);
        uint32_t send = queue == KEY_TABLE_NONE ? PROGRAM_NONE : scratch->queues[queue].head;
        if (send == PROGRAM_NONE) {
            right &= set_match(matcher, (uint32_t)rank, i, PROGRAM_NONE);
            set_size(matcher, scratch, i, 0);
            if (program_is_message(matcher->program, &receive))
                scratch->counts.unmatched_receives++;
            else
                scratch->counts.unmatched_signals++;
        } else {
            scratch->queues[queue].head = scratch->next[send];
            const struct match_entry *entry = &entries[send];
            const uint64_t sent_bytes = bytes_of(matcher, entry);
            right &= set_match(matcher, (uint32_t)rank, i, entry->send);
            right &= settle_send(matcher, entry, number);
            set_size(matcher, scratch, i, sent_bytes);
            const uint64_t bytes = PROGRAM_OPERATION_AT(matcher->program, (uint32_t)rank, i)->bytes;
            scratch->counts.truncated_receives += bytes < sent_bytes;
            scratch->counts.longer_receives += bytes > sent_bytes;
            if (matcher->writable != NULL)
                matcher->writable[i].bytes = sent_bytes & (PROGRAM_BYTES_LIMIT - 1);
        }
    }
    right &= settle_rest(matcher, scratch, entries);
    paging_evict(matcher->program->paging);
    RETURN_ERROR_IF(!right, status, STATUS_INPUT,
                    "rank %u: a receive, or a send to it, is matched wrongly", (uint32_t)rank);
    return STATUS_OK;
}

static status_code match_ranks(struct matcher *matcher, unsigned threads, struct status *status) {
    uint32_t rank_count = matcher->program->rank_count;
    for (uint32_t rank = 0; rank < rank_count; rank++) {
        matcher->first[rank + 1] =
            matcher->first[rank] + atomic_load(&matcher->posted->arrivals[rank]);
        atomic_init(&matcher->filled[rank], matcher->first[rank]);
    }
    uint64_t send_count = matcher->first[rank_count];
    FORWARD_IF_ERROR(paging_resize(matcher->program->paging, (void **)&matcher->entries, 0,
                                   send_count * sizeof *matcher->entries, status));
    for (uint32_t rank = 0; rank < rank_count; rank++)
        matcher->first_send[rank + 1] =
            matcher->first_send[rank] + matcher->posted->ranks[rank].sends.count;
    FORWARD_IF_ERROR(paging_resize(matcher->program->paging, (void **)&matcher->matches, 0,
                                   matcher->first_send[rank_count] * sizeof *matcher->matches,
                                   status));
    FORWARD_IF_ERROR(parallel_for(threads, rank_count, sort_sends, matcher, status));
    FORWARD_IF_ERROR(parallel_for(threads, rank_count, match_destination, matcher, status));
    if (matcher->writable == NULL) return STATUS_OK;
    return parallel_for(threads, rank_count, settle_sends, matcher, status);
}

static status_code match_program(const struct program *program, struct program_operation *writable,
                                 const struct program_posted *posted, unsigned threads,
                                 struct program_match_counts *counts, struct status *status) {
    unsigned workers = parallel_threads(threads, program->rank_count);
    struct matcher matcher = {.program = program, .posted = posted, .writable = writable};
    matcher.first = memory_new((size_t)program->rank_count + 1, sizeof *matcher.first);
    matcher.first_send = memory_new((size_t)program->rank_count + 1, sizeof *matcher.first_send);
    matcher.filled = memory_new(program->rank_count, sizeof *matcher.filled);
    matcher.scratch = memory_new(workers, sizeof *matcher.scratch);
    status_code code = STATUS_OK;
    if (matcher.first == NULL || matcher.first_send == NULL || matcher.filled == NULL ||
        matcher.scratch == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for matching");
    else
        code = match_ranks(&matcher, threads, status);
    *counts = (struct program_match_counts){0};
    for (unsigned i = 0; matcher.scratch != NULL && i < workers; i++) {
        counts->unmatched_sends += matcher.scratch[i].counts.unmatched_sends;
        counts->unmatched_receives += matcher.scratch[i].counts.unmatched_receives;
        counts->unmatched_signals += matcher.scratch[i].counts.unmatched_signals;
        counts->truncated_receives += matcher.scratch[i].counts.truncated_receives;
        counts->longer_receives += matcher.scratch[i].counts.longer_receives;
        counts->unsized_receives += matcher.scratch[i].counts.unsized_receives;
        key_table_free(&matcher.scratch[i].queue_index);
        free(matcher.scratch[i].queues);
        free(matcher.scratch[i].next);
    }
    free(matcher.scratch);
    free(matcher.first);
    free(matcher.first_send);
    free(matcher.filled);
    paging_free_array(program->paging, matcher.entries);
    paging_free_array(program->paging, matcher.matches);
    return code;
}

status_code program_match_messages(struct program *program, const struct program_posted *posted,
                                   unsigned threads, struct program_match_counts *counts,
                                   struct status *status) {
    return match_program(program, program->operations, posted, threads, counts, status);
}

status_code program_match_messages_check(const struct program *program,
                                         const struct program_posted *posted, unsigned threads,
                                         struct program_match_counts *counts,
                                         struct status *status) {
    return match_program(program, NULL, posted, threads, counts, status);
}
