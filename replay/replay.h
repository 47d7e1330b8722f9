/*
 * The replay: MPI semantics on top of a network. Each rank of a program executes its operations in
 * order and waits for simulated messages.
 *
 * Knows programs, placements and the network; must not know files, YAML, JSON or the command line.
 */
#ifndef ANAX_REPLAY_REPLAY_H
#define ANAX_REPLAY_REPLAY_H

#include "core/base/status.h"
#include "core/base/wide.h"
#include "core/simulation/time_bins.h"
#include "mapping/placement.h"
#include "network/network.h"
#include "replay/critical_path.h"
#include "replay/hosts/hosts.h"
#include "replay/replay_config.h"
#include "traces/program/program.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The note about reads and writes of files on a machine without I/O nodes. */
#define REPLAY_FREE_ACCESSES "reads and writes of files"
#define REPLAY_FREE_ACCESSES_WHY                                                                   \
    "the machine has no I/O nodes (io.nodes, io.share): they take no time"

/* What waiting for collectives consists of. */
struct replay_collective_wait {
    int64_t late_ps;     /* until the partners of the messages were ready */
    int64_t transit_ps;  /* for the network, as long as on an idle network; hops within NICs */
    int64_t queueing_ps; /* for the network beyond transit_ps */
    int64_t other_ps;    /* CPU time in non-blocking collectives, and at the end of ranks for
                            collectives that a test found complete */
};

/* The time of one rank. time_ps is the exact sum of the times from compute_ps to collective_ps. The
 * members of `collective` add up to collective_ps, and wait_storage_ps is a part of
 * wait_late_receiver_ps. */
struct replay_rank_result {
    uint32_t rank;
    uint32_t node;
    int64_t time_ps;               /* from the rank's start to its end */
    int64_t compute_ps;            /* computation, scaled, with noise */
    int64_t send_overhead_ps;      /* CPU time for sending messages */
    int64_t receive_overhead_ps;   /* CPU time for receiving messages */
    int64_t reduction_ps;          /* CPU time for combining data in blocking collectives */
    int64_t wait_late_sender_ps;   /* waiting in point-to-point calls until the sender was ready */
    int64_t wait_late_receiver_ps; /* waiting of a sender until the receiver was ready */
    int64_t wait_transit_ps;       /* waiting for the network, as long as on an idle network */
    int64_t wait_queueing_ps;      /* waiting for the network beyond wait_transit_ps */
    int64_t collective_ps;  /* waiting inside blocking collectives, and for the end of non-blocking
                               ones; without overheads and reductions */
    uint64_t sent_messages; /* point-to-point messages sent */
    uint64_t sent_bytes;
    struct replay_collective_wait collective;
    int64_t wait_storage_ps; /* the part of wait_late_receiver_ps that is waiting for I/O nodes */
    uint64_t memory_bytes;   /* sent to ranks of the same node, by messages of all kinds */
};

/* The calls of one MPI function, summed over all ranks. */
struct replay_mpi_function_result {
    const char *name; /* lives as long as the program */
    uint64_t count;
    wide time_ps;
    wide wait_ps; /* the part of time_ps spent waiting */
};

/* Where a message on a watched link comes from. */
struct replay_origin {
    uint32_t source_rank;
    uint32_t destination_rank;
    uint32_t
        function;    /* 1 + index into replay_result.origin_functions; 0: sent outside MPI calls */
    uint32_t region; /* 1 + index of the innermost user region; 0: outside user regions */
};

/* Returns the origin that a label of the network says; false: the label is not one of a replay. */
bool replay_origin_of(struct replay_origin *origin, const struct network_label *label);

/* Simulated times of the CALL, RETURN, ENTER and LEAVE operations of every rank, in program order.
 */
struct replay_timeline {
    uint32_t rank_count;
    uint64_t *first; /* rank_count + 1 indices into times_ps: where each rank's times begin */
    int64_t *times_ps;
    bool is_gathered; /* of several processes, process 0 has the times of all ranks; before, each
                         has those of the ranks that it has simulated */
};

/* Gives process 0 the times of all ranks, if it has not got them yet. own: as replay_own_ranks sets
 * it. All processes of the replay call this function; NULL: there is one, and nothing to do.
 * Returns the failure of another process, or STATUS_MEMORY. */
status_code replay_timeline_gather(struct replay_timeline *timeline, const bool *own,
                                   struct processes *processes, struct status *status);

/* Frees a timeline; NULL is allowed. */
void replay_timeline_free(struct replay_timeline *timeline);

/* What a rank does. The time of each state is a member of replay_rank_result or of
 * replay_collective_wait, in the same order. */
typedef enum replay_state {
    REPLAY_STATE_COMPUTE,
    REPLAY_STATE_SEND,
    REPLAY_STATE_RECEIVE,
    REPLAY_STATE_REDUCTION,
    REPLAY_STATE_LATE_SENDER,
    REPLAY_STATE_LATE_RECEIVER,
    REPLAY_STATE_TRANSIT,
    REPLAY_STATE_QUEUEING,
    REPLAY_STATE_COLLECTIVE_LATE,
    REPLAY_STATE_COLLECTIVE_TRANSIT,
    REPLAY_STATE_COLLECTIVE_QUEUEING,
    REPLAY_STATE_COLLECTIVE_OTHER,
    REPLAY_STATES
} replay_state;

#define REPLAY_BIN_ROWS 1024u /* most rows of replay_rank_bins, unless fewer are wanted */

/* The states of ranks over simulated time, in bins of one width. */
struct replay_rank_bins {
    uint32_t rank_count;
    uint32_t ranks_per_row; /* row r: ranks from r · ranks_per_row */
    uint32_t row_count;
    struct time_bins *rows; /* [row], with a series of picoseconds for each replay_state */
};

/* Frees bins; NULL is allowed. */
void replay_rank_bins_free(struct replay_rank_bins *bins);

/* Places between which messages are counted. */
typedef enum replay_matrix_by {
    REPLAY_MATRIX_OFF,
    REPLAY_MATRIX_BY_RANK,
    REPLAY_MATRIX_BY_NODE,
    REPLAY_MATRIX_BY_ROUTER,
    REPLAY_MATRIX_BY_GROUP
} replay_matrix_by;

#define REPLAY_MATRIX_PLACES 1024u /* most rows of a replay_matrix */

struct replay_matrix_cell {
    atomic_ullong messages; /* with data */
    atomic_ullong bytes;    /* payload of these */
    atomic_ullong control_messages;
    atomic_ullong control_bytes;
};

/* Messages from each place to each other one, end to end. */
struct replay_matrix {
    replay_matrix_by by;
    uint32_t place_count;
    uint32_t places_per_row; /* row r: places from r · places_per_row */
    uint32_t row_count;
    uint32_t *row_of_rank;
    struct replay_matrix_cell *cells; /* [source row · row_count + destination row] */
};

/* Frees a matrix; NULL is allowed. */
void replay_matrix_free(struct replay_matrix *matrix);

/* What an I/O node did. */
struct replay_storage_node {
    uint32_t node;
    uint64_t requests;
    uint64_t read_bytes;
    uint64_t written_bytes;
    int64_t busy_ps; /* sum of the service times of its requests */
    int64_t free_ps; /* end of its last service */
    wide waited_ps;  /* sum over its requests: waiting until earlier requests were served */
};

struct replay_result {
    int64_t time_ps; /* predicted time: when the last rank ends */
    uint32_t rank_count;
    struct replay_rank_result *ranks;
    struct replay_mpi_function_result *mpi_functions;
    uint32_t mpi_function_count;
    const char **origin_functions;    /* names of MPI functions; NULL unless links are watched */
    struct replay_timeline *timeline; /* NULL unless asked for */
    struct replay_rank_bins *bins;    /* NULL unless asked for */
    struct replay_matrix *matrix;     /* NULL unless asked for */
    /* Critical paths, if asked for: first that of all ranks. If there are several jobs, the paths
     * of each job's ranks follow. */
    struct replay_critical_path *paths;
    uint32_t path_count;
    int64_t eager_threshold_bytes; /* the threshold that applied */
    uint64_t eager_messages;       /* point-to-point messages sent eagerly */
    uint64_t rendezvous_messages;
    uint64_t collective_messages;
    uint64_t rma_operations;             /* one-sided operations */
    struct replay_storage_node *storage; /* the I/O nodes */
    uint32_t storage_count;
    uint64_t digest; /* over time_ps, ranks (`collective` apart), calls, I/O nodes, the counts of
                        eager, rendezvous and collective messages, and the network's digest */
    /* Entries of the lists "assumed" and "not modelled", as in traces/program/program.h. */
    struct replay_note {
        const char *what;
        const char *why;
        uint64_t count;
        bool is_assumed;
    } * notes;
    uint32_t note_count;
};

/*
 * Other traffic on the network of a replay, for as long as the replay lasts. Marks distinguish it
 * from the replay's own events: its timers have data other than 0, and the cookies of its messages
 * have REPLAY_COMPANION in the top bits of word 0. It gets no reports of its messages. Once no
 * event of the replay is left, timer_after_end is called for its timers instead of `timer`, so that
 * the companion can drop messages of which nothing was sent. The simulated time of this change does
 * not depend on the number of threads.
 */
struct replay_companion {
    void *context;
    /* Sets the first timers. Must not send messages. */
    void (*start)(void *context, struct network *network);
    void (*timer)(void *context, struct rail_group *rail_group, int64_t now_ps, uint32_t entity,
                  uint64_t data);
    /* Called instead of `timer` once the replay is over: drops the messages that the group has not
     * begun to send. */
    void (*timer_after_end)(void *context, struct rail_group *rail_group, uint32_t entity);
    /* Saves or restores what the companion keeps of the nodes of a group. */
    void (*save_or_restore)(void *context, struct saved_state *state, uint32_t group);
};

#define REPLAY_COMPANION (UINT64_C(15) << 60)

/* How far a replay is. */
struct replay_progress {
    int64_t now_ps;
    uint64_t events;
    uint64_t done;  /* operations that ranks have completed, as far as they were counted */
    uint64_t total; /* operations of all ranks; 0: unknown, with several processes */
};

struct replay_options {
    unsigned threads; /* number of threads; 0: as many as help */
    bool timeline;
    bool skips_survey; /* skip the survey of the program: the result has times and the timeline, but
                          all calls count as one and there are no notes. Allowed only after a replay
                          of the same program with the same placement, which has checked it */
    bool explain;      /* find the critical paths */
    replay_matrix_by matrix;               /* between what messages are counted */
    const struct network_link_name *links; /* links that are watched (network_watch) */
    uint32_t link_count;
    bool has_victim;     /* waits of the messages of a rank are counted (network_visit_waits) */
    uint32_t victim;     /* the rank */
    uint32_t time_bins;  /* most time bins that are kept; 0: none, otherwise at least 2 */
    uint32_t rank_rows;  /* most rows of replay_rank_bins; 0: REPLAY_BIN_ROWS */
    uint32_t path_steps; /* latest steps of a path to list; UINT32_MAX: all */
    const uint32_t *job_ends; /* per job: number of its last rank plus one; NULL: a single job */
    uint32_t job_count;
    const int64_t *start_ps; /* per rank: simulated time of its start; NULL: all at 0. A rank's
                                time_ps counts from its start, its timeline from 0 */
    const uint8_t *traffic_classes; /* per rank, of its messages; NULL: that of the settings */
    const struct replay_companion *companion; /* other traffic; NULL: none */
    const struct replay_hosts *hosts;         /* factors and noise; NULL: none */
    uint32_t first_rank; /* number of the program's rank 0 in `hosts` and among all jobs */
    uint64_t first_file; /* number of the program's file 0 among those of all jobs */
    bool (*progress)(void *context, const struct replay_progress *progress);
    void *progress_context;
    /* The processes that replay together; NULL: this process alone. *result is complete in process
     * 0 only. */
    struct processes *processes;
    /* Where checkpoints of this replay are written, and from which it resumes if it has begun there
     * (core/checkpoint/checkpoint.h); NULL: no checkpoints. Must be NULL with `explain`, `matrix`,
     * `links`, has_victim or time_bins, whose state is not saved. */
    struct checkpoint *checkpoint;
};

/* Replays the program, which must satisfy program_check. On success *result has the result.
 * STATUS_RUN: some ranks cannot go on. Its text has, for at most 20 of them, what the rank waits
 * for (rank, call, peer, tag, communicator, bytes, position in the trace), the cycle if there is
 * one, and the eager threshold that would free the ranks if sends block them. STATUS_STOPPED:
 * `progress` returned false, or a checkpoint ended the run. STATUS_USAGE, STATUS_INPUT: the
 * settings, the placement or the program cannot be replayed. Also the errors of network_new.
 * *result is NULL after an error. The network's totals and links can be read from *network, which
 * may be NULL after an error. The caller frees *result (replay_result_free) and *network
 * (network_free). */
status_code replay_run(struct replay_result **result, struct network **network,
                       const struct program *program, const struct placement *placement,
                       const struct replay_config *config,
                       const struct network_config *network_config, uint64_t seed,
                       const struct replay_options *options, struct status *status);

struct transport;

/* Does what replay_run does, but on a transport (replay/transport/transport.h) that has no messages
 * or timers yet. `network_config` defines the nodes and domains; options->companion must be NULL.
 */
status_code replay_run_on(struct replay_result **result, struct transport *transport,
                          const struct program *program, const struct placement *placement,
                          const struct replay_config *config,
                          const struct network_config *network_config, uint64_t seed,
                          const struct replay_options *options, struct status *status);

/* Frees a result; NULL is allowed. */
void replay_result_free(struct replay_result *result);

/* Sets own[rank] to whether this process simulates the rank if replay_run is called on these
 * processes: its operations must be in memory then (traces/program/file/program_division.h).
 * STATUS_USAGE, STATUS_INPUT: what replay_run refuses of the placement and the machine.
 * STATUS_MEMORY. */
status_code replay_own_ranks(bool *own, const struct placement *placement,
                             const struct network_config *network_config,
                             const struct processes *processes, struct status *status);

/* Replaces REPLAY_EAGER_AUTO in *config by the smallest eager threshold, in bytes, with which the
 * program finishes. If no threshold lets it finish, the largest possible one is taken, so that a
 * replay stalls and reports the reason. Any other threshold stays. replay_run calls this function
 * itself; other callers apply the threshold of one program to the replay of another.
 * `network_config` may be any valid machine; nothing is simulated on it. STATUS_MEMORY, or the
 * errors of network_config_check. */
status_code replay_settle_threshold(struct replay_config *config, const struct program *program,
                                    const struct network_config *network_config,
                                    struct status *status);

/* Returns the eager threshold that applies, in bytes, which is the protocol's if the configuration
 * says so; or REPLAY_EAGER_AUTO. */
int64_t replay_eager_threshold(const struct replay_config *config);

/* The name and description of an algorithm or a protocol, for lists of choices. */
struct replay_algorithm_text {
    const char *name;
    const char *help;
};
/* Returns the *count algorithms of a kind of collective. The first is "auto". */
const struct replay_algorithm_text *replay_algorithms(program_collective_kind kind,
                                                      uint32_t *count);

/* Returns the *count protocols. Each help text names the source of the figures. */
const struct replay_algorithm_text *replay_protocols(uint32_t *count);

#endif
