/*
 * Reads a program file, all of it or some of its ranks. Private to the traces room.
 */
#ifndef ANAX_TRACES_PROGRAM_FILE_READER_H
#define ANAX_TRACES_PROGRAM_FILE_READER_H

#include "traces/program/program.h"

#include <stdio.h>

struct program_file_reader;

/* Reads the tables of the file, but no operations, into a program that is zeroed except for its
 * paging. stream: the file, which the reader closes, also after an error. STATUS_INPUT: the file is
 * damaged, or of another version. */
status_code program_file_reader_new(struct program_file_reader **made, struct program *program,
                                    FILE *stream, unsigned threads, struct status *status);

/* Reads the operations of all ranks, in place of those in memory. They are packed, unless that
 * saves little, or so many of them are whole that those do not fit into memory. */
status_code program_file_reader_read_all(struct program_file_reader *reader, struct status *status);
/* Does the same, and packs nothing. */
status_code program_file_reader_read_all_unpacked(struct program_file_reader *reader,
                                                  struct status *status);
/* Reads the operations of some ranks and packs them, in place of those in memory. wanted: [rank];
 * NULL: all. mpi_regions: as in struct program_packer; the ranks then have their numbers of
 * operations without user regions. *is_complete: false: too many operations are whole, so only
 * program_file_reader_read_all can follow; NULL: they stay in memory, however many they are. */
status_code program_file_reader_read_packed(struct program_file_reader *reader, const bool *wanted,
                                            const uint32_t *mpi_regions, bool *is_complete,
                                            struct status *status);
/* Frees the operations that are in memory. */
void program_file_reader_free_operations(struct program_file_reader *reader);

/* Gives back the memory that reading needs, until the reader reads again. */
void program_file_reader_free_buffers(struct program_file_reader *reader);

/* Closes the file. NULL is allowed. */
void program_file_reader_free(struct program_file_reader *reader);

#endif
