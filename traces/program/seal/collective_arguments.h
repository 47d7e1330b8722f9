/*
 * Changes the sizes of collectives after their arguments were interned. Private to the traces room.
 *
 * Invariant: after collective_arguments_finish, equal arguments are stored once, in the order of
 * their first use, as sealing stores them.
 */
#ifndef ANAX_TRACES_COLLECTIVE_ARGUMENTS_H
#define ANAX_TRACES_COLLECTIVE_ARGUMENTS_H

#include "traces/key_table.h"
#include "traces/program/seal/program_posted.h"

/* Initialise program and posted, and the other members with zeros. */
struct collective_arguments {
    struct program *program;
    const struct program_posted *posted;
    struct key_table index; /* index of arguments by their hash; empty until a call changes */
    size_t count, capacity;
};

/* Gives one call of the program other sizes, in bytes. */
status_code collective_arguments_resize(struct collective_arguments *arguments,
                                        struct program_operation *operation, uint64_t send_bytes,
                                        uint64_t receive_bytes, struct status *status);

/* Removes arguments that no call uses any more. */
status_code collective_arguments_finish(struct collective_arguments *arguments,
                                        struct status *status);

/* Frees what the arguments hold. */
void collective_arguments_free(struct collective_arguments *arguments);

#endif
