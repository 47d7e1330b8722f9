/*
 * How the ranks of several processes come together. Private to builder_exchange.c, which exchanges
 * tables and operations, and builder_exchange_packed.c, which does what packed operations need.
 */
#ifndef ANAX_TRACES_BUILDER_EXCHANGE_H
#define ANAX_TRACES_BUILDER_EXCHANGE_H

#include "core/memory/paging.h"
#include "core/processes/processes.h"
#include "traces/program/builder/builder_parts.h"
#include "traces/program/program_packed.h"

/* What a process says of its ranks. Its envelopes, arguments, rows and ranks follow. */
struct builder_share {
    uint64_t first_rank;
    uint64_t rank_count;
    uint64_t operation_count;
    uint64_t wait_slot_count;
    uint64_t unrecorded_count;
    uint64_t has_known;
    uint64_t envelope_count;
    uint64_t argument_count;
    uint64_t row_count;
    uint64_t row_values;
    uint64_t plain_max;    /* see program_plain_max */
    uint64_t word_count;   /* of packed operations; 0: they are not packed */
    uint64_t packed_count; /* pieces in which it sends what its packed ranks have */
};

struct builder_exchange {
    struct program_builder *builder;
    struct processes *processes;
    unsigned count, me;
    bool is_large;                        /* process 0 alone gets all ranks */
    struct processes_packing packing;     /* for all others */
    struct processes_packing *sent;       /* [count]: data for process 0 only */
    struct processes_unpacking *received; /* [count] */
    struct builder_share *shares;         /* [count] */
    uint64_t *first_operation;            /* [count + 1], in the program of all */
    uint64_t *first_wait_slot;
    struct builder_places united;           /* its tables only: those of all processes */
    uint32_t *envelopes, *arguments, *rows; /* own number -> number in these tables */
    uint32_t *other_numbers;                /* of the tables of another process */
    size_t other_capacity;
};

/* Functions of builder_exchange.c. */
/* Sets the error of processes that have read different files. */
status_code builder_exchange_differs(struct status *status);
/* Returns how many bytes a process sends at once. */
size_t builder_exchange_piece_bytes(const struct builder_exchange *exchange);
/* Makes room for the elements of all processes, if this process gets all, and moves the own ones to
 * their place. first: [count + 1], the first element of each process. */
status_code builder_exchange_move(const struct builder_exchange *exchange, void **array,
                                  size_t *capacity, const uint64_t *first, size_t element_bytes,
                                  struct status *status);
/* Sends the own elements of an array to those who get all ranks, and takes those of others. The
 * array begins with element 0 where this process gets all, and with the first own one elsewhere. */
status_code builder_exchange_array(struct builder_exchange *exchange, void *array,
                                   const uint64_t *first, size_t element_bytes,
                                   struct status *status);
/* Gives a collective, whose arguments are still those of this process, the numbers of the tables of
 * all. */
void builder_exchange_renumber_collective(const struct builder_exchange *exchange,
                                          struct program_operation *operation);

/* Functions of builder_exchange_packed.c. */
/* Adds to the own share what it says of packed operations. */
void builder_exchange_describe_packed(const struct builder_exchange *exchange,
                                      struct builder_share *share);
/* Gives the own packed ranks the numbers of the tables of all. */
status_code builder_exchange_renumber_packed(const struct builder_exchange *exchange,
                                             struct status *status);
/* Gives process 0 the packed operations of all ranks, which have their places in the program, and
 * what sealing needs to know of them. */
status_code builder_exchange_packed(struct builder_exchange *exchange, struct status *status);

#endif
