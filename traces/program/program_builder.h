/*
 * Building a program: used by the OTF2 importer, the pattern generator and tests.
 *
 * Must not know: OTF2, files. Phases: 1. one thread defines strings, regions and communicators;
 * 2. each rank is appended to by one thread at a time (different ranks by different threads at
 * once); 3. one thread seals. Every append checks its arguments; errors name the rank.
 *
 * The builder inserts CALL/RETURN, slots and request bookkeeping; callers speak of requests by an
 * id of their own choice (uint64_t, unique among the rank's requests in flight).
 */
#ifndef ANAX_TRACES_PROGRAM_BUILDER_H
#define ANAX_TRACES_PROGRAM_BUILDER_H

#include "traces/program/program.h"

struct program_builder;

/* The request id of a blocking call's own operation: waited for by builder_wait_call. */
#define BUILDER_NO_REQUEST (UINT64_C(3) << 62) /* tools use -1 */

struct program_builder *builder_new(uint32_t rank_count, struct status *status);
void builder_free(struct program_builder *builder); /* NULL allowed; after sealing too */

/* Phase 1 (and notes at any time, under the builder's lock). */
uint32_t builder_string(struct program_builder *builder, const char *text);
uint32_t builder_region(struct program_builder *builder, const char *name, bool is_mpi);
/* members: world ranks in communicator order. Equal groups are stored once. */
status_code builder_communicator(struct program_builder *builder, const char *name,
                                 const uint32_t *members, uint32_t size, uint32_t *index,
                                 struct status *status);
status_code builder_communicator_self(struct program_builder *builder, const char *name,
                                      uint32_t *index, struct status *status);
status_code builder_intercommunicator(struct program_builder *builder, const char *name,
                                      const uint32_t *local, uint32_t local_size,
                                      const uint32_t *remote, uint32_t remote_size, uint32_t *index,
                                      struct status *status);
/* What people know it by, where that is not its index: its id in the trace. */
void builder_communicator_number(struct program_builder *builder, uint32_t index, uint32_t number);
/* Adds to the note of that name (thread-safe). */
void builder_note(struct program_builder *builder, const char *what, const char *why,
                  uint64_t count);
/* The same for what the trace does not say and was assumed: not left out, but not known either. */
void builder_assumption(struct program_builder *builder, const char *what, const char *why,
                        uint64_t count);
/* Whether there is a note or assumption of that name. */
bool builder_is_noted(const struct program_builder *builder, const char *what);
void builder_about(struct program_builder *builder, const char *source, const char *creator,
                   uint64_t event_count, uint64_t location_count, int64_t span_ps);

/* Before sealing: the sizes of collectives come from records that do not say whether MPI_IN_PLACE
 * was given. Sealing decides, then, out of all calls (program_in_place.h), and notes how many may
 * be the other way. */
void builder_sizes_are_open(struct program_builder *builder);

/* A flag of builder_collective: its sizes do not come from records, and are not open. */
#define BUILDER_SIZES_ARE_KNOWN 128u

/* Before phase 2: how much of the program will be the rank's, in any unit that is the same for all
 * ranks. Unless it is said, all have 1. It is for reserving memory: being wrong costs time. */
void builder_expect(struct program_builder *builder, uint32_t rank, uint64_t share);

/* Phase 2. Consecutive computes are joined; a compute of 0 is dropped. */
status_code builder_compute(struct program_builder *builder, uint32_t rank, int64_t duration_ps,
                            struct status *status);
status_code builder_call(struct program_builder *builder, uint32_t rank, uint32_t region,
                         uint64_t event_number, int64_t trace_ps, struct status *status);
/* Drops the CALL again when nothing was posted or waited for in it and drop_empty is set.
 * Operations of a blocking call must have been waited for (builder_wait_call). */
status_code builder_return(struct program_builder *builder, uint32_t rank, int64_t trace_ps,
                           bool drop_empty, struct status *status);
status_code builder_enter(struct program_builder *builder, uint32_t rank, uint32_t region,
                          int64_t trace_ps, struct status *status);
status_code builder_leave(struct program_builder *builder, uint32_t rank, int64_t trace_ps,
                          struct status *status);
/* The length of a receive that is not known: that of the send it meets. */
#define BUILDER_UNKNOWN_BYTES UINT64_MAX
/* destination, source: world ranks. flags: PROGRAM_SYNCHRONOUS … PROGRAM_DETACHED;
 * PROGRAM_PERSISTENT: of a persistent request, whose id comes again when it is started again.
 * request: BUILDER_NO_REQUEST for an operation of a blocking call. */
status_code builder_send(struct program_builder *builder, uint32_t rank, uint32_t communicator,
                         uint32_t destination, int32_t tag, uint64_t bytes, unsigned flags,
                         uint64_t request, struct status *status);
status_code builder_receive(struct program_builder *builder, uint32_t rank, uint32_t communicator,
                            uint32_t source, int32_t tag, uint64_t bytes, unsigned flags,
                            uint64_t request, struct status *status);
/* A receive whose peer, tag and size are known only later (look-ahead): reserves its place in the
 * posting order; builder_receive_known fills it in, builder_receive_drop makes it vanish
 * (cancelled, or never completed). */
status_code builder_receive_reserve(struct program_builder *builder, uint32_t rank,
                                    uint64_t request, struct status *status);
status_code builder_receive_known(struct program_builder *builder, uint32_t rank, uint64_t request,
                                  uint32_t communicator, uint32_t source, int32_t tag,
                                  uint64_t bytes, struct status *status);
status_code builder_receive_drop(struct program_builder *builder, uint32_t rank, uint64_t request,
                                 struct status *status);
/* A receive that is posted and waited for here, and of which nothing is recorded: sealing finds out
 * which send it takes, or makes it vanish (program_infer.h). *place: for builder_unrecorded_drop,
 * which makes it vanish at once. */
status_code builder_receive_unrecorded(struct program_builder *builder, uint32_t rank,
                                       uint32_t *place, struct status *status);
status_code builder_unrecorded_drop(struct program_builder *builder, uint32_t rank, uint32_t place,
                                    struct status *status);
/* Makes a posted send vanish: it was cancelled before it met a receive. */
status_code builder_send_drop(struct program_builder *builder, uint32_t rank, uint64_t request,
                              struct status *status);
/* Turns a posted send nobody will wait for (MPI_Request_free) into a detached one. */
status_code builder_detach(struct program_builder *builder, uint32_t rank, uint64_t request,
                           struct status *status);
/* request: BUILDER_NO_REQUEST for a blocking collective. arguments.me is found by the builder.
 * flags: PROGRAM_IN_PLACE, PROGRAM_ROOT_REMOTE, BUILDER_SIZES_ARE_KNOWN. Handles may be recorded by
 * non-members (me is then PROGRAM_NONE). */
status_code builder_collective(struct program_builder *builder, uint32_t rank,
                               const struct program_collective_arguments *arguments, unsigned flags,
                               uint64_t request, struct status *status);
/* A non-blocking collective whose operation and communicator are known only at its completion. */
status_code builder_collective_reserve(struct program_builder *builder, uint32_t rank,
                                       uint64_t request, struct status *status);
status_code builder_collective_known(struct program_builder *builder, uint32_t rank,
                                     uint64_t request,
                                     const struct program_collective_arguments *arguments,
                                     unsigned flags, struct status *status);
status_code builder_collective_drop(struct program_builder *builder, uint32_t rank,
                                    uint64_t request, struct status *status);
/* Is the request in flight, and an operation of that kind of which nothing is known? */
bool builder_is_reserved(const struct program_builder *builder, uint32_t rank, uint64_t request,
                         program_kind kind);
/* Notes that a send in flight is complete, and will be waited for; false if there is no such send,
 * or it was complete already. */
bool builder_send_complete(struct program_builder *builder, uint32_t rank, uint64_t request);
/* Makes all of which nothing is known vanish, and counts them in *receives and *collectives.
 * Nothing may be posted or waited for after it. */
status_code builder_drop_reserved(struct program_builder *builder, uint32_t rank,
                                  uint64_t *receives, uint64_t *collectives, struct status *status);
/* Waits for requests in flight (each counts as complete afterwards; its id may be used again). */
status_code builder_wait(struct program_builder *builder, uint32_t rank, const uint64_t *requests,
                         uint32_t count, struct status *status);
/* The same for requests that a test found complete (PROGRAM_TESTED). Adds those to *given that only
 * give away data, and so are not waited for. */
status_code builder_wait_tested(struct program_builder *builder, uint32_t rank,
                                const uint64_t *requests, uint32_t count, uint64_t *given,
                                struct status *status);
/* Waits for all BUILDER_NO_REQUEST operations of the current call. No-op when there are none. */
status_code builder_wait_call(struct program_builder *builder, uint32_t rank,
                              struct status *status);
bool builder_in_flight(const struct program_builder *builder, uint32_t rank, uint64_t request);

/* Nothing more is appended to the rank: calls and regions must be closed, reserved operations known
 * or dropped. Its operations go to their place in the program, once all ranks before it are done,
 * and its memory to ranks to come. Sealing does it for those that are left out. */
status_code builder_rank_done(struct program_builder *builder, uint32_t rank,
                              struct status *status);

/* Phase 3, after which the builder can only be freed. Sends and receives that nobody waited for
 * become detached. Drops vanished operations, assigns slots, matches sends with receives, numbers
 * collective instances, gathers sizes, counts the unmatched, hashes. Leaves the builder empty.
 * STATUS_INPUT when members of a communicator disagree about its collectives (names both ranks).
 * Deterministic: the same for any number of threads. Memory: proportional to the program. */
status_code builder_seal(struct program_builder *builder, unsigned threads,
                         struct program **program, struct status *status);
/* Whether a note of that name comes from sealing: whoever copies a program leaves it out, as it is
 * counted anew. */
bool builder_note_is_of_sealing(const char *what);

#endif
