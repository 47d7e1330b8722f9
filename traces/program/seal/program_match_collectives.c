/*
 * Instances of collectives. The first member of a communicator is its reference: its sequence of
 * collectives is stored, and the other members are compared with it. Must not know algorithms.
 *
 * Invariants: memory is proportional to the instances (not to instances times members), to the
 * communicators, and, for v- and w-collectives only, 8 to 24 bytes per call. Results do not depend
 * on the number of threads.
 */
#include "traces/program/seal/program_match_collectives.h"
#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "core/processes/parallel.h"
#include "traces/program/seal/collective_arguments.h"
#include "traces/program/seal/program_instance.h"
#include "traces/program/vector_table.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A rank's counts on one communicator. Out of date unless rank_plus_one belongs to the current
 * rank. */
struct instance_counters {
    uint32_t rank_plus_one;
    uint32_t count[3];
};

struct communicator_state {
    uint64_t first;         /* index in instances of the first collective */
    uint32_t length;        /* collectives of the reference */
    uint32_t create_length; /* CREATE_HANDLEs of the reference */
    atomic_uint complete;   /* members that called as many */
    atomic_uint create_complete;
    atomic_bool create_differs;
};

struct instance_finder {
    const struct program *program;
    const struct program_posted *posted;
    struct program *writable; /* NULL: only compare */
    struct communicator_state *communicators;
    struct program_instance *instances;
    uint64_t *raw;
    atomic_ullong unequal;                /* calls with another size than the reference's call */
    atomic_bool has_other_elements;       /* a reduction has another value than its reference */
    struct vector_table sizes, pair_rows; /* what store_sizes stores */
    bool *is_reference;                   /* for each rank */
    struct instance_counters **counters;  /* for each worker and communicator */
};

/* Returns how many numbers are gathered of each member: its values, and the place of its row. */
static uint32_t gathered_of(uint32_t kind) {
    uint64_t values[2];
    return program_values_of(&(struct program_collective_arguments){.kind = kind}, values) +
           program_is_paired(kind);
}

/* Pass 1: numbers the collectives of every rank. The references note how many there are. */
static status_code number_rank(void *context, unsigned worker, uint64_t rank,
                               struct status *status) {
    struct instance_finder *finder = context;
    const struct program *program = finder->program;
    const struct program_places *places = &finder->posted->ranks[rank].collectives;
    for (size_t k = 0; k < places->count; k++) {
        const struct program_operation own = program_posted_at(program, (uint32_t)rank, places, k);
        const struct program_operation *operation = &own;
        const struct program_collective_arguments *arguments =
            program_arguments_of(program, operation);
        uint32_t communicator = arguments->communicator;
        struct instance_counters *counters = &finder->counters[worker][communicator];
        if (counters->rank_plus_one != (uint32_t)rank + 1)
            *counters = (struct instance_counters){.rank_plus_one = (uint32_t)rank + 1};
        program_counted class = program_counted_class(arguments->kind);
        uint32_t number = counters->count[class]++;
        RETURN_ERROR_IF(finder->writable == NULL && operation->collective.instance != number,
                        status, STATUS_INPUT, "rank %u: %s has instance %u instead of %u",
                        (uint32_t)rank, program_collective_name(arguments->kind),
                        operation->collective.instance, number);
        if (finder->writable != NULL)
            program_posted_collective(finder->writable, (uint32_t)rank, places, k)
                ->collective.instance = number;
        if (program_is_self(program, communicator) ||
            program_place_of_rank(program, arguments, (uint32_t)rank) != 0)
            continue;
        finder->is_reference[rank] = true;
        if (class == PROGRAM_COUNTED_OTHER) finder->communicators[communicator].length = number + 1;
        if (class == PROGRAM_COUNTED_CREATE)
            finder->communicators[communicator].create_length = number + 1;
    }
    paging_evict(finder->program->paging);
    return STATUS_OK;
}

/* Pass 2: the references store their sequences. */
static status_code store_sequences(void *context, unsigned worker, uint64_t rank,
                                   struct status *status) {
    (void)worker;
    (void)status;
    struct instance_finder *finder = context;
    const struct program *program = finder->program;
    if (!finder->is_reference[rank]) return STATUS_OK;
    const struct program_places *places = &finder->posted->ranks[rank].collectives;
    for (size_t k = 0; k < places->count; k++) {
        const struct program_operation own = program_posted_at(program, (uint32_t)rank, places, k);
        const struct program_operation *operation = &own;
        const struct program_collective_arguments *arguments =
            program_arguments_of(program, operation);
        if (program_is_self(program, arguments->communicator) ||
            program_counted_class(arguments->kind) != PROGRAM_COUNTED_OTHER ||
            program_place_of_rank(program, arguments, (uint32_t)rank) != 0)
            continue;
        uint64_t first = finder->communicators[arguments->communicator].first;
        finder->instances[first + operation->collective.instance] =
            program_instance_of(program, operation, (uint32_t)rank);
    }
    return STATUS_OK;
}

static status_code disagree(const struct program *program, uint32_t communicator, uint32_t rank,
                            const char *does, uint32_t number, const char *reference_does,
                            struct status *status) {
    char where[PROGRAM_COMMUNICATOR_TEXT];
    program_write_communicator(program, communicator, where);
    return status_set(
        status, STATUS_INPUT,
        "rank %u: its collective number %u on %s is %s, but rank %u's is %s (trace cut "
        "short?)",
        rank, number, where, does, program_member(program, communicator, 0, rank), reference_does);
}

/* The sizes, sent and received, that a member of a collective must have. On intercommunicators what
 * one group sends is what the other group receives. Returns false if members may differ. */
static bool expected_sizes(const struct program *program, const struct program_instance *reference,
                           const struct program_collective_arguments *arguments, uint32_t rank,
                           uint64_t bytes[2]) {
    const struct program_communicator *communicator =
        &program->communicators[arguments->communicator];
    uint64_t values[2];
    if (program_values_of(arguments, values) > 0) return false;
    bytes[0] = reference->send_bytes;
    bytes[1] = reference->receive_bytes;
    if (communicator->remote_size == 0) return true;
    if (program_place_of_rank(program, arguments, rank) >= communicator->size) {
        bytes[0] = reference->receive_bytes;
        bytes[1] = reference->send_bytes;
    }
    return arguments->kind == PROGRAM_COLLECTIVE_ALLGATHER ||
           arguments->kind == PROGRAM_COLLECTIVE_ALLTOALL ||
           arguments->kind == PROGRAM_COLLECTIVE_ALLREDUCE ||
           arguments->kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK;
}

static status_code compare_with_reference(struct instance_finder *finder, uint32_t rank,
                                          const struct program_operation *operation,
                                          struct status *status) {
    const struct program *program = finder->program;
    const struct program_collective_arguments *arguments = program_arguments_of(program, operation);
    uint32_t communicator = arguments->communicator;
    struct communicator_state *state = &finder->communicators[communicator];
    uint32_t number = operation->collective.instance;
    const char *mine = program_collective_name(arguments->kind);
    if (number >= state->length)
        return disagree(program, communicator, rank, mine, number, "missing", status);
    const struct program_instance *reference = &finder->instances[state->first + number];
    struct program_instance own = program_instance_of(program, operation, rank);
    if (own.kind != reference->kind)
        return disagree(program, communicator, rank, mine, number,
                        program_collective_name(reference->kind), status);
    if (own.blocking != reference->blocking)
        return disagree(program, communicator, rank, own.blocking ? "blocking" : "non-blocking",
                        number, own.blocking ? "non-blocking" : "blocking", status);
    bool is_inter = program->communicators[communicator].remote_size > 0;
    bool knows = !is_inter || (own.root != PROGRAM_NONE && reference->root != PROGRAM_NONE);
    if (knows && own.root != reference->root)
        return disagree(program, communicator, rank, "one with another root", number, mine, status);
    const bool is_reduction = program_is_reduction(arguments->kind);
    uint64_t values[2];
    uint32_t value_count = program_values_of(arguments, values);
    uint64_t bytes[2];
    if (expected_sizes(program, reference, arguments, rank, bytes) &&
        (arguments->send_bytes != bytes[0] || arguments->receive_bytes != bytes[1])) {
        if (finder->writable == NULL)
            return disagree(program, communicator, rank, "one of another size", number, mine,
                            status);
        atomic_fetch_add(&finder->unequal, 1);
    }
    if (own.value != reference->value && (finder->writable == NULL || is_reduction)) {
        if (finder->writable == NULL)
            return disagree(program, communicator, rank, "one with other sizes", number, mine,
                            status);
        atomic_store(&finder->has_other_elements, true);
    }
    uint32_t place = program_place_of_rank(program, arguments, rank);
    uint32_t total = program_member_total(program, communicator);
    for (uint32_t v = 0; finder->writable != NULL && v < value_count; v++)
        finder->raw[reference->raw + (uint64_t)v * total + place] = values[v];
    if (finder->writable != NULL && program_is_paired(arguments->kind))
        finder->raw[reference->raw + (uint64_t)value_count * total + place] =
            operation->pair_row_plus_1;
    if (finder->writable == NULL && own.sizes != reference->sizes)
        return disagree(program, communicator, rank, "one with other sizes", number, mine, status);
    if (number + 1 == state->length) atomic_fetch_add(&state->complete, 1);
    return STATUS_OK;
}

/* Pass 3: compares every rank with the references. */
static status_code compare_rank(void *context, unsigned worker, uint64_t rank,
                                struct status *status) {
    (void)worker;
    struct instance_finder *finder = context;
    const struct program *program = finder->program;
    const struct program_places *places = &finder->posted->ranks[rank].collectives;
    for (size_t k = 0; k < places->count; k++) {
        const struct program_operation own = program_posted_at(program, (uint32_t)rank, places, k);
        const struct program_operation *operation = &own;
        const struct program_collective_arguments *arguments =
            program_arguments_of(program, operation);
        if (finder->writable == NULL)
            FORWARD_IF_ERROR(program_check_sizes(program, (uint32_t)rank, operation, status));
        if (program_is_self(program, arguments->communicator)) continue;
        struct communicator_state *state = &finder->communicators[arguments->communicator];
        program_counted class = program_counted_class(arguments->kind);
        if (class == PROGRAM_COUNTED_OTHER)
            FORWARD_IF_ERROR(compare_with_reference(finder, (uint32_t)rank, operation, status));
        if (class != PROGRAM_COUNTED_CREATE || arguments->own_member == PROGRAM_NONE) continue;
        uint32_t number = operation->collective.instance;
        if (number + 1 == state->create_length) atomic_fetch_add(&state->create_complete, 1);
        if (number >= state->create_length) atomic_store(&state->create_differs, true);
    }
    paging_evict(finder->program->paging);
    return STATUS_OK;
}

/* Names a member that called fewer collectives than the reference. */
static status_code name_missing(const struct instance_finder *finder, uint32_t communicator,
                                struct status *status) {
    const struct program *program = finder->program;
    const struct program_communicator *c = &program->communicators[communicator];
    uint32_t length = finder->communicators[communicator].length;
    for (uint32_t m = 0; m < c->size + c->remote_size; m++) {
        uint32_t rank = m < c->size
                            ? program->communicator_members[c->members + m]
                            : program->communicator_members[c->remote_members + m - c->size];
        const struct program_places *places = &finder->posted->ranks[rank].collectives;
        uint32_t count = 0;
        for (size_t k = 0; k < places->count; k++) {
            const struct program_operation *operation =
                PROGRAM_OPERATION_AT(program, rank, program->ranks[rank].first + places->at[k]);
            const struct program_collective_arguments *arguments =
                program_arguments_of(program, operation);
            if (arguments->communicator == communicator &&
                program_counted_class(arguments->kind) == PROGRAM_COUNTED_OTHER)
                count++;
        }
        if (count < length) {
            uint64_t first = finder->communicators[communicator].first;
            const char *kind = program_collective_name(finder->instances[first + count].kind);
            return disagree(program, communicator, rank, "missing", count, kind, status);
        }
    }
    return STATUS_OK; /* never reached: the caller knows that a call is missing */
}

/* After pass 3: tests that all members called all collectives, and sets or tests
 * handles_synchronise. */
static status_code compare_lengths(struct instance_finder *finder, struct program *writable,
                                   struct status *status) {
    const struct program *program = finder->program;
    for (uint32_t c = 0; c < program->communicator_count; c++) {
        struct communicator_state *state = &finder->communicators[c];
        if (state->length > 0 && atomic_load(&state->complete) != program_member_total(program, c))
            return name_missing(finder, c, status);
        bool synchronise = state->create_length > 0 && !atomic_load(&state->create_differs) &&
                           atomic_load(&state->create_complete) == program_member_total(program, c);
        if (writable != NULL) writable->communicators[c].handles_synchronise = synchronise;
        RETURN_ERROR_IF(program->communicators[c].handles_synchronise != synchronise, status,
                        STATUS_INPUT, "communicator %u: handles_synchronise is wrong", c);
    }
    return STATUS_OK;
}

/* Gives every call whose size or element differs from its reference's those of the reference. */
static status_code follow_references(struct instance_finder *finder, struct program *program,
                                     struct status *status) {
    struct collective_arguments changes = {.program = program, .posted = finder->posted};
    status_code code = STATUS_OK;
    for (uint32_t rank = 0; rank < program->rank_count && code == STATUS_OK; rank++) {
        const struct program_places *places = &finder->posted->ranks[rank].collectives;
        for (size_t k = 0; k < places->count && code == STATUS_OK; k++) {
            struct program_operation *operation =
                program_posted_collective(program, rank, places, k);
            const struct program_collective_arguments *arguments =
                program_arguments_of(program, operation);
            uint32_t communicator = arguments->communicator;
            if (program_is_self(program, communicator) ||
                program_counted_class(arguments->kind) != PROGRAM_COUNTED_OTHER)
                continue;
            const struct program_instance *reference =
                &finder->instances[finder->communicators[communicator].first +
                                   operation->collective.instance];
            uint64_t bytes[2];
            if (program_is_reduction(arguments->kind))
                operation->element_bytes = reference->element_bytes & (PROGRAM_BYTES_LIMIT - 1);
            if (expected_sizes(program, reference, arguments, rank, bytes) &&
                (arguments->send_bytes != bytes[0] || arguments->receive_bytes != bytes[1]))
                code = collective_arguments_resize(&changes, operation, bytes[0], bytes[1], status);
        }
    }
    if (code == STATUS_OK) code = collective_arguments_finish(&changes, status);
    collective_arguments_free(&changes);
    return code;
}

/* Points a rank's operations to their sizes and rows. Stores the sizes of MPI_COMM_SELF. */
static status_code point_to_sizes(struct instance_finder *finder, struct program *program,
                                  uint32_t rank, struct status *status) {
    const struct program_places *places = &finder->posted->ranks[rank].collectives;
    uint64_t values[2];
    for (size_t k = 0; k < places->count; k++) {
        struct program_operation *operation = program_posted_collective(program, rank, places, k);
        const struct program_collective_arguments *arguments =
            program_arguments_of(program, operation);
        uint32_t value_count = program_values_of(arguments, values);
        if (value_count == 0) continue;
        const bool self = program_is_self(program, arguments->communicator);
        const struct program_instance *instance =
            self ? NULL
                 : &finder->instances[finder->communicators[arguments->communicator].first +
                                      operation->collective.instance];
        if (program_is_paired(arguments->kind))
            operation->pair_row_plus_1 =
                self ? 0 : instance->pair_row_plus_1 & (PROGRAM_BYTES_LIMIT - 1);
        if (self)
            FORWARD_IF_ERROR(vector_table_find(&finder->sizes, values, value_count,
                                               &operation->collective.sizes, status));
        else
            operation->collective.sizes = instance->sizes;
    }
    return STATUS_OK;
}

/* Stores the places of the rows of an instance, unless a row is not known. */
static status_code store_rows(struct instance_finder *finder, struct program_instance *instance,
                              uint64_t *rows, uint32_t members, struct status *status) {
    bool known = true;
    for (uint32_t i = 0; i < members; i++)
        known &= rows[i] > 0;
    instance->pair_row_plus_1 = 0;
    if (!known) return STATUS_OK;
    for (uint32_t i = 0; i < members; i++)
        rows[i]--;
    uint32_t first = 0;
    FORWARD_IF_ERROR(vector_table_find(&finder->pair_rows, rows, members, &first, status));
    instance->pair_row_plus_1 = first + UINT64_C(1);
    return STATUS_OK;
}

static status_code store_sizes(struct instance_finder *finder, struct program *program,
                               struct status *status) {
    uint64_t values[2];
    for (uint32_t c = 0; c < program->communicator_count; c++) {
        struct communicator_state *state = &finder->communicators[c];
        const uint32_t members = program_member_total(program, c);
        for (uint64_t i = state->first; i < state->first + state->length; i++) {
            struct program_instance *instance = &finder->instances[i];
            uint32_t value_count = program_values_of(
                &(struct program_collective_arguments){.kind = instance->kind}, values);
            if (value_count == 0) continue;
            uint64_t *raw = finder->raw + instance->raw;
            uint64_t count = (uint64_t)value_count * members;
            FORWARD_IF_ERROR(
                vector_table_find(&finder->sizes, raw, count, &instance->sizes, status));
            if (program_is_paired(instance->kind))
                FORWARD_IF_ERROR(store_rows(finder, instance, raw + count, members, status));
        }
    }
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        FORWARD_IF_ERROR(point_to_sizes(finder, program, rank, status));
    return STATUS_OK;
}

/* Moves the stored sizes to the program. */
static void keep_sizes(struct instance_finder *finder, struct program *program) {
    program->sizes = finder->sizes.values;
    program->size_count = finder->sizes.count;
    program->pair_rows = finder->pair_rows.values;
    program->pair_row_count = finder->pair_rows.count;
    finder->sizes.values = finder->pair_rows.values = NULL;
}

/* Makes room for the sequences, after pass 1. */
static status_code place_sequences(struct instance_finder *finder, uint64_t *total,
                                   struct status *status) {
    *total = 0;
    for (uint32_t c = 0; c < finder->program->communicator_count; c++) {
        finder->communicators[c].first = *total;
        *total += finder->communicators[c].length;
    }
    finder->instances = memory_new(*total, sizeof *finder->instances);
    RETURN_ERROR_IF(finder->instances == NULL, status, STATUS_MEMORY,
                    "out of memory for %" PRIu64 " collectives", *total);
    return STATUS_OK;
}

/* Makes room for the gathered sizes, after pass 2. */
static status_code place_raw(struct instance_finder *finder, struct status *status) {
    uint64_t raw_count = 0;
    for (uint32_t c = 0; c < finder->program->communicator_count; c++) {
        struct communicator_state *state = &finder->communicators[c];
        for (uint64_t i = state->first; i < state->first + state->length; i++) {
            struct program_instance *instance = &finder->instances[i];
            instance->raw = raw_count;
            raw_count +=
                (uint64_t)program_member_total(finder->program, c) * gathered_of(instance->kind);
        }
    }
    if (finder->writable == NULL) return STATUS_OK;
    finder->raw = memory_new(raw_count, sizeof *finder->raw);
    RETURN_ERROR_IF(finder->raw == NULL, status, STATUS_MEMORY,
                    "out of memory for %" PRIu64 " sizes of collectives", raw_count);
    return STATUS_OK;
}

static status_code find_all_instances(struct instance_finder *finder, struct program *writable,
                                      unsigned threads, struct status *status) {
    uint32_t rank_count = finder->program->rank_count;
    uint64_t instance_count;
    FORWARD_IF_ERROR(parallel_for(threads, rank_count, number_rank, finder, status));
    FORWARD_IF_ERROR(place_sequences(finder, &instance_count, status));
    FORWARD_IF_ERROR(parallel_for(threads, rank_count, store_sequences, finder, status));
    FORWARD_IF_ERROR(place_raw(finder, status));
    FORWARD_IF_ERROR(parallel_for(threads, rank_count, compare_rank, finder, status));
    FORWARD_IF_ERROR(compare_lengths(finder, writable, status));
    if (writable == NULL) return STATUS_OK;
    if (atomic_load(&finder->unequal) > 0 || atomic_load(&finder->has_other_elements))
        FORWARD_IF_ERROR(follow_references(finder, writable, status));
    bool sized = false;
    for (uint32_t i = 0; i < writable->collective_argument_count; i++)
        sized |= program_collective_is_sized(writable->collective_arguments[i].kind);
    if (!sized) return STATUS_OK;
    FORWARD_IF_ERROR(store_sizes(finder, writable, status));
    keep_sizes(finder, writable);
    return STATUS_OK;
}

static status_code find_instances(const struct program *program, struct program *writable,
                                  const struct program_posted *posted, unsigned threads,
                                  uint64_t *unequal, struct status *status) {
    unsigned workers = parallel_threads(threads, program->rank_count);
    uint32_t communicator_count = program->communicator_count;
    struct instance_finder finder = {.program = program, .posted = posted, .writable = writable};
    finder.communicators = memory_new(communicator_count, sizeof *finder.communicators);
    finder.is_reference = memory_new(program->rank_count, sizeof *finder.is_reference);
    finder.counters = memory_new(workers, sizeof *finder.counters);
    bool whole =
        finder.communicators != NULL && finder.is_reference != NULL && finder.counters != NULL;
    for (unsigned i = 0; whole && i < workers; i++) {
        finder.counters[i] = memory_new(communicator_count, sizeof **finder.counters);
        whole = finder.counters[i] != NULL;
    }
    status_code code = whole ? find_all_instances(&finder, writable, threads, status)
                             : status_set(status, STATUS_MEMORY,
                                          "out of memory for %u communicators", communicator_count);
    *unequal = atomic_load(&finder.unequal);
    for (unsigned i = 0; finder.counters != NULL && i < workers; i++)
        free(finder.counters[i]);
    free(finder.counters);
    free(finder.is_reference);
    free(finder.communicators);
    free(finder.instances);
    free(finder.raw);
    vector_table_free(&finder.sizes);
    vector_table_free(&finder.pair_rows);
    return code;
}

status_code program_match_collectives(struct program *program, const struct program_posted *posted,
                                      unsigned threads, uint64_t *unequal, struct status *status) {
    return find_instances(program, program, posted, threads, unequal, status);
}

status_code program_match_collectives_check(const struct program *program,
                                            const struct program_posted *posted, unsigned threads,
                                            struct status *status) {
    uint64_t unequal;
    return find_instances(program, NULL, posted, threads, &unequal, status);
}
