/*
 * Inside of the program builder, shared by builder_definitions.c (phase 1), program_builder.c
 * and builder_collectives.c (phase 2), builder_place.c (end of phase 2) and program_seal.c (phase
 * 3) only.
 *
 * Invariants while building: operations have their final form except for
 *  - kind BUILDER_DROPPED: vanishes when sealing;
 *  - SEND, RECEIVE: match is BUILDER_POSTED, BUILDER_WAITED or BUILDER_TESTED, channel is an
 *    index into the rank's own channels (PROGRAM_NONE: reserved, not known yet;
 *    with peer PROGRAM_NONE too: unrecorded, sealing finds out which send it takes), slot the
 *    rank's operation which the send is a restart of (PROGRAM_NONE: of none, or it was waited for);
 *  - COLLECTIVE: flags may have BUILDER_SIZES_ARE_KNOWN, until sealing has decided about open ones;
 *    instance is BUILDER_POSTED or BUILDER_WAITED, arguments is an index into the
 *    rank's own arguments (PROGRAM_NONE: reserved);
 *  - WAIT: first (or what it points to in waits) are indices of the rank's operations, not slots.
 */
#ifndef ANAX_TRACES_BUILDER_PARTS_H
#define ANAX_TRACES_BUILDER_PARTS_H

#include "traces/key_table.h"
#include "traces/program/program_builder.h"
#include "traces/program/program_posted.h"

#include <pthread.h>
#include <stdatomic.h>

enum { BUILDER_DROPPED = 0xFF };
enum {
    BUILDER_POSTED = 0,
    BUILDER_WAITED = 1,
    BUILDER_TESTED = 2
}; /* TESTED: of a persistent send */

/* New numbers of a rank's channels or arguments: first in the order in which its operations use
 * them (what is known of a request early or late must not make a difference), then the program's.
 */
struct builder_order {
    uint32_t *number; /* per element; PROGRAM_NONE: not used so far */
    uint32_t *used;   /* elements in the order of their use */
    size_t number_capacity, used_capacity;
    uint32_t used_count;
};

/* A message of a rank whose peer was checked and whose channel was found. */
struct builder_recent {
    bool is_set;
    uint32_t peer;
    int32_t tag;
    uint32_t communicator;
    uint32_t channel;
};

enum { BUILDER_RECENT_BITS = 6, BUILDER_RECENT = 1 << BUILDER_RECENT_BITS };

/* A rank while it is appended to. When it has found its place in the program, the next rank goes on
 * with its memory. */
struct builder_rank {
    struct program_operation *operations;
    size_t operation_count, operation_capacity;
    size_t dropped_count;    /* of them, BUILDER_DROPPED */
    size_t unrecorded_count; /* of them, unrecorded receives */
    uint32_t *waits;
    size_t wait_count, wait_capacity;
    uint32_t *blocking; /* operations of the current call that builder_wait_call waits for */
    size_t blocking_count, blocking_capacity;
    uint32_t *open_regions;
    size_t open_count, open_capacity;
    struct key_table requests; /* id -> operation */
    struct key_table
        tested; /* the same, of persistent sends that were only tested since their start */
    struct program_channel *channels;
    size_t channel_count, channel_capacity;
    struct key_table channel_index;
    struct builder_recent *recent; /* BUILDER_RECENT of them; NULL before the first message */
    struct program_collective_arguments *arguments;
    size_t argument_count, argument_capacity;
    struct key_table argument_index;
    uint32_t call_region; /* PROGRAM_NONE: not inside a call */
    /* Once it is done: */
    struct builder_order channel_order, argument_order;
    struct program_posted_rank posted; /* places in the program */
    uint32_t mark_count, slot_count;
    uint32_t *free_slots; /* used last in, first out */
    size_t free_count, free_capacity;
    uint64_t expected; /* builder_expect */
    bool is_done;
};

/* One of the two kinds of tables that each rank has for itself and the program once for all. */
struct builder_united {
    void *elements;
    size_t count, capacity;
    struct key_table index;
};

/* Where the program's operations come together, rank after rank (builder_place.c). */
struct builder_places {
    pthread_mutex_t lock;    /* of all but what is said to be under `moving` */
    pthread_rwlock_t moving; /* held to write: the program's arrays move */
    struct program_posted posted;
    struct builder_united channels, arguments;
    size_t operation_capacity, wait_slot_capacity; /* of the program's arrays */
    uint32_t next_rank;                            /* all before it have their places */
    uint64_t unrecorded_count;                     /* of those that have one */
    uint64_t expected;                             /* by all ranks, and by those with a place */
    uint64_t expected_so_far;
    struct builder_rank *spares; /* memory for ranks to come */
    size_t spare_count, spare_capacity;
};

struct builder_note_text {
    char *what;
    char *why;
    uint64_t count;
    bool is_assumed;
};

struct program_builder {
    struct program *program; /* the shared tables grow in place; operations come when sealing */
    size_t string_capacity, region_capacity, communicator_capacity;
    struct key_table string_index, region_index, group_index;
    /* As long as communicator_members: per group, its member numbers in ascending order of their
     * world ranks, to find a rank's number. */
    uint32_t *members_sorted;
    size_t member_capacity, sorted_capacity;
    struct builder_rank *ranks;
    struct builder_places places;
    pthread_mutex_t note_lock;
    struct builder_note_text *notes;
    size_t note_count, note_capacity;
    bool is_sealed;
    bool sizes_are_open;
    atomic_bool has_known; /* some collective has BUILDER_SIZES_ARE_KNOWN */
    status_code failed;    /* of a function that cannot say so; builder_seal reports it */
};

struct builder_member {
    bool remote;     /* in the remote group of an intercommunicator */
    uint32_t number; /* in its group; PROGRAM_NONE: not a member */
};

/* While building, the RECEIVE of a builder_receive_unrecorded. */
static inline bool builder_is_unrecorded(const struct program_operation *operation) {
    return operation->kind == PROGRAM_RECEIVE && operation->message.peer == PROGRAM_NONE;
}

struct builder_member builder_find_member(const struct program_builder *builder,
                                          uint32_t communicator, uint32_t rank);

/* Interns an element of size bytes, all of it meaningful, in a growing array. */
status_code builder_intern(struct key_table *table, uint64_t hash, const void *element, size_t size,
                           void **array, size_t *count, size_t *capacity, uint32_t *index,
                           struct status *status);
uint64_t builder_hash_channel(const struct program_channel *channel);
uint64_t builder_hash_arguments(const struct program_collective_arguments *arguments);

void builder_rank_clear(struct builder_rank *rank);

/* program_builder.c, for all that appends to ranks */
/* The rank's part, checked. wants_call: the operation stands inside an MPI call, or outside. */
status_code builder_enter_rank(struct program_builder *builder, uint32_t rank, bool wants_call,
                               const char *what, struct builder_rank **part, struct status *status);
/* Makes room for one more operation, to be written where it stays: a copy of what has just been
 * written in smaller parts waits until these have left the processor. */
status_code builder_append(struct builder_rank *part, uint32_t rank,
                           struct program_operation **operation, struct status *status);
/* Notes that the operation appended last is to be waited for. */
status_code builder_post(struct builder_rank *part, uint32_t rank, uint64_t request,
                         struct status *status);
/* Finds a request in flight whose operation is of the wanted kind. */
status_code builder_find_request(struct builder_rank *part, uint32_t rank, uint64_t request,
                                 program_kind kind, struct program_operation **operation,
                                 struct status *status);
status_code builder_reserve(struct program_builder *builder,
                            const struct program_operation *reserved, uint32_t rank,
                            uint64_t request, struct status *status);
/* Makes an operation vanish. */
status_code builder_drop(struct program_builder *builder, uint32_t rank, uint64_t request,
                         program_kind kind, struct status *status);

/* builder_place.c */
/* No rank has a place yet. */
status_code builder_places_new(struct program_builder *builder, uint32_t rank_count,
                               struct status *status);
void builder_places_free(struct program_builder *builder);
/* Memory that another rank has left, if there is any, for one that has none. */
void builder_take_spare(struct program_builder *builder, struct builder_rank *rank);
/* All ranks have their places: hands the program what came together, and gives back the rest. */
status_code builder_places_close(struct program_builder *builder, struct status *status);

#endif
