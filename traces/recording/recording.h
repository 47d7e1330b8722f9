/*
 * Reading the recordings of `anax record`: private parts.
 *
 *   recording_file.c    one rank's file -> its header and records
 *   recording_survey.c  first pass over all ranks: communicators, windows, regions, and how far a
 *                       recording that was cut can be replayed
 *   recording_hosts.c   the clocks of the hosts, and which time is computation
 *   recording_rank.c    second pass: the records of a rank -> operations
 *   recording_items.c   the items of a record -> operations
 *   recording_remote.c  one-sided items -> operations
 *   recording_import.c  the whole
 *
 * Must not know: OTF2, networks. Invariant: whatever the files hold, reading ends with a program or
 * an error; memory is proportional to what the files hold.
 */
#ifndef ANAX_TRACES_RECORDING_H
#define ANAX_TRACES_RECORDING_H

#include "core/recording_format.h"
#include "traces/key_table.h"
#include "traces/program/program_builder.h"
#include "traces/traces.h"

/* ---- one file ---- */

struct recording_record {
    uint64_t number; /* of the record in its file, from 0 */
    uint32_t call;   /* a recording_call */
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

/* Takes the next item of *words. Returns false at the end. STATUS_INPUT: it is damaged. */
bool recording_next(const struct recording_record *record, size_t *at, struct recording_part *part,
                    struct status *status);
enum { SURVEY_WORLD, SURVEY_SELF, SURVEY_MADE }; /* numbers of communicators */
static inline int64_t recording_signed(uint64_t word) {
    return (int64_t)(word >> 1) ^ -(int64_t)(word & 1);
}
const char *recording_call_name(uint32_t call); /* "MPI_Send" */
bool recording_is_poll(uint32_t call);

/* ---- the survey ---- */

/* A communicator as its members recorded it. */
struct survey_communicator {
    uint64_t name[3]; /* leader, and the leader's number */
    uint32_t local_size, remote_size;
    uint32_t *members; /* local, then remote; on the heap */
    uint32_t index;    /* in the program */
    char *label;       /* name by the user, or NULL */
};

struct survey_window {
    uint32_t communicator; /* of the rank */
    uint32_t number;       /* of the program */
};

/* What a rank defines. */
struct survey_rank {
    struct recording_header header;
    struct recording_extent extent;
    struct survey_communicator *communicators; /* by the rank's numbers */
    size_t communicator_count, communicator_capacity;
    struct survey_window *windows;
    size_t window_count, window_capacity;
    char **regions;
    uint32_t *region_index; /* in the program */
    size_t region_count, region_capacity, index_capacity;
    /* Collectives on each communicator before the rank ends. */
    uint64_t *collectives;
    size_t collective_capacity;
    uint64_t ended;           /* records that are replayed */
    uint64_t thread_calls[2]; /* of thread 0, and of others */
    uint32_t busiest_thread;
    int64_t offset_ps; /* time of the program when the rank's recording began */
    bool uses_processor_time;
};

struct survey {
    const char *folder;
    const struct traces_config *config;
    struct program_builder *builder;
    struct survey_rank *ranks;
    uint32_t rank_count;
    uint64_t *limits; /* collectives of each communicator of the program that all members have */
    bool is_cut;
    uint32_t cut_ranks;
    uint32_t calls[RECORDING_CALL_COUNT]; /* the program's regions */
    uint32_t world, self;
};

/* Surveys all ranks and begins the program. Clear the survey also after errors. */
status_code survey_folder(struct survey *survey, const char *folder,
                          const struct traces_config *config, unsigned threads,
                          struct status *status);
void survey_clear(struct survey *survey);
/* Puts the clocks of the hosts together, and decides which time is computation. */
status_code survey_hosts(struct survey *survey, struct status *status);

/* ---- one rank ---- */

/* Counts for notes. */
struct recording_counts {
    uint64_t foreign, file_calls, lost_receives, lost_collectives, tested_sends, thread_calls;
    uint64_t records;
    int64_t last_ps;
};

/* A one-sided operation in flight. */
struct recording_remote {
    uint64_t request;
    uint32_t window, target;
};

struct recording_rank {
    const struct survey *survey;
    const struct survey_rank *own;
    uint32_t rank;
    struct recording_counts *counts;
    int64_t now_ps, thread_ps; /* time of the program */
    int64_t compute_ns;
    int64_t polling_ns;
    bool is_polling;
    uint32_t open_regions;
    uint64_t *done; /* requests that the call completes */
    size_t done_count, done_capacity;
    struct key_table edges;          /* slot -> messages of a neighbour collective */
    struct recording_remote *remote; /* one-sided operations in flight */
    size_t remote_count, remote_capacity;
    struct key_table locks;
    uint64_t next_remote;
};

status_code recording_import_rank(const struct survey *survey, uint32_t rank,
                                  struct recording_counts *counts, struct status *status);
/* Appends the operations of a record's items. */
status_code recording_import_items(struct recording_rank *rank,
                                   const struct recording_record *record, struct status *status);
/* The same for one item of one-sided communication (recording_remote.c). */
status_code recording_import_remote(struct recording_rank *rank, const struct recording_part *part,
                                    struct status *status);

#endif
