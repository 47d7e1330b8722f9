/*
 * Builds a program. The OTF2 importer, the pattern generator and tests use it.
 *
 * Must not know: OTF2, files. Phases: 1. one thread defines strings, regions and communicators; 2.
 * threads append operations to ranks, at most one thread at a time to each rank; 3. one thread
 * seals the program. Every appending function checks its arguments; errors name the rank.
 *
 * The builder adds slots and the bookkeeping of requests. The caller names a request by an id of
 * its own choice, which is unique among the rank's requests in flight.
 */
#ifndef ANAX_TRACES_PROGRAM_BUILDER_H
#define ANAX_TRACES_PROGRAM_BUILDER_H

#include "traces/program/program.h"

struct program_builder;

/* The request id of an operation that belongs to a blocking call. builder_wait_call waits for it.
 */
#define BUILDER_NO_REQUEST (UINT64_C(3) << 62) /* not -1, which tracing tools use as an id */

/* Makes a builder for a program of rank_count ranks. Returns NULL on errors. The caller frees it
 * with builder_free, also after sealing. */
struct program_builder *builder_new(uint32_t rank_count, struct status *status);
/* Frees a builder; NULL is allowed. */
void builder_free(struct program_builder *builder);
/* Sets where the operations lie. The builder frees paging, or the program does. Call it before the
 * first operation. */
void builder_set_paging(struct program_builder *builder, struct paging *paging);

/* Functions of phase 1. Notes may be added at any time and by any thread. */
/* Stores a text and returns its offset. After an error this and the next two functions return 0,
 * and builder_seal reports the error. */
uint32_t builder_define_string(struct program_builder *builder, const char *text);
/* Stores a region and returns its index. is_mpi: it is an MPI function, not a user region. */
uint32_t builder_define_region(struct program_builder *builder, const char *name, bool is_mpi);
/* Stores a file and returns its index. */
uint32_t builder_define_file(struct program_builder *builder, const char *name);
/* Defines a communicator and sets *index. members: world ranks in the order of the communicator.
 * The builder stores equal groups once. STATUS_INPUT: the group is empty, names a rank twice or
 * names an unknown rank. */
status_code builder_define_communicator(struct program_builder *builder, const char *name,
                                        const uint32_t *members, uint32_t size, uint32_t *index,
                                        struct status *status);
/* Defines MPI_COMM_SELF: on each rank a communicator of this rank alone. Sets *index. */
status_code builder_define_communicator_self(struct program_builder *builder, const char *name,
                                             uint32_t *index, struct status *status);
/* Defines an intercommunicator of two groups, and sets *index. STATUS_INPUT: as for
 * builder_define_communicator, or a rank is in both groups. */
status_code builder_define_intercommunicator(struct program_builder *builder, const char *name,
                                             const uint32_t *local, uint32_t local_size,
                                             const uint32_t *remote, uint32_t remote_size,
                                             uint32_t *index, struct status *status);
/* Gives a communicator its process topology. numbers: as struct program_topology says.
 * Communicators get theirs in ascending order of their indices. STATUS_INPUT: the numbers do not
 * fit the communicator, or it has one. */
status_code builder_define_topology(struct program_builder *builder, uint32_t communicator,
                                    program_topology_kind kind, const uint32_t *numbers,
                                    uint64_t count, struct status *status);
/* Sets the number that messages to users name: the id in the trace. The default is the index. */
void builder_set_communicator_number(struct program_builder *builder, uint32_t index,
                                     uint32_t number);
/* Adds count to the note of this name and reason: the trace holds something that the program does
 * not carry. Thread-safe. */
void builder_add_note(struct program_builder *builder, const char *what, const char *why,
                      uint64_t count);
/* Adds count to an assumption: the trace does not say something that the program needs.
 * Thread-safe. */
void builder_add_assumption(struct program_builder *builder, const char *what, const char *why,
                            uint64_t count);
/* Adds count to an assumption if is_assumed, otherwise to a note. Thread-safe. */
void builder_add_note_or_assumption(struct program_builder *builder, const char *what,
                                    const char *why, uint64_t count, bool is_assumed);
/* Adds the notes and assumptions of a program, but those that sealing makes anew. */
void builder_copy_notes(struct program_builder *builder, const struct program *from);
/* Returns true if there is a note or an assumption of this name. */
bool builder_has_note(const struct program_builder *builder, const char *what);
/* Sets the facts about the source of the program: see struct program. */
void builder_set_source(struct program_builder *builder, const char *source, const char *creator,
                        uint64_t event_count, uint64_t location_count, int64_t span_ps);

/* Marks the sizes of collectives as open: they come from records that do not tell whether
 * MPI_IN_PLACE was given. Call before sealing. Sealing then decides from all calls of the program
 * (program_in_place.h) and notes how many calls may be the other way. */
void builder_mark_sizes_open(struct program_builder *builder);

/* Flag of builder_collective: the sizes of this call do not come from records, and are not open. */
#define BUILDER_SIZES_ARE_KNOWN 128u

/* Sets the share of the program that the rank will have, in a unit that is equal for all ranks. The
 * default is 1. Call before phase 2. The builder reserves memory by the shares: a wrong share costs
 * time. */
void builder_set_expected_share(struct program_builder *builder, uint32_t rank, uint64_t share);

/* Lets the builder pack operations while they are appended (program_packed.h), if the program will
 * be large. The shares of builder_set_expected_share are numbers of records of a trace. Call before
 * phase 2, and after builder_divide; if the builder is divided, all processes call this function,
 * and process 0 alone gets the program if operations are packed. Appending vertices is not possible
 * then. */
status_code builder_may_pack(struct program_builder *builder, struct status *status);

struct processes;
/* Divides phase 2 over processes, each of which calls all functions of phases 1 and 3 alike. This
 * process appends to the ranks from `first` to before `end`; those of the next process (in the
 * order of processes_number) begin at `end`. Sealing brings the ranks of all processes together, so
 * the program is that of one process. If it is large, process 0 alone gets it: *program is NULL in
 * the others. Call before phase 2. NULL: all ranks are appended here. */
void builder_divide(struct program_builder *builder, struct processes *processes, uint32_t first,
                    uint32_t end);

/* Functions of phase 2. builder_compute joins consecutive computations and drops a computation of
 * 0. */
status_code builder_compute(struct program_builder *builder, uint32_t rank, int64_t duration_ps,
                            struct status *status);
/* Begins an MPI call. event: number of its ENTER record. trace_ps: time in the trace. */
status_code builder_call(struct program_builder *builder, uint32_t rank, uint32_t region,
                         uint64_t event, int64_t trace_ps, struct status *status);
/* Ends the call. Every operation of a blocking call must have been waited for (builder_wait_call).
 * With drop_empty, a call in which nothing was posted or waited for is removed. */
status_code builder_return(struct program_builder *builder, uint32_t rank, int64_t trace_ps,
                           bool drop_empty, struct status *status);
/* Enters a user region outside calls. trace_ps: time in the trace. */
status_code builder_enter(struct program_builder *builder, uint32_t rank, uint32_t region,
                          int64_t trace_ps, struct status *status);
/* Leaves the innermost user region of the rank. STATUS_INPUT: no region is open. */
status_code builder_leave(struct program_builder *builder, uint32_t rank, int64_t trace_ps,
                          struct status *status);
/* Length of a receive that is not known. The receive has the length of the send it is matched with.
 */
#define BUILDER_UNKNOWN_BYTES UINT64_MAX
/* Appends a send. destination: world rank. flags: a set of OPERATION_FLAG_SEND_SYNCHRONOUS …
 * OPERATION_FLAG_SEND_PERSISTENT. OPERATION_FLAG_SEND_PERSISTENT marks a send of a persistent
 * request, whose id comes again when the application starts the request again. request:
 * BUILDER_NO_REQUEST for an operation of a blocking call. */
status_code builder_send(struct program_builder *builder, uint32_t rank, uint32_t communicator,
                         uint32_t destination, int32_t tag, uint64_t bytes, unsigned flags,
                         uint64_t request, struct status *status);
/* Appends a receive. source: world rank. flags and request as for builder_send; bytes may be
 * BUILDER_UNKNOWN_BYTES. */
status_code builder_receive(struct program_builder *builder, uint32_t rank, uint32_t communicator,
                            uint32_t source, int32_t tag, uint64_t bytes, unsigned flags,
                            uint64_t request, struct status *status);
/* Appends a receive whose peer, tag and size the caller learns later, at its place in the posting
 * order. */
status_code builder_reserve_receive(struct program_builder *builder, uint32_t rank,
                                    uint64_t request, struct status *status);
/* Fills in a receive that builder_reserve_receive appended. */
status_code builder_fill_receive(struct program_builder *builder, uint32_t rank, uint64_t request,
                                 uint32_t communicator, uint32_t source, int32_t tag,
                                 uint64_t bytes, struct status *status);
/* Removes a receive that builder_reserve_receive appended: it was cancelled, or it never completed.
 */
status_code builder_drop_receive(struct program_builder *builder, uint32_t rank, uint64_t request,
                                 struct status *status);
/* Appends a receive of which nothing is recorded, and a wait for it. Sealing finds the send that
 * the receive takes, or removes the receive (program_infer.h). Sets *place, for
 * builder_drop_unrecorded. */
status_code builder_append_unrecorded(struct program_builder *builder, uint32_t rank,
                                      uint32_t *place, struct status *status);
/* Removes a receive that builder_append_unrecorded appended. */
status_code builder_drop_unrecorded(struct program_builder *builder, uint32_t rank, uint32_t place,
                                    struct status *status);
/* Removes a posted send: it was cancelled before a receive took it. */
status_code builder_drop_send(struct program_builder *builder, uint32_t rank, uint64_t request,
                              struct status *status);
/* Detaches a posted send or access to a file: no rank will wait for it (MPI_Request_free). */
status_code builder_detach(struct program_builder *builder, uint32_t rank, uint64_t request,
                           struct status *status);
/* Appends a collective. request: BUILDER_NO_REQUEST for a blocking collective. The builder sets
 * arguments.own_member. flags: a set of OPERATION_FLAG_COLLECTIVE_SPLIT,
 * OPERATION_FLAG_COLLECTIVE_IN_PLACE, OPERATION_FLAG_COLLECTIVE_ROOT_REMOTE and
 * BUILDER_SIZES_ARE_KNOWN. A rank that is not a member may record CREATE_HANDLE and DESTROY_HANDLE
 * (own_member is then PROGRAM_NONE). */
status_code builder_collective(struct program_builder *builder, uint32_t rank,
                               const struct program_collective_arguments *arguments, unsigned flags,
                               uint64_t request, struct status *status);
/* Appends a read or a write of a file, by its index. flags: a set of OPERATION_FLAG_FILE_WRITE,
 * OPERATION_FLAG_FILE_COLLECTIVE and OPERATION_FLAG_DETACHED. */
status_code builder_access_file(struct program_builder *builder, uint32_t rank, uint32_t file,
                                uint64_t offset, uint64_t bytes, unsigned flags, uint64_t request,
                                struct status *status);
/* Gives the reduction that was appended last the bytes of an element, which not all traces know.
 * STATUS_INPUT: it is no reduction. */
status_code builder_set_element(struct program_builder *builder, uint32_t rank, uint64_t bytes,
                                struct status *status);
/* Gives the ALLTOALLV or ALLTOALLW that was appended last the bytes that the rank sends to each
 * member (of the other group, on intercommunicators). STATUS_INPUT: it is of another kind, or the
 * sizes do not add up to what the rank sends. */
status_code builder_set_bytes_to_members(struct program_builder *builder, uint32_t rank,
                                         const uint64_t *bytes, uint32_t count,
                                         struct status *status);
/* Appends a non-blocking collective whose kind and communicator the caller learns at its
 * completion.
 */
status_code builder_reserve_collective(struct program_builder *builder, uint32_t rank,
                                       uint64_t request, struct status *status);
/* Fills in a collective that builder_reserve_collective appended. arguments and flags as for
 * builder_collective. */
status_code builder_fill_collective(struct program_builder *builder, uint32_t rank,
                                    uint64_t request,
                                    const struct program_collective_arguments *arguments,
                                    unsigned flags, struct status *status);
/* Removes a collective that builder_reserve_collective appended. */
status_code builder_drop_collective(struct program_builder *builder, uint32_t rank,
                                    uint64_t request, struct status *status);
/* Returns true if the request is in flight and its operation, of this kind, is reserved and not
 * known yet. */
bool builder_is_reserved(const struct program_builder *builder, uint32_t rank, uint64_t request,
                         program_operation_kind kind);
/* Records that a send in flight is complete and that a wait will name it. Returns false if there is
 * no such send or if it was complete before. */
bool builder_mark_send_complete(struct program_builder *builder, uint32_t rank, uint64_t request);
/* Removes all reserved operations that are not known, and adds their numbers to *receives and
 * *collectives. Afterwards the caller appends neither messages nor waits to the rank. */
status_code builder_drop_reserved(struct program_builder *builder, uint32_t rank,
                                  uint64_t *receives, uint64_t *collectives, struct status *status);
/* Waits for requests in flight. Afterwards each request is complete and its id is free. */
status_code builder_wait(struct program_builder *builder, uint32_t rank, const uint64_t *requests,
                         uint32_t count, struct status *status);
/* Waits for requests that a test found complete (OPERATION_FLAG_WAIT_TESTED). Adds to *given the
 * number of those that only give data away: the rank does not wait for them. */
status_code builder_wait_tested(struct program_builder *builder, uint32_t rank,
                                const uint64_t *requests, uint32_t count, uint64_t *given,
                                struct status *status);
/* Waits for all BUILDER_NO_REQUEST operations of the current call. Appends nothing if there are
 * none. */
status_code builder_wait_call(struct program_builder *builder, uint32_t rank,
                              struct status *status);
/* Returns true if the request is in flight: posted, and not waited for, dropped or detached since.
 */
bool builder_request_is_in_flight(const struct program_builder *builder, uint32_t rank,
                                  uint64_t request);

/* What a vertex of a rank that is a graph does (program_graph.h). */
struct builder_vertex {
    program_operation_kind kind; /* OPERATION_COMPUTE, OPERATION_SEND or OPERATION_RECEIVE */
    uint8_t cpu, nic;
    int64_t duration_ps;   /* COMPUTE; 0: the vertex only joins what it needs */
    uint32_t communicator; /* SEND, RECEIVE */
    uint32_t peer;
    int32_t tag;
    uint64_t bytes;
};

/* Appends a vertex, which gets the next number, from 0. needs: PROGRAM_NEED of earlier vertices. A
 * rank with vertices has nothing else. */
status_code builder_append_vertex(struct program_builder *builder, uint32_t rank,
                                  const struct builder_vertex *vertex, const uint32_t *needs,
                                  uint32_t need_count, struct status *status);

/* Ends the rank: the caller appends nothing more. STATUS_INPUT: a call or a region is open.
 * STATUS_USAGE: an operation is reserved and neither known nor dropped. When all ranks before this
 * one are done, its operations move to the program, and another rank reuses its memory. Sealing
 * ends the ranks that the caller has not ended. */
status_code builder_end_rank(struct program_builder *builder, uint32_t rank, struct status *status);

/* Phase 3. Seals the program; afterwards the builder is empty and can only be freed. Sends and
 * receives that no rank waited for become detached. Sealing matches sends with receives, numbers
 * the instances of collectives, gathers sizes, counts unmatched messages and computes the content
 * hash. STATUS_INPUT: members of a communicator disagree on its collectives (the message names both
 * ranks). The result does not depend on the number of threads. Memory is proportional to the
 * program. */
status_code builder_seal(struct program_builder *builder, unsigned threads,
                         struct program **program, struct status *status);
/* Returns true if sealing makes notes of this name. Code that copies a program leaves these notes
 * out, since sealing the copy counts them again. */
bool builder_note_is_of_sealing(const char *what);

#endif
