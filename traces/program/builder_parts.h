/*
 * Inside of the program builder, shared by builder_definitions.c (phase 1), program_builder.c
 * (phase 2) and program_seal.c (phase 3) only.
 *
 * Invariants while building: operations have their final form except for
 *  - kind BUILDER_DROPPED: vanishes when sealing;
 *  - SEND, RECEIVE: match is BUILDER_POSTED or BUILDER_WAITED, channel is an index into the rank's
 *    own channels (PROGRAM_NONE: reserved, not known yet);
 *  - COLLECTIVE: instance is BUILDER_POSTED or BUILDER_WAITED, arguments is an index into the
 *    rank's own arguments (PROGRAM_NONE: reserved);
 *  - WAIT: first (or what it points to in waits) are indices of the rank's operations, not slots.
 */
#ifndef ANAX_TRACES_BUILDER_PARTS_H
#define ANAX_TRACES_BUILDER_PARTS_H

#include "traces/key_table.h"
#include "traces/program/program_builder.h"

#include <pthread.h>

enum { BUILDER_DROPPED = 0xFF };
enum { BUILDER_POSTED = 0, BUILDER_WAITED = 1 };

typedef struct builder_rank {
    program_operation *operations;
    size_t operation_count, operation_capacity;
    size_t dropped_count; /* of them, BUILDER_DROPPED */
    uint32_t *waits;
    size_t wait_count, wait_capacity;
    uint32_t *blocking; /* operations of the current call that builder_wait_call waits for */
    size_t blocking_count, blocking_capacity;
    uint32_t *open_regions;
    size_t open_count, open_capacity;
    key_table requests; /* id -> operation */
    program_channel *channels;
    size_t channel_count, channel_capacity;
    key_table channel_index;
    program_collective_arguments *arguments;
    size_t argument_count, argument_capacity;
    key_table argument_index;
    uint32_t *channel_numbers; /* when sealing: where the rank's own ones are in the program's */
    uint32_t *argument_numbers;
    uint32_t call_region; /* PROGRAM_NONE: not inside a call */
} builder_rank;

typedef struct builder_note_text {
    char *what;
    char *why;
    uint64_t count;
} builder_note_text;

struct program_builder {
    program *program; /* the shared tables grow in place; operations come when sealing */
    size_t string_capacity, region_capacity, communicator_capacity;
    key_table string_index, region_index, group_index;
    /* As long as communicator_members: per group, its member numbers in ascending order of their
     * world ranks, to find a rank's number. */
    uint32_t *members_sorted;
    size_t member_capacity, sorted_capacity;
    builder_rank *ranks;
    pthread_mutex_t note_lock;
    builder_note_text *notes;
    size_t note_count, note_capacity;
    status_code failed; /* of a function that cannot say so; builder_seal reports it */
};

typedef struct builder_member {
    bool remote;     /* in the remote group of an intercommunicator */
    uint32_t number; /* in its group; PROGRAM_NONE: not a member */
} builder_member;

builder_member builder_find_member(const program_builder *builder, uint32_t communicator,
                                   uint32_t rank);

/* Interns an element of size bytes, all of it meaningful, in a growing array. */
status_code builder_intern(key_table *table, uint64_t hash, const void *element, size_t size,
                           void **array, size_t *count, size_t *capacity, uint32_t *index,
                           status *status);
uint64_t builder_hash_channel(const program_channel *channel);
uint64_t builder_hash_arguments(const program_collective_arguments *arguments);

void builder_rank_clear(builder_rank *rank);

#endif
