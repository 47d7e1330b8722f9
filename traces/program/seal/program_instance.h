/*
 * One call of a collective: what all members of a communicator must call alike, and the sizes that
 * the call contributes. Private to the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_INSTANCE_H
#define ANAX_TRACES_PROGRAM_INSTANCE_H

#include "traces/program/program.h"

/* What must be equal on all members of an instance, and where its sizes are. */
struct program_instance {
    uint32_t kind;     /* a program_collective_kind */
    uint32_t blocking; /* 1: the call waits for the collective; 0: it does not */
    uint32_t root;  /* the root's place among all members; PROGRAM_NONE: no root, or the member does
                       not name it */
    uint32_t sizes; /* index of its first size in the program's sizes */
    uint64_t raw;   /* index of its first size among those that matching gathers */
    union {         /* as in the first member's operation: */
        uint64_t value; /* whichever of the next ones it is */
        uint64_t element_bytes;
        uint64_t pair_row_plus_1; /* store_sizes changes it */
    };
    uint64_t send_bytes; /* sizes of the first member, of kinds with equal sizes for all members */
    uint64_t receive_bytes;
};

/* Classes of collectives that are numbered apart. */
typedef enum program_counted {
    PROGRAM_COUNTED_OTHER,
    PROGRAM_COUNTED_CREATE,
    PROGRAM_COUNTED_DESTROY,
    PROGRAM_COUNTED_CLASSES
} program_counted;

/* Returns the class of a kind of collectives. */
static inline program_counted program_counted_class(uint32_t kind) {
    return kind == PROGRAM_COLLECTIVE_CREATE_HANDLE    ? PROGRAM_COUNTED_CREATE
           : kind == PROGRAM_COLLECTIVE_DESTROY_HANDLE ? PROGRAM_COUNTED_DESTROY
                                                       : PROGRAM_COUNTED_OTHER;
}

/* Returns the arguments of a COLLECTIVE. */
static inline const struct program_collective_arguments *
program_arguments_of(const struct program *program, const struct program_operation *operation) {
    return &program->collective_arguments[operation->collective.arguments];
}

/* Returns whether a communicator is MPI_COMM_SELF. */
static inline bool program_is_self(const struct program *program, uint32_t communicator) {
    return program->communicators[communicator].members == PROGRAM_NONE;
}

/* Returns the members of both groups of a communicator. */
static inline uint32_t program_member_total(const struct program *program, uint32_t communicator) {
    const struct program_communicator *c = &program->communicators[communicator];
    return c->size + c->remote_size;
}

/* Returns what a rank's call says of its instance. */
struct program_instance program_instance_of(const struct program *program,
                                            const struct program_operation *operation,
                                            uint32_t rank);

/* Returns how many values a call contributes to the sizes of its instance: 0, 1 or 2. */
uint32_t program_values_of(const struct program_collective_arguments *arguments,
                           uint64_t values[2]);

/* Tests that a rank's own values are in the sizes to which its operation points. STATUS_INPUT: they
 * are not. */
status_code program_check_sizes(const struct program *program, uint32_t rank,
                                const struct program_operation *operation, struct status *status);

#endif
