/*
 * Private parts of the recorder, a library that record_chooser.c preloads into the processes of an
 * MPI application. It is built once for each MPI library, by its compiler wrapper.
 *
 *   record_clock.c         the clocks
 *   record_stream.c        records -> file: signatures, tail, compressed blocks
 *   record_call.c          begin and end of a recorded call, threads
 *   record_map.c           table of handles
 *   record_communicators.c communicators and their members
 *   record_requests.c      requests in flight and their completion
 *   record_begin.c         MPI_Init to MPI_Finalize: settings, header, the folder
 *
 * The functions of MPI that are recorded:
 *
 *   record_messages.c      point-to-point communication
 *   record_completion.c    starting, completing, freeing and cancelling requests
 *   record_partitioned.c   partitioned communication and MPI_Isendrecv
 *   record_collectives.c   collectives
 *   record_neighbours.c    neighbour collectives
 *   record_making.c        making and freeing communicators
 *   record_rma.c           one-sided communication
 *   record_files.c         MPI-IO
 *   record_*_large.c       the same functions with large counts
 *   record_counts.h        the type of counts in these and in the others
 *
 * Each recorded function is defined under both its names, MPI_X and PMPI_X, since the Fortran
 * interface of Open MPI calls PMPI_X. It calls the library's PMPI_X through REAL. A call within a
 * call (the library's own MPI-IO, for example) is passed on and not recorded.
 *
 * Invariants: memory is proportional to what is in flight (requests, communicators, windows,
 * files), plus one block; after record_call_end the record is in the mapped file, even if the
 * process dies.
 */
#ifndef ANAX_PLUGINS_RECORD_RECORDER_H
#define ANAX_PLUGINS_RECORD_RECORDER_H

#include "core/files/recording_format.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The library has the functions of MPI 4, apart from those with large counts (MPI_VERSION). Open
 * MPI 5 has them, and says that it is MPI 3.1. */
#if MPI_VERSION >= 4 || (defined OPEN_MPI && OMPI_MAJOR_VERSION >= 5)
#define RECORD_HAS_MPI_4
#endif

#pragma GCC visibility push(hidden)

/* ---- the library's functions ---- */

/* Returns the MPI library's function of that name; ends the process if there is none. */
void *record_library_function(const char *name);
/* The MPI library's function P<prefix>name, looked up once; prefix: MPI_ or MPIX_. */
#define REAL_OF(prefix, name)                                                                      \
    (__extension__({                                                                               \
        static __typeof(&prefix##name) found;                                                      \
        if (found == NULL)                                                                         \
            found = (__typeof(&prefix##name))record_library_function("P" #prefix #name);           \
        found;                                                                                     \
    }))
#define REAL(name) REAL_OF(MPI_, name)
/* Gives a recorded function its second name. */
#define ALSO_P(prefix, name)                                                                       \
    __attribute__((alias(#prefix #name),                                                           \
                   visibility("default"))) __typeof(prefix##name) P##prefix##name;
#define ALSO_PMPI(name) ALSO_P(MPI_, name)
#define PUBLIC          __attribute__((visibility("default")))

/* ---- clocks ---- */

int64_t record_now_ns(void);         /* since the process started recording */
int64_t record_processor_ns(void);   /* processor time of the calling thread */
void record_clock_start(void);       /* time 0 is here */
void record_clock_calibrate(void);   /* at the end of MPI_Init */
int64_t record_clock_begin_ns(void); /* the host's clock at time 0 */

/* ---- the stream ---- */

/* Creates the file of this rank in the folder and writes its header. Returns false, with the reason
 * in `error`, if that fails. */
bool record_stream_open(const char *folder, struct recording_header *header, char *error,
                        size_t error_bytes);
/* Ends the recording: writes the last block, and the state and code of the end. */
void record_stream_close(recording_state state, uint32_t code);
/* Closes and removes the file. */
void record_stream_cancel(void);
/* Returns whether this rank records. */
bool record_stream_is_open(void);
/* Returns whether recording has begun and the application has not ended it. The result is the same
 * on all ranks, even if one of them has stopped recording. */
bool record_stream_has_begun(void);
/* Stops recording on this rank because memory has run out. The application continues. */
void record_stream_stop(void);
/* Returns how many records have been written. Any thread may ask. */
uint64_t record_stream_records(void);
/* Sets the state and code that a reader finds if the process ends without record_stream_close. */
void record_stream_state(recording_state state, uint32_t code);
/* Appends a word to the signature of the next record. */
void record_word(uint64_t word);
/* Appends a signed number to the signature, as a word that is small if the number is (zigzag). */
void record_signed(int64_t word);
/* Appends `count` words, which the caller fills in. NULL: memory has run out, and the recording has
 * stopped. */
uint64_t *record_words(size_t count);
/* Returns how many words the signature has so far. */
size_t record_word_count(void);
/* Removes all words of the signature. */
void record_clear_words(void);
/* Removes the words of the signature from number `from` on. */
void record_drop_words(size_t from);
/* Writes a record with the words so far as its signature. processor_ns: processor time of the gap;
 * -1: it is gap_ns. */
void record_append(int64_t gap_ns, int64_t processor_ns, int64_t duration_ns);

/* ---- calls ---- */

struct record_call {
    int64_t enter_ns;
    int64_t processor_ns; /* processor time since the last call; -1: it is the time since then */
    uint64_t records;     /* of the file when the call began, if there are several threads */
    bool is_recorded;
    bool takes_part; /* whether this rank takes part in messages between the recorders */
};

/* The time of the calling thread counts from here. Call it when the library is loaded. */
void record_call_start(void);
/* Begins a call. is_recorded is false within another call, before and after recording, and after
 * this rank has stopped recording. In the last case takes_part is still true, since other ranks may
 * go on recording and wait for messages. */
struct record_call record_call_enter(void);
/* The same in a call in which recording may begin. */
struct record_call record_call_enter_first(void);
/* Makes the current call a recorded one. Call it in the call in which recording begins. */
void record_call_include(struct record_call *call);
/* Begins the record of a call that has returned, and takes the lock. Items may follow. */
void record_call_begin(const struct record_call *call, recording_call number);
/* Ends the record and releases the lock. */
void record_call_end(const struct record_call *call);
/* Ends a call whose record has no items. */
void record_call_plain(const struct record_call *call, recording_call number);
/* Ends a test or probe that has failed. */
void record_call_poll(const struct record_call *call, recording_call number);
/* Ends a call that was not recorded. */
void record_call_leave(const struct record_call *call);
/* Begins an item of the record: appends its number to the signature. */
void record_item(recording_item item);
/* Makes record_lock work, because the application has several threads. */
void record_use_threads(void);
/* Takes the lock of the recorder, if the application has several threads. */
void record_lock(void);
/* Releases the lock. */
void record_unlock(void);
/* Records that the calling thread enters a user region. Does nothing inside a call. */
void record_region_enter(const char *name);
/* Records that the calling thread leaves the innermost user region. */
void record_region_leave(void);

/* Each recorded function begins with CALL and ends with PASS, END or PLAIN, or with a record. */
#define CALL              struct record_call call_ = record_call_enter()
#define IS_RECORDED(code) ((code) == MPI_SUCCESS && call_.is_recorded)
#define PASS(code)                                                                                 \
    do {                                                                                           \
        if (!IS_RECORDED(code)) {                                                                  \
            record_call_leave(&call_);                                                             \
            return code;                                                                           \
        }                                                                                          \
    } while (0)
/* The same for a call that also has received its message if the message was too long. */
#define PASS_RECEIVED(code)                                                                        \
    do {                                                                                           \
        if (!call_.is_recorded || !record_has_received(code)) {                                    \
            record_call_leave(&call_);                                                             \
            return code;                                                                           \
        }                                                                                          \
    } while (0)
/* The same for a call that completes several requests. */
#define PASS_COMPLETED(code)                                                                       \
    do {                                                                                           \
        if (!call_.is_recorded || !record_has_completed(code)) {                                   \
            record_call_leave(&call_);                                                             \
            return code;                                                                           \
        }                                                                                          \
    } while (0)
#define START(name) record_call_begin(&call_, RECORDING_CALL_##name)
#define END         record_call_end(&call_)
#define PLAIN(name) record_call_plain(&call_, RECORDING_CALL_##name)

/* ---- handles ---- */

struct record_map {
    uint64_t *keys;
    uint32_t *values; /* 0: the entry is free */
    size_t capacity;  /* a power of two, or 0 */
    size_t count;
};

#define RECORD_KEY(handle) ((uint64_t)(uintptr_t)(handle))

/* Returns the value of a key, of several the one that was inserted first; 0: there is none. Values
 * are never 0. */
uint32_t record_map_find(const struct record_map *map, uint64_t key);
/* Inserts a value of a key, which may have others. Returns false if memory is short. */
bool record_map_insert(struct record_map *map, uint64_t key, uint32_t value);
/* Removes a value of a key, if it is there. */
void record_map_remove(struct record_map *map, uint64_t key, uint32_t value);

/* ---- communicators ---- */

struct record_communicator {
    uint32_t communicator_number; /* in the recording */
    int size;
    int remote_size; /* 0: not an intercommunicator */
    int rank;
    int *peers;  /* world ranks of those whom sends and receives name; NULL: the ranks themselves */
    int *locals; /* the local group of an intercommunicator; else peers */
    /* Neighbours (record_neighbours.c); counted on first use. */
    int sources, destinations;
    int *neighbours; /* world ranks and ports: sources, then destinations; 2 ints each */
    bool has_neighbours;
    MPI_Comm handle;
    bool is_foreign;  /* some members are outside MPI_COMM_WORLD */
    uint64_t name[2]; /* the world rank of a leader, and a number that the leader gave */
    uint32_t derived; /* number of communicators that MPI_Comm_idup has made of it */
    uint32_t uses;    /* number of requests in flight that refer to it */
    bool is_freed;    /* freed by the application */
};

/* Defines MPI_COMM_WORLD and MPI_COMM_SELF. Returns false if memory is short. */
bool record_communicators_start(void);
/* Returns what is known of a communicator; NULL: nothing. */
struct record_communicator *record_communicator(MPI_Comm handle);
/* Describes a communicator that all its members have just made. Unless `name` is given, the members
 * exchange a message to agree on its name. Call it before record_call_begin, because the message
 * may need other threads. Returns NULL for MPI_COMM_NULL or if memory has run out. */
struct record_communicator *record_agree(MPI_Comm handle, const uint64_t *name);
/* Returns the name of the next communicator that MPI_Comm_idup makes of the parent, which the
 * caller frees. All members of the parent must call this in the same order. NULL: memory has run
 * out. */
uint64_t *record_next_name(MPI_Comm parent);
/* Records a communicator that record_agree has returned, and its making. Call it between
 * record_call_begin and record_call_end. If `known` is NULL or memory runs out, recording stops. */
void record_define(MPI_Comm handle, struct record_communicator *known);
/* Records the making of a handle, or its end: a collective of the members of a communicator. */
void record_handle(MPI_Comm handle, bool is_made);
/* Forgets a communicator that the application frees, as soon as no request holds it. */
void record_forget_communicator(MPI_Comm handle);
/* Holds a communicator for a request in flight, since the application may free it before the
 * request completes. Takes NULL. */
void record_hold_communicator(struct record_communicator *held);
/* Ends the hold of a request. Takes NULL. */
void record_release_communicator(struct record_communicator *held);
/* Frees what record_agree has returned, which may be NULL. */
void record_drop_communicator(struct record_communicator *known);
/* Returns whether all members of a communicator are known. Takes NULL. */
static inline bool record_is_inside(const struct record_communicator *communicator) {
    return communicator != NULL && !communicator->is_foreign;
}
/* Records that the call is about processes outside MPI_COMM_WORLD, or that its communicator is not
 * known, which then is NULL. */
void record_outside(const struct record_communicator *communicator);
/* Records that the call has a handle that was made by a call that is not recorded. */
void record_unknown(recording_unknown what);
/* Returns the world rank of a peer; -1: it is MPI_PROC_NULL, or unknown. */
static inline int record_world_rank(const struct record_communicator *communicator, int peer) {
    if (peer < 0 || communicator->is_foreign) return -1;
    return communicator->peers != NULL ? communicator->peers[peer] : peer;
}
/* Sets *ranks to the world ranks of a group, which the caller frees, and *size to their number.
 * Returns false if a member is outside MPI_COMM_WORLD or memory has run out. */
bool record_translate(MPI_Group group, int **ranks, int *size);

/* ---- types ---- */

/* Returns the bytes of data of a type, without gaps; 0 for MPI_DATATYPE_NULL. */
static inline uint64_t record_type_bytes(MPI_Datatype type) {
    MPI_Count size = 0;
    if (type == MPI_DATATYPE_NULL) return 0;
    PMPI_Type_size_x(type, &size);
    return size > 0 ? (uint64_t)size : 0;
}
/* Returns the bytes of so many elements of a type. */
static inline uint64_t record_bytes(int64_t count, MPI_Datatype type) {
    return count <= 0 ? 0 : (uint64_t)count * record_type_bytes(type);
}
/* Returns the bytes that a status says were received. */
uint64_t record_received_bytes(const MPI_Status *status);

/* ---- messages ---- */

/* Records a send. communicator: NULL if it is not known. peer: as MPI has it. slot: of its request;
 * 0 in a blocking call. */
void record_send(const struct record_communicator *communicator, int peer, int tag, uint64_t bytes,
                 unsigned flags, uint32_t slot);
/* Returns whether a call or status with this code has received its message: the message may have
 * been longer than the buffer, which takes it all the same. */
bool record_has_received(int code);
/* Records a receive of a call that has returned. */
void record_receive(MPI_Comm communicator, int peer, const MPI_Status *status);

/* ---- requests ---- */

typedef enum record_kind {
    RECORD_NOTHING, /* a send or receive of MPI_PROC_NULL or without known peers; no items */
    RECORD_IS_SEND,
    RECORD_IS_RECEIVE,
    RECORD_IS_COLLECTIVE,
    RECORD_IS_FILE,
    RECORD_IS_COMMUNICATOR /* MPI_Comm_idup, MPI_Comm_idup_with_info */
} record_kind;

struct record_request {
    MPI_Request handle;
    record_kind kind;
    uint32_t slot;
    uint32_t next_free;
    uint32_t partner;                 /* slot of the send of MPI_Isendrecv; 0: none */
    struct record_communicator *held; /* its communicator; NULL: not known */
    bool is_used, is_persistent, is_active, is_cancelled;
    bool is_of_pair; /* of MPI_Isendrecv, whose status may lack all values: a given peer or tag is
                        that of the message, and the bytes are not known */
    /* What a start posts. */
    int peer, tag;
    uint64_t bytes;
    unsigned flags;
    uint64_t *words; /* of a collective; of MPI_Comm_idup: the name */
    size_t word_count;
    int partitions, ready; /* of a partitioned request: how many, and how many are ready to send */
    uint32_t partitioned;  /* its number in the recording */
    MPI_Comm made;         /* of MPI_Comm_idup: the new communicator */
};

/* Adds a request in flight; NULL: no memory. Call between record_call_begin and record_call_end. */
struct record_request *record_request_add(MPI_Request handle, record_kind kind,
                                          MPI_Comm communicator);
/* Returns the request of a handle; NULL: there is none. */
struct record_request *record_request_find(MPI_Request handle);
/* Posts what a persistent request does. */
void record_request_start(struct record_request *request);
/* Records that a request is complete. handle: as the call was given it. */
void record_request_done(MPI_Request handle, const MPI_Status *status);
/* Records which of the requests of a call are complete that completes all of them, or of which
 * `indices` (not NULL) names those that it completes. code: what the call returns; handles: as the
 * call was given them. */
void record_requests_done(int code, int count, const int *indices, const MPI_Request *handles,
                          const MPI_Status *statuses);
/* Returns whether a call with this code may have completed requests. */
bool record_has_completed(int code);
/* Records that the application frees a request, and forgets it. */
void record_request_free(MPI_Request handle);
/* Returns a copy of requests, in memory of the calling thread, valid until its next call of this
 * function. */
MPI_Request *record_copy_requests(int count, const MPI_Request *requests);
/* Returns room for so many statuses, in memory of the calling thread, valid until its next call of
 * this function. */
MPI_Status *record_statuses(int count);

/* ---- collectives ---- */

struct record_collective {
    recording_collective kind;
    MPI_Comm communicator;
    int root; /* RECORD_NO_ROOT, or as MPI has it */
    uint64_t sent, received, element;
    bool is_in_place;
    const uint64_t *sizes; /* bytes to each member, or NULL */
    int size_count;
};

#define RECORD_NO_ROOT (-1000)

/* Records a collective. slot: of its request; 0 in a blocking call. */
void record_collective(const struct record_collective *collective, uint32_t slot);
/* Adds the request of a collective. */
struct record_request *record_add_collective(MPI_Request handle, MPI_Comm communicator);
/* Records the start of a non-blocking collective. */
void record_begin_collective(MPI_Request handle, const struct record_collective *collective);
/* Keeps a persistent collective for its starts. */
void record_keep_collective(MPI_Request handle, const struct record_collective *collective);
/* Moves the words from `first` on from the current record to the request, whose starts record them.
 */
void record_keep_words(struct record_request *request, size_t first);
/* Returns the number of members of a communicator, on intercommunicators of the other group; 0: it
 * is not known. */
int record_member_count(MPI_Comm communicator);

/* The bytes that travel on the edges of a neighbour collective. */
struct record_edges {
    uint64_t (*bytes)(const struct record_edges *edges, int number, bool is_receive);
};

/* Returns the communicator with its neighbours, or NULL. */
struct record_communicator *record_neighbours_of(MPI_Comm communicator);
/* Records a neighbour collective that is blocking (slot 0), or that a persistent request starts. */
void record_neighbours(MPI_Comm communicator, const struct record_edges *edges, uint32_t slot);
/* Records the start of a non-blocking neighbour collective. */
void record_begin_neighbours(MPI_Request request, MPI_Comm communicator,
                             const struct record_edges *edges);
/* Keeps a persistent neighbour collective for its starts. */
void record_keep_neighbours(MPI_Request request, MPI_Comm communicator,
                            const struct record_edges *edges);

/* ---- one-sided communication ---- */

/* Records a new window of a communicator. */
void record_add_window(MPI_Win handle, MPI_Comm communicator);
/* Records a one-sided operation. slot: of its request; 0 in a blocking
 * call. */
void record_rma(MPI_Win window, int target, uint64_t bytes, unsigned flags, uint32_t slot);
/* Records the start of a one-sided operation with a request. */
void record_begin_rma(MPI_Request request, MPI_Win window, int target, uint64_t bytes,
                      unsigned flags);

/* ---- files ---- */

/* An access to a file that a call makes or starts. */
struct record_access {
    recording_call call;
    MPI_File file;
    MPI_Offset offset; /* in bytes; -1: unknown */
    unsigned flags;    /* RECORDING_FILE_… */
};

/* Returns the byte offset of an access at a place of the view; -1: unknown. */
MPI_Offset record_file_at(const struct record_call *call, MPI_File file, MPI_Offset place);
/* Returns the byte offset of an access at the rank's own file pointer; -1: unknown. */
MPI_Offset record_file_own(const struct record_call *call, MPI_File file);
/* Returns the byte offset of an access at the shared file pointer; -1: unknown. */
MPI_Offset record_file_shared(const struct record_call *call, MPI_File file);
/* Returns the status that a recorded call gives the library: the given one, or `own`. */
MPI_Status *record_file_status(const struct record_call *call, MPI_Status *given, MPI_Status *own);
/* Records an access that a call has made. status: of record_file_status, and says how many of the
 * bytes were read or written; NULL: all. */
void record_file_access(const struct record_call *call, const struct record_access *access,
                        int64_t count, MPI_Datatype type, const MPI_Status *status);
/* Records an access that a call has started. */
void record_begin_file_access(const struct record_call *call, const struct record_access *access,
                              MPI_Request request, int64_t count, MPI_Datatype type);

#pragma GCC visibility pop
#endif
