/*
 * Private parts of the program builder, for builder_definitions.c and builder_topologies.c (phase
 * 1), program_builder.c, builder_waits.c, builder_vertices.c, builder_files.c and
 * builder_collectives.c (phase 2), builder_finish.c, builder_pack.c and builder_place.c (end of
 * phase 2), builder_exchange.c and builder_exchange_packed.c (ranks of other processes), and
 * program_seal.c (phase 3).
 *
 * Invariants of a rank's operations before the rank is done. They have their final form, except:
 * - kind BUILDER_DROPPED: the operation is removed when the rank is done;
 * - SEND, RECEIVE: request_state, in place of match, is BUILDER_POSTED, BUILDER_WAITED or
 *   BUILDER_TESTED; envelope is an index in the rank's own envelopes. Envelope PROGRAM_NONE:
 *   reserved, not known yet; peer PROGRAM_NONE too: an unrecorded receive, for which sealing finds
 *   a send. slot is the number of the operation whose persistent send this send restarts,
 *   PROGRAM_NONE if there is none or a wait completed it;
 * - COLLECTIVE: flags may contain BUILDER_SIZES_ARE_KNOWN until sealing has decided on open sizes;
 *   request_state, in place of instance, is BUILDER_POSTED or BUILDER_WAITED; arguments is an index
 *   in the rank's own arguments (PROGRAM_NONE: reserved); pair_row_plus_1 points to the row of the
 *   rank in its own rows;
 * - FILE: flags may contain BUILDER_FILE_WAITED: a wait names it; it has no slot;
 * - WAIT: first, or the entries of waits that first points to, are indices of the rank's operations
 *   in place of slots.
 */
#ifndef ANAX_TRACES_BUILDER_PARTS_H
#define ANAX_TRACES_BUILDER_PARTS_H

#include "core/memory/paging.h"
#include "traces/key_table.h"
#include "traces/program/builder/program_builder.h"
#include "traces/program/program_packed.h"
#include "traces/program/seal/program_pairings.h"
#include "traces/program/seal/program_posted.h"
#include "traces/program/vector_table.h"

#include <pthread.h>
#include <stdatomic.h>

enum { BUILDER_DROPPED = 0xFF };
enum {
    BUILDER_POSTED = 0,
    BUILDER_WAITED = 1,
    BUILDER_TESTED = 2
};                                  /* TESTED: a persistent send that a test found complete */
enum { BUILDER_FILE_WAITED = 128 }; /* a flag of FILE */

/* New numbers of a rank's envelopes or arguments: at first in the order in which the rank's
 * operations use them, and later the numbers in the program. The order of use does not depend on
 * when the importer learned the details of a request. */
struct builder_order {
    uint32_t *new_number; /* of each element; PROGRAM_NONE: not used so far */
    uint32_t *used;       /* elements in the order of their first use */
    size_t new_number_capacity, used_capacity;
    uint32_t used_count;
    uint32_t count; /* elements so far that were used or not */
};

/* A message of a rank whose peer was checked and whose envelope was found. Entry of a small cache.
 */
struct builder_recent {
    bool is_set;
    uint32_t peer;
    int32_t tag;
    uint32_t communicator;
    uint32_t envelope;
};

enum { BUILDER_RECENT_BITS = 6, BUILDER_RECENT = 1 << BUILDER_RECENT_BITS };

/* The packed operations of one rank. */
struct builder_packing {
    struct program_packer packer;
    uint32_t *upper; /* upper halves of words */
    struct program_block *blocks;
    size_t word_capacity, block_capacity;
    struct program_pairing_finder finder;
};

/* A rank packs its operations so far when there are as many as this and no request is in flight.
 * They fit into the first-level cache. */
enum { BUILDER_PIECE = 512 };

/* The part of one rank while operations are appended. When the operations have moved to the
 * program, another rank reuses the memory of the part. */
struct builder_rank {
    struct paging *paging; /* of the program: where operations, waits and posted lie */
    struct program_operation *operations; /* those that are not packed */
    size_t operation_count, operation_capacity;
    size_t finished_count;           /* operations with slots, without those that were dropped */
    struct builder_packing *packing; /* NULL: nothing was packed in this memory */
    bool is_packing;                 /* operations of this rank are packed */
    size_t dropped_count;            /* operations of kind BUILDER_DROPPED */
    size_t unrecorded_count;         /* unrecorded receives */
    uint32_t *waits;
    size_t wait_count, wait_capacity;
    uint32_t *blocking; /* operations of the current call that builder_wait_call waits for */
    size_t blocking_count, blocking_capacity;
    uint32_t *open_regions;
    size_t open_count, open_capacity;
    struct key_table requests; /* id of a request in flight -> its operation */
    struct key_table tested; /* id of a persistent request that was only tested since its last start
                                -> its send */
    struct program_envelope *envelopes;
    size_t envelope_count, envelope_capacity;
    struct key_table envelope_index;
    struct builder_recent *recent; /* BUILDER_RECENT entries; NULL before the first message */
    struct program_collective_arguments *arguments;
    size_t argument_count, argument_capacity;
    struct key_table argument_index;
    struct vector_table rows; /* of ALLTOALLV and ALLTOALLW: their length, then the bytes to each
                                 member. When the rank has a place in the program, the row's place
                                 there stands where the length was */
    uint32_t call_region;     /* region of the current call; PROGRAM_NONE: not inside a call */
    /* Members that builder_end_rank sets: */
    struct builder_order envelope_order, argument_order;
    struct program_posted_rank posted; /* places in the program. If operations are packed: of sends
                                          and receives the numbers of their whole operations */
    uint32_t mark_count, slot_count, send_count, receive_count;
    uint32_t vertex_count; /* not 0: the rank is a graph */
    uint32_t *free_slots;  /* slots that can be used again, last in, first out */
    size_t free_count, free_capacity;
    uint64_t expected; /* share set by builder_set_expected_share */
    bool is_done;
};

/* A table that each rank has for itself and the program has once: envelopes or arguments. */
struct builder_united {
    void *elements;
    size_t count, capacity;
    struct key_table index;
};

/* The places of the ranks' operations in the program, given in the order of ranks
 * (builder_place.c). */
struct builder_places {
    pthread_mutex_t lock;    /* protects all members except the program's arrays */
    pthread_rwlock_t moving; /* held for writing while the program's arrays move, and for reading
                                while a thread writes to them */
    struct program_posted posted;
    struct program_pairings *pairings; /* [rank], of packed operations; NULL: they are not packed */
    struct builder_united envelopes, arguments;
    struct vector_table rows;
    uint32_t *row_lengths; /* of the vectors in rows, in their order */
    size_t row_count, row_capacity;
    size_t operation_capacity, wait_slot_capacity; /* capacities of the program's arrays */
    size_t block_capacity;
    uint64_t word_count; /* packed operations so far, with gaps between ranks */
    uint32_t next_rank;  /* the first rank without a place */
    uint32_t end_rank;   /* the ranks from here on have their places by builder_exchange_ranks */
    uint64_t unrecorded_count; /* unrecorded receives of the ranks with a place */
    uint64_t expected;         /* sum of the shares (builder_set_expected_share) of all ranks */
    uint64_t expected_so_far;
    struct builder_rank *spares; /* memory that other ranks can reuse */
    size_t spare_count, spare_capacity;
};

struct builder_note_text {
    char *what;
    char *why;
    uint64_t count;
    bool is_assumed;
};

struct program_builder {
    struct program *program; /* shared tables grow in place; operations move here rank by rank */
    size_t string_capacity, region_capacity, file_capacity, communicator_capacity;
    size_t topology_capacity, topology_number_capacity;
    struct key_table string_index, region_index, file_index, group_index;
    /* As long as communicator_members. For each group: its member numbers in ascending order of
     * their world ranks, to find a rank's number. */
    uint32_t *members_sorted;
    size_t member_capacity, sorted_capacity;
    struct builder_rank *ranks;
    struct builder_places places;
    pthread_mutex_t note_lock;
    struct builder_note_text *notes;
    size_t note_count, note_capacity;
    bool is_sealed;
    bool sizes_are_open;
    atomic_bool has_known;       /* true if a collective has BUILDER_SIZES_ARE_KNOWN */
    struct processes *processes; /* that append to the other ranks; NULL: there are none */
    uint32_t first_rank;         /* of those to which this process appends */
    bool is_elsewhere;           /* process 0 alone has the program; true after the exchange */
    status_code failed; /* error of a function that returns no status; builder_seal reports it */
};

struct builder_member {
    bool remote;       /* true for the remote group of an intercommunicator */
    uint32_t in_group; /* number in its group; PROGRAM_NONE: not a member */
};

/* Returns true for the RECEIVE of a builder_append_unrecorded, before sealing. */
static inline bool builder_is_unrecorded(const struct program_operation *operation) {
    return operation->kind == OPERATION_RECEIVE && operation->message.peer == PROGRAM_NONE;
}

/* Finds the number of a rank in a communicator. */
struct builder_member builder_find_member(const struct program_builder *builder,
                                          uint32_t communicator, uint32_t rank);

/* Finds an element of `size` bytes in a growing array, or appends it, and sets *index. All bytes of
 * an element count, so it has no padding. hash: the hash of the element. */
status_code builder_intern(struct key_table *table, uint64_t hash, const void *element, size_t size,
                           void **array, size_t *count, size_t *capacity, uint32_t *index,
                           struct status *status);
/* Returns the hash of an envelope, for builder_intern. */
uint64_t builder_hash_envelope(const struct program_envelope *envelope);
/* Returns the hash of the arguments of a collective, for builder_intern. */
uint64_t builder_hash_arguments(const struct program_collective_arguments *arguments);

/* Frees what a part of the builder holds. */
void builder_rank_clear(struct builder_rank *rank);

/* Functions of program_builder.c, for the files that append operations. */
/* Finds the part of a rank to append to. STATUS_USAGE: there is no such rank. STATUS_INPUT: the
 * operation, which `what` names, stands inside an MPI call but wants_call is false, or the reverse.
 */
status_code builder_enter_rank(struct program_builder *builder, uint32_t rank, bool wants_call,
                               const char *what, struct builder_rank **part, struct status *status);
/* Appends an operation, which the caller fills in place. The caller does not copy a finished
 * operation: such a copy would read bytes that were just written in smaller parts, and would wait
 * until these have left the processor's store buffer. */
status_code builder_append(struct builder_rank *part, uint32_t rank,
                           struct program_operation **operation, struct status *status);
/* Checks the peer and the size of a message, and finds its envelope among the rank's own. */
status_code builder_find_envelope(struct program_builder *builder, uint32_t rank,
                                  uint32_t communicator, uint32_t peer, int32_t tag, uint64_t bytes,
                                  uint32_t *envelope, struct status *status);
/* Records that a wait will name the operation that was appended last. */
status_code builder_post(struct builder_rank *part, uint32_t rank, uint64_t request,
                         struct status *status);
/* Finds a request in flight. STATUS_INPUT: there is none, or its operation is of another kind. */
status_code builder_find_request(struct builder_rank *part, uint32_t rank, uint64_t request,
                                 program_operation_kind kind, struct program_operation **operation,
                                 struct status *status);
/* Appends the operation `reserved` for a request whose details the caller learns later. */
status_code builder_reserve(struct program_builder *builder,
                            const struct program_operation *reserved, uint32_t rank,
                            uint64_t request, struct status *status);
/* Removes the operation of a request in flight. */
status_code builder_drop(struct program_builder *builder, uint32_t rank, uint64_t request,
                         program_operation_kind kind, struct status *status);

/* Functions of builder_finish.c. */
/* Assigns slots to the operations so far, to which nothing that follows may refer, and packs them
 * if operations are packed. */
status_code builder_finish_piece(struct program_builder *builder, struct builder_rank *part,
                                 uint32_t rank, struct status *status);
/* Finishes a rank: all that is left, and what it counts. */
status_code builder_finish_rank(struct program_builder *builder, struct builder_rank *part,
                                uint32_t rank, struct status *status);

/* Finishes a piece at the end of a call, if operations are packed, there are enough, and nothing
 * that will be appended refers to one of them. */
static inline status_code builder_end_call(struct program_builder *builder,
                                           struct builder_rank *part, uint32_t rank,
                                           struct status *status) {
    if (part->operation_count < BUILDER_PIECE || builder->program->packed == NULL ||
        part->requests.map.count > 0 || part->tested.map.count > 0 || part->unrecorded_count > 0)
        return STATUS_OK;
    return builder_finish_piece(builder, part, rank, status);
}

/* Functions of builder_pack.c. */
/* Packs the operations of a piece. */
status_code builder_pack(struct builder_rank *part, uint32_t rank, struct status *status);
/* Ends the packing of a rank, and finds its pairings. */
status_code builder_pack_done(struct program_builder *builder, struct builder_rank *part,
                              uint32_t rank, struct status *status);
/* Moves the packed operations of a rank to their place in the program. */
status_code builder_pack_move(struct program_builder *builder, uint32_t rank,
                              struct status *status);
/* Unpacks a program that is smaller than it seemed, or of which sealing must find receives. */
status_code builder_pack_close(struct program_builder *builder, unsigned threads,
                               struct status *status);
/* Frees the pairings of all ranks. */
void builder_pairings_free(struct program_builder *builder);
/* Frees what a rank needs to pack. */
void builder_packing_free(struct paging *paging, struct builder_packing *packing);

/* Gives a message with an envelope another number of it; numbers: [number so far]. Leaves other
 * operations as they are. */
static inline void builder_renumber_envelope(struct program_operation *operation,
                                             const uint32_t *numbers) {
    const bool is_message =
        operation->kind == OPERATION_SEND || operation->kind == OPERATION_RECEIVE;
    if (is_message && operation->message.envelope != PROGRAM_NONE)
        operation->message.envelope = numbers[operation->message.envelope];
}

/* Gives the messages at some places of a rank other numbers of envelopes. */
static inline void builder_renumber_messages(struct program_operation *operations,
                                             const struct program_places *places,
                                             const uint32_t *numbers) {
    for (size_t i = 0; i < places->count; i++)
        builder_renumber_envelope(&operations[places->at[i]], numbers);
}

/* Returns how many words a rank with so many packed operations takes: whole blocks. */
static inline uint64_t builder_word_count(uint64_t operations) {
    return (operations + PROGRAM_BLOCK_OPERATIONS - 1) / PROGRAM_BLOCK_OPERATIONS *
           PROGRAM_BLOCK_OPERATIONS;
}

/* Gives a collective of a rank that has a place the program's numbers of arguments and rows. */
static inline void builder_renumber_collective(const struct builder_rank *part,
                                               struct program_operation *operation) {
    const uint32_t kind = part->arguments[operation->collective.arguments].kind;
    if (program_is_paired(kind) && operation->pair_row_plus_1 > 0)
        operation->pair_row_plus_1 =
            (part->rows.values[operation->pair_row_plus_1 - 1] + 1) & (PROGRAM_BYTES_LIMIT - 1);
    operation->collective.arguments =
        part->argument_order.new_number[operation->collective.arguments];
}

/* Functions of builder_place.c. */
/* Initializes the places. No rank has a place yet. */
status_code builder_places_new(struct program_builder *builder, uint32_t rank_count,
                               struct status *status);

/* Frees what builder_places_new has made. */
void builder_places_free(struct program_builder *builder);
/* Gives a part without memory the memory that another rank has left, if there is any. */
void builder_take_spare(struct program_builder *builder, struct builder_rank *rank);
/* Gives the finished arrays and tables to the program and frees the rest. All ranks have places. */
status_code builder_places_close(struct program_builder *builder, struct status *status);
/* Adds envelopes to those of the program, in their order. numbers[i]: the number there of element
 * i.
 */
status_code builder_unite_envelopes(struct builder_places *places,
                                    const struct program_envelope *envelopes, uint32_t count,
                                    uint32_t *numbers, struct status *status);
/* Adds arguments of collectives to those of the program, in their order. numbers[i]: the number
 * there of element i. */
status_code builder_unite_arguments(struct builder_places *places,
                                    const struct program_collective_arguments *arguments,
                                    uint32_t count, uint32_t *numbers, struct status *status);
/* Adds a vector to the program's rows, and sets *first to its place there. */
status_code builder_unite_row(struct builder_places *places, const uint64_t *vector, size_t length,
                              uint32_t *first, struct status *status);

/* Function of builder_exchange.c. */
/* Brings the ranks of all processes into the program of each. The own ranks have places. */
status_code builder_exchange_ranks(struct program_builder *builder, unsigned threads,
                                   struct status *status);

#endif
