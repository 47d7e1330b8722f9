/*
 * Writes the files of recordings (core/files/recording_format.h) for tests and the fuzz target,
 * without MPI.
 */
#ifndef ANAX_TESTS_RECORDING_MAKER_H
#define ANAX_TESTS_RECORDING_MAKER_H

#include "core/files/recording_format.h"

#include <stddef.h>

/* The records of one rank. */
struct recording_maker {
    uint8_t bytes[RECORDING_TAIL_BYTES];
    size_t size;
};

/* Appends a record; the words of its items end with MAKER_END. processor_ns: -1 for none. */
#define MAKER_END UINT64_MAX
void recording_maker_add(struct recording_maker *maker, recording_call call, int64_t gap_ns,
                         int64_t processor_ns, const uint64_t *words);
#define MAKER_ADD(maker, call, gap_ns, ...)                                                        \
    recording_maker_add((maker), RECORDING_CALL_##call, (gap_ns), -1,                              \
                        (const uint64_t[]){__VA_ARGS__, MAKER_END})

/* Returns the header of a rank's file on a host of one processor. */
struct recording_header recording_maker_header(uint32_t rank, uint32_t rank_count);
/* Writes the file of header->rank into a folder, with the records in the tail, or in a block if
 * as_block. Sets the header's checksum. Ends the program if it cannot. */
void recording_maker_write(const char *folder, struct recording_header header,
                           const uint8_t *records, size_t size, int as_block);

#endif
