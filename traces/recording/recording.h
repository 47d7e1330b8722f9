/*
 * Reading the recordings of `anax record`: private parts.
 *
 *   recording_folder.h  what the rest of the room sees of a recording
 *   recording_file.c    one rank's file -> its header and records
 *   recording_survey.c  first pass over all ranks: communicators, windows, regions, and how far a
 *                       recording that was cut can be replayed
 *   recording_topologies.c, recording_partitioned.c: of the first pass, process topologies and
 *                       partitioned requests
 *   recording_hosts.c   the clocks of the hosts, and which time is computation
 *   recording_rank.c    second pass: the records of a rank -> operations
 *   recording_threads.c the order of the calls of several threads
 *   recording_items.c   the items of a record -> operations
 *   recording_rma.c     one-sided items -> operations
 *   recording_import.c  the whole
 *
 * Must not know: OTF2, networks. Invariant: whatever the files hold, reading ends with a program or
 * an error; memory is proportional to what the files hold.
 */
#ifndef ANAX_TRACES_RECORDING_H
#define ANAX_TRACES_RECORDING_H

#include "core/files/recording_format.h"
#include "traces/key_table.h"
#include "traces/program/builder/program_builder.h"
#include "traces/traces.h"

/* ---- one file ---- */

struct recording_record {
    uint64_t place; /* of the record in its file, from 0 */
    uint32_t call;  /* a recording_call */
    uint32_t thread;
    const uint64_t *words; /* the items */
    size_t word_count;
    int64_t gap_ns;       /* since the last call of the thread */
    int64_t processor_ns; /* processor time of the gap; -1: not asked for */
    int64_t duration_ns;
};

/* Called for each record; an error ends the reading. */
typedef status_code (*recording_sink)(void *context, const struct recording_record *record,
                                      struct status *status);

/* How the file of a rank ended. */
struct recording_extent {
    uint64_t records;
    recording_state state;
    uint32_t code;
};

/* Writes the path of a rank's file. STATUS_INPUT: the path is too long. */
enum { RECORDING_PATH_BYTES = 4096 };
status_code recording_path(char path[RECORDING_PATH_BYTES], const char *folder, uint32_t rank,
                           struct status *status);
/* Reads the header of a file. STATUS_INPUT: it is damaged, or of another version. */
status_code recording_read_header(struct recording_header *header, const char *path,
                                  struct status *status);
/* Reads the records. sink NULL: only checks. *extent may be NULL. */
status_code recording_read(const char *path, recording_sink sink, void *context,
                           struct recording_extent *extent, struct status *status);

/* ---- items ---- */

/* One item of a record. */
struct recording_part {
    recording_item item;
    const uint64_t *words;  /* as RECORDING_ITEMS has them */
    const uint64_t *listed; /* the words that a count among them announces */
    size_t listed_count;
};

/* Takes the item at *at of a record, and sets *at to the next one. Returns false at the end, or
 * with STATUS_INPUT if the item is damaged. */
bool recording_next(const struct recording_record *record, size_t *at, struct recording_part *part,
                    struct status *status);
/* Returns the number that a word of record_signed stands for (zigzag). */
static inline int64_t recording_signed(uint64_t word) {
    return (int64_t)(word >> 1) ^ -(int64_t)(word & 1);
}
/* Returns the name of a call ("MPI_Send"); "?" for a number that no call has. */
const char *recording_call_name(uint32_t call);
/* Returns whether a call tests or probes without waiting. */
bool recording_is_poll(uint32_t call);

#endif
