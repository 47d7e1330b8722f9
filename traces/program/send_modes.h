/*
 * The mode in which an MPI call sends: standard, synchronous, ready or buffered. Must not know
 * archives.
 */
#ifndef ANAX_TRACES_PROGRAM_SEND_MODES_H
#define ANAX_TRACES_PROGRAM_SEND_MODES_H

#include <stdbool.h>
#include <stddef.h>

/* All flags of a send's mode. A send of the standard mode has none of them. */
#define SEND_MODES_FLAGS                                                                           \
    (OPERATION_FLAG_SEND_SYNCHRONOUS | OPERATION_FLAG_SEND_READY | OPERATION_FLAG_SEND_BUFFERED)

/* Returns true if the name of an MPI call, `length` characters of `call`, tells the mode of the
 * messages that the call sends or prepares, and sets *mode to the flags of that mode. Calls such as
 * MPI_Start do not tell it. `call` is written as in the standard, without the suffix _c. */
bool program_send_mode(const char *call, size_t length, unsigned *mode);

#endif
