/*
 * The import of recordings of `anax record`: parts that only traces/recording sees.
 *
 *   recording_folder.h  what the rest of traces sees of this folder
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
 *   recording_import.c  both passes over all ranks -> a program with its notes
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

/* One MPI call, or a run of failed tests and probes. */
struct recording_record {
    uint64_t place;        /* of the record in its file, from 0 */
    uint32_t call;         /* a recording_call */
    uint32_t thread;       /* that made the call, by the recorder's number; 0 is the first thread */
    const uint64_t *words; /* the items; they last until the sink returns */
    size_t word_count;
    int64_t gap_ns;       /* since the last call of the thread */
    int64_t processor_ns; /* processor time of the gap; -1: not asked for */
    int64_t duration_ns;
};

/* Takes one record, in the order of the file. An error of the sink ends the reading. */
typedef status_code (*recording_sink)(void *context, const struct recording_record *record,
                                      struct status *status);

/* How the file of a rank ended. */
struct recording_extent {
    uint64_t records; /* that could be read */
    recording_state state;
    uint32_t code; /* of MPI_Abort, or an errno if the state is RECORDING_NO_SPACE */
};

/* Room for the path of a rank's file, with its end. */
enum { RECORDING_PATH_BYTES = 4096 };
/* Writes the path of a rank's file. STATUS_INPUT: the path is too long. */
status_code recording_path(char path[RECORDING_PATH_BYTES], const char *folder, uint32_t rank,
                           struct status *status);
/* Reads the header of a file. STATUS_INPUT: it is damaged, or of a version that anax does not know.
 * STATUS_SYSTEM: the file cannot be read. Errors name the path. */
status_code recording_read_header(struct recording_header *header, const char *path,
                                  struct status *status);
/* Reads the records of a file. If the process was killed, the file may be damaged behind its last
 * whole records; the function then returns STATUS_OK after these. sink NULL: the function only
 * checks the file. extent may be NULL; else *extent is set after errors too. Returns the errors of
 * recording_read_header and of the sink, STATUS_INPUT for damaged records, and STATUS_MEMORY.
 * Errors name the path. */
status_code recording_read(const char *path, recording_sink sink, void *context,
                           struct recording_extent *extent, struct status *status);

/* ---- items ---- */

/* One item of a record. The pointers last as long as the record's words. */
struct recording_part {
    recording_item item;
    const uint64_t *words;  /* as RECORDING_ITEMS has them, without the item's number */
    const uint64_t *listed; /* the further words whose number some of these words say */
    size_t listed_count;
};

/* Takes the item that begins at word *at of a record, and sets *at to the next item; begin with 0.
 * Returns false at the end of the record, and also if the item is damaged; *status is then
 * STATUS_INPUT. */
bool recording_next(const struct recording_record *record, size_t *at, struct recording_part *part,
                    struct status *status);
/* Returns the number that a word of record_signed stands for (zigzag). */
static inline int64_t recording_signed(uint64_t word) {
    return (int64_t)(word >> 1) ^ -(int64_t)(word & 1);
}
/* Returns the name of a call ("MPI_Send"); "?" for a number that no call has. */
const char *recording_call_name(uint32_t call);
/* Returns whether a call tests or probes without waiting; false for a number that no call has. */
bool recording_is_poll(uint32_t call);

#endif
