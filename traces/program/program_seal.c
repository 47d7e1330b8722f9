/*
 * Phase 3 of building a program. Must not know OTF2 or files.
 *
 * Invariant: the result depends on what was appended to each rank, not on the order in which ranks
 * were appended to, nor on the number of threads. A rank's own buffers are freed as soon as its
 * operations stand in the sealed program, so the peak stays below twice the program.
 */
#include "core/memory.h"
#include "core/parallel.h"
#include "traces/program/builder_parts.h"
#include "traces/program/content_hash.h"
#include "traces/program/program_hash.h"
#include "traces/program/program_in_place.h"
#include "traces/program/program_instances.h"
#include "traces/program/program_match.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* New numbers of the rank's channels or arguments, in the order in which its operations use them:
 * what is known of a request early or late must not make a difference. */
typedef struct use_order {
    uint32_t *number; /* PROGRAM_NONE: not used so far */
    size_t capacity;
    uint32_t used;
} use_order;

/* Of the rank at hand. */
typedef struct seal_scratch {
    uint32_t *free_slots; /* used last in, first out */
    size_t free_count, free_capacity;
    use_order channels, arguments;
} seal_scratch;

typedef struct sealer {
    program_builder *builder;
    program *program;
    seal_scratch *scratch; /* per worker */
    program_posted posted;
} sealer;

static uint64_t hash_channel(const void *channel) {
    return builder_hash_channel(channel);
}

static uint64_t hash_arguments(const void *arguments) {
    return builder_hash_arguments(arguments);
}

static status_code order_begin(use_order *order, size_t count, status *status) {
    order->used = 0;
    FORWARD_IF_ERROR(memory_grow((void **)&order->number, &order->capacity, count,
                                 sizeof *order->number, status));
    for (size_t i = 0; i < count; i++)
        order->number[i] = PROGRAM_NONE;
    return STATUS_OK;
}

static uint32_t order_use(use_order *order, uint32_t index) {
    if (order->number[index] == PROGRAM_NONE) order->number[index] = order->used++;
    return order->number[index];
}

/* Puts an array into its new order; what is not used vanishes. */
static status_code order_apply(const use_order *order, void **array, size_t *count,
                               size_t element_bytes, status *status) {
    char *ordered = memory_new(order->used, element_bytes);
    RETURN_ERROR_IF(ordered == NULL, status, STATUS_MEMORY, "out of memory for sealing");
    for (size_t i = 0; i < *count; i++)
        if (order->number[i] != PROGRAM_NONE)
            memcpy(ordered + order->number[i] * element_bytes,
                   (const char *)*array + i * element_bytes, element_bytes);
    free(*array);
    *array = ordered;
    *count = order->used;
    return STATUS_OK;
}

static uint32_t take_slot(seal_scratch *scratch, program_rank *to) {
    if (scratch->free_count > 0) return scratch->free_slots[--scratch->free_count];
    return to->slot_count++;
}

/* `sealed` is a copy of `operation` in its final place; what a wait will ask for is kept in both.
 */
static status_code seal_posted(builder_rank *from, program_rank *to, program_operation *operation,
                               program_operation *sealed, seal_scratch *scratch, uint32_t rank,
                               status *status) {
    bool is_collective = operation->kind == PROGRAM_COLLECTIVE;
    uint32_t known = is_collective ? operation->collective.arguments : operation->message.channel;
    RETURN_ERROR_IF(known == PROGRAM_NONE, status, STATUS_USAGE,
                    "rank %u: operation %td is reserved but was neither made known nor dropped",
                    rank, operation - from->operations);
    if (is_collective) {
        sealed->collective.arguments = order_use(&scratch->arguments, known);
        if (!(operation->flags & PROGRAM_BLOCKING))
            sealed->collective.slot = operation->collective.slot = take_slot(scratch, to);
        return STATUS_OK;
    }
    sealed->message.channel = order_use(&scratch->channels, known);
    if (operation->message.match != BUILDER_WAITED)
        sealed->flags = (operation->flags | PROGRAM_DETACHED) & 0xFF;
    else if (!(operation->flags & PROGRAM_DETACHED))
        sealed->message.slot = operation->message.slot = take_slot(scratch, to);
    return STATUS_OK;
}

/* The slot of an operation that was posted before; it is free again. */
static status_code give_slot(builder_rank *from, uint32_t index, seal_scratch *scratch,
                             uint32_t *slot, status *status) {
    const program_operation *posted = &from->operations[index];
    *slot = posted->kind == PROGRAM_COLLECTIVE ? posted->collective.slot : posted->message.slot;
    FORWARD_IF_ERROR(memory_grow((void **)&scratch->free_slots, &scratch->free_capacity,
                                 scratch->free_count + 1, sizeof *slot, status));
    scratch->free_slots[scratch->free_count++] = *slot;
    return STATUS_OK;
}

static status_code seal_wait(builder_rank *from, const program_operation *operation,
                             program_operation *sealed, uint32_t *slots, seal_scratch *scratch,
                             status *status) {
    if (operation->wait.count == 1)
        return give_slot(from, operation->wait.first, scratch, &sealed->wait.first, status);
    for (uint32_t i = 0; i < operation->wait.count; i++) {
        uint32_t place = operation->wait.first + i;
        FORWARD_IF_ERROR(give_slot(from, from->waits[place], scratch, &slots[place], status));
    }
    return STATUS_OK;
}

/* Moves a rank's operations to their final place. */
static status_code seal_rank(void *context, unsigned worker, uint64_t rank, status *status) {
    sealer *sealer = context;
    program *program = sealer->program;
    builder_rank *from = &sealer->builder->ranks[rank];
    program_rank *to = &program->ranks[rank];
    seal_scratch *scratch = &sealer->scratch[worker];
    scratch->free_count = 0;
    RETURN_ERROR_IF(from->call_region != PROGRAM_NONE || from->open_count > 0, status, STATUS_INPUT,
                    "rank %u: %s is still open at the end", (uint32_t)rank,
                    from->open_count > 0 ? "a user region" : "an MPI call");
    FORWARD_IF_ERROR(order_begin(&scratch->channels, from->channel_count, status));
    FORWARD_IF_ERROR(order_begin(&scratch->arguments, from->argument_count, status));
    program_operation *first = program->operations + to->first, *out = first;
    for (size_t i = 0; i < from->operation_count; i++) {
        program_operation *operation = &from->operations[i];
        unsigned kind = operation->kind;
        if (kind == BUILDER_DROPPED) continue;
        *out = *operation;
        if (kind == PROGRAM_SEND || kind == PROGRAM_RECEIVE || kind == PROGRAM_COLLECTIVE) {
            FORWARD_IF_ERROR(
                seal_posted(from, to, operation, out, scratch, (uint32_t)rank, status));
            FORWARD_IF_ERROR(program_posted_add(&sealer->posted.ranks[rank], kind,
                                                (uint64_t)(out - first), status));
        } else if (kind == PROGRAM_WAIT)
            FORWARD_IF_ERROR(seal_wait(from, operation, out,
                                       program->wait_slots + to->first_wait_slot, scratch, status));
        else if (kind != PROGRAM_COMPUTE)
            to->mark_count++;
        out++;
    }
    *out = (program_operation){.kind = PROGRAM_END};
    to->send_count = (uint32_t)sealer->posted.ranks[rank].sends.count;
    to->receive_count = (uint32_t)sealer->posted.ranks[rank].receives.count;
    memory_give_back(from->operations, from->operation_capacity * sizeof *from->operations);
    free(from->waits);
    from->operations = NULL;
    from->waits = NULL;
    FORWARD_IF_ERROR(order_apply(&scratch->channels, (void **)&from->channels, &from->channel_count,
                                 sizeof *from->channels, status));
    return order_apply(&scratch->arguments, (void **)&from->arguments, &from->argument_count,
                       sizeof *from->arguments, status);
}

/* Lays out all ranks' operations and wait slots. */
static status_code place_ranks(sealer *sealer, status *status) {
    program *program = sealer->program;
    program->ranks = memory_new(program->rank_count, sizeof *program->ranks);
    RETURN_ERROR_IF(program->ranks == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    program->rank_count);
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const builder_rank *from = &sealer->builder->ranks[rank];
        program_rank *to = &program->ranks[rank];
        to->first = program->operation_count;
        to->count = from->operation_count - from->dropped_count + 1;
        to->first_wait_slot = program->wait_slot_count;
        to->wait_slot_count = from->wait_count;
        program->operation_count += to->count;
        program->wait_slot_count += to->wait_slot_count;
    }
    /* Not zeroed: that would touch all of it while the ranks' own buffers are still there. */
    program->operations = memory_new_large(program->operation_count, sizeof *program->operations);
    program->wait_slots = memory_new(program->wait_slot_count, sizeof *program->wait_slots);
    RETURN_ERROR_IF(program->operations == NULL || program->wait_slots == NULL, status,
                    STATUS_MEMORY, "out of memory for %" PRIu64 " operations",
                    program->operation_count);
    return STATUS_OK;
}

/* One of the two kinds of tables that each rank has for itself and the program once for all. */
typedef struct united_table {
    const char *what;
    size_t element_bytes;
    uint64_t (*hash)(const void *element);
    void *elements;
    size_t count, capacity;
    key_table index;
} united_table;

/* Takes a rank's elements into the united table and puts in *numbers where each of them is there.
 */
static status_code unite_rank(united_table *united, const void *elements, size_t count,
                              uint32_t **numbers, status *status) {
    *numbers = memory_new(count, sizeof **numbers);
    RETURN_ERROR_IF(*numbers == NULL, status, STATUS_MEMORY, "out of memory for %s", united->what);
    for (size_t i = 0; i < count; i++) {
        const void *element = (const char *)elements + i * united->element_bytes;
        FORWARD_IF_ERROR(builder_intern(&united->index, united->hash(element), element,
                                        united->element_bytes, &united->elements, &united->count,
                                        &united->capacity, &(*numbers)[i], status));
    }
    return STATUS_OK;
}

/* Unites the ranks' own tables, in the order of ranks. */
static status_code unite(sealer *sealer, status *status) {
    program *program = sealer->program;
    united_table channels = {"channels", sizeof(program_channel), hash_channel, NULL, 0, 0, {0}};
    united_table arguments = {
        "arguments", sizeof(program_collective_arguments), hash_arguments, NULL, 0, 0, {0}};
    status_code code = STATUS_OK;
    for (uint32_t rank = 0; rank < program->rank_count && code == STATUS_OK; rank++) {
        builder_rank *from = &sealer->builder->ranks[rank];
        code = unite_rank(&channels, from->channels, from->channel_count, &from->channel_numbers,
                          status);
        if (code == STATUS_OK)
            code = unite_rank(&arguments, from->arguments, from->argument_count,
                              &from->argument_numbers, status);
    }
    key_table_free(&channels.index);
    key_table_free(&arguments.index);
    program->channels = channels.elements;
    program->channel_count = (uint32_t)channels.count;
    program->collective_arguments = arguments.elements;
    program->collective_argument_count = (uint32_t)arguments.count;
    return code;
}

static void renumber_channels(program_operation *operations, const program_places *places,
                              const uint32_t *numbers) {
    for (size_t i = 0; i < places->count; i++) {
        program_operation *operation = &operations[places->at[i]];
        operation->message.channel = numbers[operation->message.channel];
    }
}

/* Replaces a rank's own indices by the united ones. */
static status_code renumber_rank(void *context, unsigned worker, uint64_t rank, status *status) {
    (void)worker;
    (void)status;
    sealer *sealer = context;
    builder_rank *from = &sealer->builder->ranks[rank];
    const program_posted_rank *posted = &sealer->posted.ranks[rank];
    program_operation *operations =
        sealer->program->operations + sealer->program->ranks[rank].first;
    renumber_channels(operations, &posted->sends, from->channel_numbers);
    renumber_channels(operations, &posted->receives, from->channel_numbers);
    for (size_t i = 0; i < posted->collectives.count; i++) {
        program_operation *operation = &operations[posted->collectives.at[i]];
        operation->collective.arguments = from->argument_numbers[operation->collective.arguments];
    }
    builder_rank_clear(from);
    return STATUS_OK;
}

static int compare_notes(const void *left, const void *right) {
    const builder_note_text *a = left, *b = right;
    int order = strcmp(a->what, b->what);
    return order != 0 ? order : strcmp(a->why, b->why);
}

/* Notes in the order of their names: they come from many threads. */
static status_code seal_notes(program_builder *builder, status *status) {
    program *program = builder->program;
    if (builder->note_count > 0)
        qsort(builder->notes, builder->note_count, sizeof *builder->notes, compare_notes);
    program->notes = memory_new(builder->note_count, sizeof *program->notes);
    RETURN_ERROR_IF(program->notes == NULL, status, STATUS_MEMORY, "out of memory for notes");
    for (size_t i = 0; i < builder->note_count; i++) {
        const builder_note_text *note = &builder->notes[i];
        uint32_t what = builder_string(builder, note->what);
        program->notes[i] = (program_note){what, builder_string(builder, note->why), note->count};
    }
    program->note_count = (uint32_t)builder->note_count;
    return STATUS_OK;
}

static void note_matches(program_builder *builder, uint64_t truncated_receives) {
    const program *program = builder->program;
    if (program->unmatched_sends > 0)
        builder_note(builder, "unmatched sends",
                     "no receive of them is in the trace: they are sent and dropped on arrival",
                     program->unmatched_sends);
    if (program->unmatched_receives > 0)
        builder_note(builder, "unmatched receives",
                     "no send to them is in the trace: they complete at once",
                     program->unmatched_receives);
    if (truncated_receives > 0)
        builder_note(builder, "length mismatch",
                     "receives got fewer bytes than their sends sent, so the trace is damaged or a "
                     "send is lost from it; the sender's length is simulated",
                     truncated_receives);
}

static status_code seal(sealer *sealer, unsigned threads, status *status) {
    program_builder *builder = sealer->builder;
    program *program = sealer->program;
    FORWARD_IF_ERROR(place_ranks(sealer, status));
    FORWARD_IF_ERROR(program_posted_new(&sealer->posted, program->rank_count, status));
    FORWARD_IF_ERROR(parallel_for(threads, program->rank_count, seal_rank, sealer, status));
    FORWARD_IF_ERROR(unite(sealer, status));
    FORWARD_IF_ERROR(parallel_for(threads, program->rank_count, renumber_rank, sealer, status));
    program_match_counts counts;
    FORWARD_IF_ERROR(program_match(program, &sealer->posted, threads, &counts, status));
    program->unmatched_sends = counts.unmatched_sends;
    program->unmatched_receives = counts.unmatched_receives;
    FORWARD_IF_ERROR(program_in_place(program, &sealer->posted, status));
    FORWARD_IF_ERROR(program_instances(program, &sealer->posted, threads, status));
    program_posted_free(&sealer->posted);
    note_matches(builder, counts.truncated_receives);
    FORWARD_IF_ERROR(seal_notes(builder, status));
    RETURN_ERROR_IF(builder->failed != STATUS_OK, status, builder->failed,
                    "too many names, or out of memory for them");
    return program_hash(program, threads, &program->content_hash, status);
}

status_code builder_seal(program_builder *builder, unsigned threads, program **program,
                         status *status) {
    *program = NULL;
    RETURN_ERROR_IF(builder->program->ranks != NULL, status, STATUS_USAGE,
                    "a program is sealed only once");
    unsigned workers = parallel_threads(threads, builder->program->rank_count);
    sealer sealer = {.builder = builder,
                     .program = builder->program,
                     .scratch = memory_new(workers, sizeof *sealer.scratch)};
    RETURN_ERROR_IF(sealer.scratch == NULL, status, STATUS_MEMORY, "out of memory for sealing");
    status_code code = seal(&sealer, threads, status);
    for (unsigned i = 0; i < workers; i++) {
        free(sealer.scratch[i].free_slots);
        free(sealer.scratch[i].channels.number);
        free(sealer.scratch[i].arguments.number);
    }
    free(sealer.scratch);
    program_posted_free(&sealer.posted);
    FORWARD_IF_ERROR(code);
    *program = builder->program;
    builder->program = NULL;
    free(builder->ranks);
    builder->ranks = NULL;
    memory_trim(); /* whoever goes on with the program wants room for other things */
    return STATUS_OK;
}
