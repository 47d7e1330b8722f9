/* Computes the hashes of the messages and collectives of a rank, adds them to the sums of their
 * sides, and compares the sums at the end. */
#include "traces/program/file/program_sums.h"

#include "core/memory/memory.h"
#include "traces/program/content_hash.h"
#include "traces/program/seal/program_instance.h"

#include <inttypes.h>
#include <stdlib.h>

/* The collectives of a rank on a communicator. */
struct program_sequence {
    uint64_t hash;
    uint32_t communicator;
    uint32_t count[PROGRAM_COUNTED_CLASSES];
    bool is_reference; /* the rank is the first member */
};

/* A message, as both its ends describe it. */
static uint64_t hash_message(const struct program_operation *operation, uint32_t source,
                             uint32_t send, uint32_t destination, uint32_t receive) {
    const uint64_t ends =
        content_hash_add((uint64_t)source << 32 | send, (uint64_t)destination << 32 | receive);
    return content_hash_add(ends, content_hash_add(operation->message.envelope, operation->bytes));
}

/* Forgets the messages of the rank so far: sends and receives are matched apart. */
static void begin_messages(struct program_sums_scratch *scratch) {
    key_table_remove_all(&scratch->ends);
    scratch->match_count = 0;
}

/* Tests that the matches of the messages with one peer and one envelope ascend, and that none
 * follows a message without a match. */
static status_code check_order(struct program_sums_scratch *scratch, uint32_t rank,
                               const struct program_operation *message, struct status *status) {
    const uint64_t key = (uint64_t)message->message.peer << 32 | message->message.envelope;
    const uint32_t match = message->message.match;
    uint32_t index = key_table_find(&scratch->ends, key);
    if (index == KEY_TABLE_NONE) {
        index = (uint32_t)scratch->match_count;
        FORWARD_IF_ERROR(memory_grow((void **)&scratch->matches, &scratch->match_capacity,
                                     scratch->match_count + 1, sizeof *scratch->matches, status));
        FORWARD_IF_ERROR(key_table_insert(&scratch->ends, key, index, status));
        scratch->matches[scratch->match_count++] = match;
        return STATUS_OK;
    }
    const uint32_t last = scratch->matches[index];
    const bool ascends = match == PROGRAM_NONE || (last != PROGRAM_NONE && last < match);
    RETURN_ERROR_IF(!ascends, status, STATUS_INPUT,
                    "rank %u: a message to or from rank %u is matched wrongly", rank,
                    message->message.peer);
    scratch->matches[index] = match;
    return STATUS_OK;
}

static status_code add_sends(struct program_sums *sums, struct program_sums_scratch *scratch,
                             const struct program *program, uint32_t rank,
                             const struct program_places *sends, struct status *status) {
    begin_messages(scratch);
    for (size_t i = 0; i < sends->count; i++) {
        const struct program_operation send = program_posted_at(program, rank, sends, i);
        const bool is_matched = send.message.match != PROGRAM_NONE;
        RETURN_ERROR_IF(program_is_one_sided(&send) && is_matched, status, STATUS_INPUT,
                        "rank %u: a one-sided operation is matched with a receive", rank);
        if (program_is_one_sided(&send)) continue;
        FORWARD_IF_ERROR(check_order(scratch, rank, &send, status));
        if (is_matched)
            sums->sends +=
                hash_message(&send, rank, (uint32_t)i, send.message.peer, send.message.match);
        else
            sums->unmatched_sends += program_is_message(program, &send);
    }
    return STATUS_OK;
}

static status_code add_receives(struct program_sums *sums, struct program_sums_scratch *scratch,
                                const struct program *program, uint32_t rank,
                                const struct program_places *receives, struct status *status) {
    begin_messages(scratch);
    for (size_t i = 0; i < receives->count; i++) {
        const struct program_operation receive = program_posted_at(program, rank, receives, i);
        FORWARD_IF_ERROR(check_order(scratch, rank, &receive, status));
        if (receive.message.match != PROGRAM_NONE)
            sums->receives += hash_message(&receive, receive.message.peer, receive.message.match,
                                           rank, (uint32_t)i);
        else
            sums->unmatched_receives += program_is_message(program, &receive);
    }
    return STATUS_OK;
}

/* What all members must have in common. Sizes may differ on intercommunicators and where each
 * member has its own. */
static uint64_t hash_collective(uint64_t hash, const struct program *program,
                                const struct program_operation *operation, uint32_t rank) {
    const struct program_collective_arguments *arguments = program_arguments_of(program, operation);
    const struct program_instance own = program_instance_of(program, operation, rank);
    const bool is_inter = program->communicators[arguments->communicator].remote_size > 0;
    uint64_t values[2];
    const bool is_equal = !is_inter && program_values_of(arguments, values) == 0;
    hash = content_hash_add(hash, (uint64_t)own.kind << 1 | own.blocking);
    hash = content_hash_add(hash, is_inter ? 0 : own.root);
    hash = content_hash_add(hash, own.sizes);
    hash = content_hash_add(hash, own.value);
    hash = content_hash_add(hash, is_equal ? own.send_bytes : 0);
    return content_hash_add(hash, is_equal ? own.receive_bytes : 0);
}

static status_code find_sequence(struct program_sums_scratch *scratch, uint32_t communicator,
                                 struct program_sequence **found, struct status *status) {
    uint32_t index = key_table_find(&scratch->known, communicator);
    if (index == KEY_TABLE_NONE) {
        index = (uint32_t)scratch->count;
        FORWARD_IF_ERROR(memory_grow((void **)&scratch->sequences, &scratch->capacity,
                                     scratch->count + 1, sizeof *scratch->sequences, status));
        FORWARD_IF_ERROR(key_table_insert(&scratch->known, communicator, index, status));
        scratch->sequences[scratch->count++] =
            (struct program_sequence){.communicator = communicator};
    }
    *found = &scratch->sequences[index];
    return STATUS_OK;
}

static status_code add_collective(struct program_sums_scratch *scratch,
                                  const struct program *program, uint32_t rank,
                                  const struct program_operation *operation,
                                  struct status *status) {
    const struct program_collective_arguments *arguments = program_arguments_of(program, operation);
    const program_counted class = program_counted_class(arguments->kind);
    struct program_sequence *sequence;
    FORWARD_IF_ERROR(find_sequence(scratch, arguments->communicator, &sequence, status));
    const uint32_t number = sequence->count[class];
    RETURN_ERROR_IF(operation->collective.instance != number, status, STATUS_INPUT,
                    "rank %u: %s has instance %u instead of %u", rank,
                    program_collective_name(arguments->kind), operation->collective.instance,
                    number);
    sequence->count[class]++;
    FORWARD_IF_ERROR(program_check_sizes(program, rank, operation, status));
    if (arguments->own_member == PROGRAM_NONE) return STATUS_OK; /* a handle that others share */
    if (program_place_of_rank(program, arguments, rank) == 0) sequence->is_reference = true;
    if (class == PROGRAM_COUNTED_OTHER)
        sequence->hash = hash_collective(sequence->hash, program, operation, rank);
    return STATUS_OK;
}

/* Adds a rank's sequence to the sum of the members, and as often as there are members to that of
 * the references if the rank is the first one. */
static void add_sequence(struct program_sums *sums, const struct program *program,
                         const struct program_sequence *sequence) {
    const struct program_communicator *c = &program->communicators[sequence->communicator];
    if (program_is_self(program, sequence->communicator)) return;
    const uint32_t creates = c->handles_synchronise ? sequence->count[PROGRAM_COUNTED_CREATE] : 0;
    const uint32_t others = sequence->count[PROGRAM_COUNTED_OTHER];
    if (creates == 0 && others == 0) return;
    const uint64_t counts = (uint64_t)creates << 32 | others;
    const uint64_t hash =
        content_hash_add(content_hash_add(sequence->hash, sequence->communicator), counts);
    sums->members += hash;
    if (sequence->is_reference)
        sums->references += program_member_total(program, sequence->communicator) * hash;
}

status_code program_sums_add(struct program_sums *sums, struct program_sums_scratch *scratch,
                             const struct program *program, uint32_t rank,
                             const struct program_posted_rank *lists, struct status *status) {
    FORWARD_IF_ERROR(add_sends(sums, scratch, program, rank, &lists->sends, status));
    FORWARD_IF_ERROR(add_receives(sums, scratch, program, rank, &lists->receives, status));
    key_table_remove_all(&scratch->known);
    scratch->count = 0;
    for (size_t i = 0; i < lists->collectives.count; i++) {
        const struct program_operation operation =
            program_posted_at(program, rank, &lists->collectives, i);
        FORWARD_IF_ERROR(add_collective(scratch, program, rank, &operation, status));
    }
    for (size_t i = 0; i < scratch->count; i++)
        add_sequence(sums, program, &scratch->sequences[i]);
    return STATUS_OK;
}

void program_sums_scratch_free(struct program_sums_scratch *scratch) {
    key_table_free(&scratch->known);
    key_table_free(&scratch->ends);
    free(scratch->sequences);
    free(scratch->matches);
}

void program_sums_join(struct program_sums *sums, const struct program_sums *others) {
    sums->sends += others->sends;
    sums->receives += others->receives;
    sums->members += others->members;
    sums->references += others->references;
    sums->unmatched_sends += others->unmatched_sends;
    sums->unmatched_receives += others->unmatched_receives;
}

status_code program_sums_check(const struct program_sums *sums, const struct program *program,
                               struct status *status) {
    RETURN_ERROR_IF(sums->sends != sums->receives, status, STATUS_INPUT,
                    "its sends and receives are not matched with each other (one process says "
                    "which)");
    RETURN_ERROR_IF(sums->members != sums->references, status, STATUS_INPUT,
                    "the members of a communicator do not call the same collectives (one process "
                    "says which)");
    RETURN_ERROR_IF(sums->unmatched_sends != program->unmatched_sends ||
                        sums->unmatched_receives != program->unmatched_receives,
                    status, STATUS_INPUT,
                    "%" PRIu64 " sends and %" PRIu64 " receives are unmatched, not %" PRIu64
                    " and %" PRIu64,
                    sums->unmatched_sends, sums->unmatched_receives, program->unmatched_sends,
                    program->unmatched_receives);
    return STATUS_OK;
}
