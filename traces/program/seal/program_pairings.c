/*
 * Pairings of packed programs: how they are found, and how their messages are matched. Must not
 * know how the program was made.
 *
 * Invariant: a rank is changed by one worker only, which reads nothing of other ranks but their
 * pairings. So the result is equal for any number of threads.
 */
#include "traces/program/seal/program_pairings.h"
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "core/processes/parallel.h"
#include "traces/program/content_hash.h"
#include "traces/program/program_packed.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding ---- */

/* Returns the pairing of a message among those so far, or adds it. */
static status_code find_pairing(struct program_pairings *pairings,
                                struct program_pairing_finder *finder,
                                const struct program_operation *message, uint32_t *number,
                                struct status *status) {
    const uint32_t peer = message->message.peer, envelope = message->message.envelope;
    uint64_t key = content_hash_add3(0, message->kind, peer, envelope);
    for (;; key++) {
        *number = key_table_find(&finder->index, key);
        if (*number == KEY_TABLE_NONE) break;
        const struct program_pairing *pairing = &finder->pairings[*number];
        if (pairing->kind == message->kind && pairing->peer == peer &&
            pairing->envelope == envelope)
            return STATUS_OK;
    }
    *number = pairings->count;
    FORWARD_IF_ERROR(memory_grow((void **)&finder->pairings, &finder->capacity,
                                 pairings->count + UINT64_C(1), sizeof *finder->pairings, status));
    finder->pairings[pairings->count++] = (struct program_pairing){
        .bytes = message->bytes, .kind = message->kind, .peer = peer, .envelope = envelope};
    return key_table_insert(&finder->index, key, *number, status);
}

/* Finds the pairings of all messages among the whole operations. Whole operations of a pairing that
 * have several lengths mark it. */
static status_code find_all(struct program_pairings *pairings,
                            struct program_pairing_finder *finder,
                            const struct program_operation *whole, size_t whole_count, bool *varies,
                            struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&finder->of_whole, &finder->whole_capacity, whole_count,
                                 sizeof *finder->of_whole, status));
    key_table_remove_all(&finder->index);
    for (size_t i = 0; i < whole_count; i++) {
        const struct program_operation *message = &whole[i];
        finder->of_whole[i] = PROGRAM_NONE;
        if ((message->kind != OPERATION_SEND && message->kind != OPERATION_RECEIVE) ||
            program_is_one_sided(message) || message->message.envelope == PROGRAM_NONE)
            continue;
        FORWARD_IF_ERROR(find_pairing(pairings, finder, message, &finder->of_whole[i], status));
        struct program_pairing *pairing = &finder->pairings[finder->of_whole[i]];
        if (pairing->bytes == message->bytes) continue;
        pairing->bytes = PROGRAM_PAIRING_VARIES;
        *varies |= message->kind == OPERATION_SEND;
    }
    return STATUS_OK;
}

/* Lists the numbers of the messages of a kind, by pairing. */
static status_code list_numbers(const struct program_pairings *pairings,
                                struct program_pairing_finder *finder, program_operation_kind kind,
                                const struct program_places *messages, struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&finder->list, &finder->list_capacity, messages->count,
                                 sizeof *finder->list, status));
    for (size_t i = 0; i < messages->count; i++) {
        const uint32_t pairing = finder->of_whole[messages->at[i]];
        if (pairing != PROGRAM_NONE) finder->pairings[pairing].count++;
    }
    uint64_t all = 0;
    for (uint32_t i = 0; i < pairings->count; i++) {
        struct program_pairing *pairing = &finder->pairings[i];
        if (pairing->kind != kind) continue;
        pairing->first = all;
        all += pairing->count;
        pairing->count = 0;
    }
    for (size_t i = 0; i < messages->count; i++) {
        const uint32_t number = finder->of_whole[messages->at[i]];
        if (number == PROGRAM_NONE) continue;
        struct program_pairing *pairing = &finder->pairings[number];
        finder->list[pairing->first + pairing->count++] = (uint32_t)i;
    }
    return STATUS_OK;
}

/* Adds the runs of some numbers, which ascend. */
static status_code add_runs(struct program_pairing_finder *finder, const uint32_t *list,
                            uint32_t count, struct status *status) {
    for (uint32_t i = 0; i < count;) {
        struct program_run run = {.first = list[i], .count = 1};
        if (i + 1 < count) run.step = list[i + 1] - list[i];
        while (i + run.count < count && list[i + run.count] - list[i + run.count - 1] == run.step)
            run.count++;
        FORWARD_IF_ERROR(memory_grow((void **)&finder->runs, &finder->run_capacity,
                                     finder->run_count + 1, sizeof run, status));
        finder->runs[finder->run_count++] = run;
        i += run.count;
    }
    return STATUS_OK;
}

/* Lists the messages of a kind, and finds the runs of each pairing. */
static status_code find_runs(const struct program_pairings *pairings,
                             struct program_pairing_finder *finder, program_operation_kind kind,
                             const struct program_places *messages, struct status *status) {
    FORWARD_IF_ERROR(list_numbers(pairings, finder, kind, messages, status));
    for (uint32_t i = 0; i < pairings->count; i++) {
        struct program_pairing *pairing = &finder->pairings[i];
        if (pairing->kind != kind) continue;
        pairing->run = finder->run_count;
        FORWARD_IF_ERROR(add_runs(finder, finder->list + pairing->first, pairing->count, status));
    }
    return STATUS_OK;
}

/* Stores the lengths of sends, which were listed last, by pairing. */
static status_code list_lengths(struct program_pairings *pairings,
                                const struct program_pairing_finder *finder,
                                const struct program_operation *whole,
                                const struct program_places *sends, struct status *status) {
    pairings->lengths = memory_new(sends->count, sizeof *pairings->lengths);
    RETURN_ERROR_IF(pairings->lengths == NULL, status, STATUS_MEMORY, "out of memory for matching");
    for (uint32_t c = 0; c < pairings->count; c++) {
        const struct program_pairing *pairing = &finder->pairings[c];
        if (pairing->kind != OPERATION_SEND) continue;
        for (uint64_t i = pairing->first; i < pairing->first + pairing->count; i++)
            pairings->lengths[i] = whole[sends->at[finder->list[i]]].bytes;
    }
    return STATUS_OK;
}

/* Copies what was found. */
static status_code keep_found(struct program_pairings *pairings,
                              const struct program_pairing_finder *finder, size_t whole_count,
                              struct status *status) {
    pairings->pairings = memory_new(pairings->count, sizeof *pairings->pairings);
    pairings->of_whole = memory_new(whole_count, sizeof *pairings->of_whole);
    pairings->runs = memory_new(finder->run_count, sizeof *pairings->runs);
    RETURN_ERROR_IF(pairings->pairings == NULL || pairings->of_whole == NULL ||
                        pairings->runs == NULL,
                    status, STATUS_MEMORY, "out of memory for matching");
    pairings->run_count = finder->run_count;
    if (pairings->count > 0)
        memcpy(pairings->pairings, finder->pairings, pairings->count * sizeof *finder->pairings);
    if (whole_count > 0)
        memcpy(pairings->of_whole, finder->of_whole, whole_count * sizeof *finder->of_whole);
    if (finder->run_count > 0)
        memcpy(pairings->runs, finder->runs, finder->run_count * sizeof *finder->runs);
    return STATUS_OK;
}

status_code program_pairings_find(struct program_pairings *pairings,
                                  struct program_pairing_finder *finder,
                                  const struct program_operation *whole, size_t whole_count,
                                  const struct program_places *sends,
                                  const struct program_places *receives, struct status *status) {
    bool varies = false;
    *pairings = (struct program_pairings){0};
    finder->run_count = 0;
    FORWARD_IF_ERROR(find_all(pairings, finder, whole, whole_count, &varies, status));
    FORWARD_IF_ERROR(find_runs(pairings, finder, OPERATION_RECEIVE, receives, status));
    FORWARD_IF_ERROR(find_runs(pairings, finder, OPERATION_SEND, sends, status));
    if (varies) FORWARD_IF_ERROR(list_lengths(pairings, finder, whole, sends, status));
    return keep_found(pairings, finder, whole_count, status);
}

void program_pairing_finder_free(struct program_pairing_finder *finder) {
    key_table_free(&finder->index);
    free(finder->pairings);
    free(finder->of_whole);
    free(finder->list);
    free(finder->runs);
    *finder = (struct program_pairing_finder){0};
}

void program_pairings_clear(struct program_pairings *pairings) {
    free(pairings->pairings);
    free(pairings->of_whole);
    free(pairings->runs);
    free(pairings->lengths);
    *pairings = (struct program_pairings){0};
}

/* ---- order ---- */

static int compare_numbers(uint32_t left, uint32_t right) {
    return (left > right) - (left < right);
}

static int compare_pairings(const void *left, const void *right) {
    const struct program_pairing *a = left, *b = right;
    int order = compare_numbers(a->kind, b->kind);
    if (order == 0) order = compare_numbers(a->peer, b->peer);
    return order != 0 ? order : compare_numbers(a->envelope, b->envelope);
}

status_code program_pairings_place(struct program_pairings *pairings, const uint32_t *envelopes,
                                   size_t whole_count, struct status *status) {
    const uint32_t count = pairings->count;
    uint32_t *numbers = memory_new(count, sizeof *numbers);
    RETURN_ERROR_IF(numbers == NULL, status, STATUS_MEMORY, "out of memory for matching");
    for (uint32_t i = 0; i < count; i++)
        pairings->pairings[i].envelope = envelopes[pairings->pairings[i].envelope];
    struct program_pairing *unsorted = memory_new(count, sizeof *unsorted);
    if (unsorted == NULL) {
        free(numbers);
        return status_set(status, STATUS_MEMORY, "out of memory for matching");
    }
    if (count > 0) {
        memcpy(unsorted, pairings->pairings, count * sizeof *unsorted);
        qsort(pairings->pairings, count, sizeof *pairings->pairings, compare_pairings);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct program_pairing *found =
            bsearch(&unsorted[i], pairings->pairings, count, sizeof *found, compare_pairings);
        numbers[i] = (uint32_t)(found - pairings->pairings);
    }
    for (size_t i = 0; i < whole_count; i++)
        if (pairings->of_whole[i] != PROGRAM_NONE)
            pairings->of_whole[i] = numbers[pairings->of_whole[i]];
    free(unsorted);
    free(numbers);
    return STATUS_OK;
}

/* ---- matching ---- */

/* What the messages of a pairing are matched with: the rest of the peer's pairing. */
struct partner {
    const struct program_run *run; /* the next one */
    uint32_t left;                 /* messages */
    uint32_t next, step, left_of_run;
    const uint64_t *lengths; /* of sends, from the next one on; NULL: `bytes` */
    uint64_t bytes;
};

struct pairing_scratch {
    struct partner *partners;
    size_t capacity;
    struct program_packer packer;
    bool changes; /* the packer has the present rank's whole operations */
    struct program_match_counts counts;
};

struct pairing_matcher {
    struct program *program;
    const struct program_pairings *pairings;
    struct pairing_scratch *scratch; /* for each worker */
};

static struct partner find_partner(const struct pairing_matcher *matcher, uint32_t rank,
                                   const struct program_pairing *pairing) {
    const bool is_send = pairing->kind == OPERATION_SEND;
    const struct program_pairing key = {.kind = is_send ? OPERATION_RECEIVE : OPERATION_SEND,
                                        .peer = rank,
                                        .envelope = pairing->envelope};
    const struct program_pairings *all = &matcher->pairings[pairing->peer];
    const struct program_pairing *found =
        bsearch(&key, all->pairings, all->count, sizeof key, compare_pairings);
    if (found == NULL) return (struct partner){0};
    const bool varies = !is_send && all->lengths != NULL;
    return (struct partner){.run = all->runs + found->run,
                            .left = found->count,
                            .lengths = varies ? all->lengths + found->first : NULL,
                            .bytes = found->bytes};
}

/* Takes the next message of a partner. Returns false if there is none. */
static inline bool take_message(struct partner *partner, uint32_t *number, uint64_t *bytes) {
    if (partner->left == 0) return false;
    partner->left--;
    if (partner->left_of_run == 0) {
        partner->next = partner->run->first;
        partner->step = partner->run->step;
        partner->left_of_run = partner->run++->count;
    }
    partner->left_of_run--;
    *number = partner->next;
    partner->next += partner->step;
    *bytes = partner->lengths == NULL ? partner->bytes : *partner->lengths++;
    return true;
}

static status_code find_partners(const struct pairing_matcher *matcher,
                                 struct pairing_scratch *scratch, uint32_t rank,
                                 struct status *status) {
    const struct program_pairings *own = &matcher->pairings[rank];
    FORWARD_IF_ERROR(memory_grow((void **)&scratch->partners, &scratch->capacity, own->count,
                                 sizeof *scratch->partners, status));
    for (uint32_t i = 0; i < own->count; i++)
        scratch->partners[i] = find_partner(matcher, rank, &own->pairings[i]);
    return STATUS_OK;
}

static void count_unmatched(const struct program *program, struct program_match_counts *counts,
                            const struct program_operation *message) {
    if (!program_is_message(program, message))
        counts->unmatched_signals++;
    else if (message->kind == OPERATION_SEND)
        counts->unmatched_sends++;
    else
        counts->unmatched_receives++;
}

/* Gives a receive the length of its send, 0 if it has none and no length. */
static status_code settle_length(struct pairing_matcher *matcher, struct pairing_scratch *scratch,
                                 uint32_t rank, uint64_t place, struct program_operation receive,
                                 bool is_matched, uint64_t bytes, struct status *status) {
    const bool is_unsized = (receive.flags & MATCH_UNSIZED) != 0;
    if (!is_unsized && (!is_matched || receive.bytes == bytes)) return STATUS_OK;
    scratch->counts.unsized_receives += is_unsized;
    scratch->counts.truncated_receives += !is_unsized && receive.bytes < bytes;
    scratch->counts.longer_receives += !is_unsized && receive.bytes > bytes;
    receive.flags &= ~MATCH_UNSIZED & 0xFF;
    receive.bytes = bytes & (PROGRAM_BYTES_LIMIT - 1);
    receive.message.match = matcher->program->packed->upper[place];
    if (!scratch->changes)
        FORWARD_IF_ERROR(program_packer_again(&scratch->packer, matcher->program, rank, status));
    scratch->changes = true;
    return program_packer_change(&scratch->packer, place, &receive, status);
}

/* Matches a message, whose word has this place. */
static inline status_code match_message(struct pairing_matcher *matcher,
                                        struct pairing_scratch *scratch, uint32_t rank,
                                        uint64_t place, const struct program_operation *message,
                                        uint32_t pairing, struct status *status) {
    uint32_t match = PROGRAM_NONE;
    uint64_t bytes = 0;
    if (pairing != PROGRAM_NONE && !take_message(&scratch->partners[pairing], &match, &bytes))
        count_unmatched(matcher->program, &scratch->counts, message);
    matcher->program->packed->upper[place] = match;
    if (message->kind == OPERATION_SEND) return STATUS_OK;
    return settle_length(matcher, scratch, rank, place, *message, match != PROGRAM_NONE, bytes,
                         status);
}

static status_code match_rank(void *context, unsigned worker, uint64_t item,
                              struct status *status) {
    struct pairing_matcher *matcher = context;
    struct pairing_scratch *scratch = &matcher->scratch[worker];
    struct program *program = matcher->program;
    const uint32_t rank = (uint32_t)item;
    FORWARD_IF_ERROR(find_partners(matcher, scratch, rank, status));
    const struct program_packed *packed = program->packed;
    const struct program_operation *whole = packed->ranks[rank].whole_operations;
    const uint32_t *of_whole = matcher->pairings[rank].of_whole;
    uint64_t place = program_word_place(packed, rank, program->ranks[rank].first);
    scratch->changes = false;
    for (const uint64_t end = place + program->ranks[rank].count; place < end;) {
        const struct program_block block = packed->blocks[program_block_of(packed, rank, place)];
        const uint64_t next = (place / PROGRAM_BLOCK_OPERATIONS + 1) * PROGRAM_BLOCK_OPERATIONS;
        for (; place < next && place < end; place++) {
            const uint32_t word = program_word_lower(packed, rank, &block, place);
            if ((word & 7) != PROGRAM_WORD_MESSAGE) continue;
            const uint64_t number = program_word_whole(word);
            FORWARD_IF_ERROR(match_message(matcher, scratch, rank, place, &whole[number],
                                           of_whole[number], status));
        }
    }
    if (scratch->changes)
        FORWARD_IF_ERROR(program_packer_keep(&scratch->packer, program, rank, status));
    paging_evict(program->paging);
    return STATUS_OK;
}

static void add_counts(struct program_match_counts *sum, const struct program_match_counts *part) {
    sum->unmatched_sends += part->unmatched_sends;
    sum->unmatched_receives += part->unmatched_receives;
    sum->unmatched_signals += part->unmatched_signals;
    sum->truncated_receives += part->truncated_receives;
    sum->longer_receives += part->longer_receives;
    sum->unsized_receives += part->unsized_receives;
}

status_code program_pairings_match(struct program *program, const struct program_pairings *pairings,
                                   unsigned threads, struct program_match_counts *counts,
                                   struct status *status) {
    const unsigned workers = parallel_threads(threads, program->rank_count);
    struct pairing_matcher matcher = {.program = program,
                                      .pairings = pairings,
                                      .scratch = memory_new(workers, sizeof *matcher.scratch)};
    RETURN_ERROR_IF(matcher.scratch == NULL, status, STATUS_MEMORY, "out of memory for matching");
    const status_code code =
        parallel_for(threads, program->rank_count, match_rank, &matcher, status);
    *counts = (struct program_match_counts){0};
    for (unsigned i = 0; i < workers; i++) {
        add_counts(counts, &matcher.scratch[i].counts);
        program_packer_free(&matcher.scratch[i].packer);
        free(matcher.scratch[i].partners);
    }
    free(matcher.scratch);
    return code;
}
