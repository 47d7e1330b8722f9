/*
 * The replay: MPI semantics on top of a network. Every rank of a program goes through its
 * operations; its progress waits for simulated messages.
 *
 * Knows programs, placements and the network; must not know files, YAML, JSON or the command line.
 */
#ifndef ANAX_REPLAY_REPLAY_H
#define ANAX_REPLAY_REPLAY_H

#include "core/settings.h"
#include "core/status.h"
#include "core/wide.h"
#include "mapping/placement.h"
#include "network/network.h"
#include "replay/hosts.h"
#include "traces/program/program.h"

#include <stdbool.h>
#include <stdint.h>

/* What decides which algorithm a collective runs by. */
struct collective_choice {
    int32_t library;                             /* whose choices "auto" takes */
    int32_t algorithm[PROGRAM_COLLECTIVE_KINDS]; /* 0: auto; else number in the kind's list */
    int64_t segment_bytes; /* of pipelined algorithms; 0: they send whole vectors */
    int64_t element_bytes; /* of an element of a reduction; >= 1 */
};

/* How the data of a message above the eager threshold get to their receiver. */
typedef enum replay_rendezvous {
    REPLAY_RENDEZVOUS_PROTOCOL, /* as the protocol has it */
    REPLAY_RENDEZVOUS_PUT,      /* the receiver answers a request, then the sender sends the data */
    REPLAY_RENDEZVOUS_GET       /* the receiver's NIC fetches the data and then tells the sender */
} replay_rendezvous;

/* Who answers requests: */
typedef enum replay_progress {
    REPLAY_PROGRESS_HARDWARE, /* the NIC, whatever its rank does */
    REPLAY_PROGRESS_SOFTWARE  /* the rank, while it is inside an MPI call */
} replay_progress;

/* In place of an eager threshold. */
#define REPLAY_EAGER_BY_PROTOCOL INT64_C(-1)
#define REPLAY_EAGER_AUTO        INT64_C(-2) /* the smallest that lets the program finish */

struct replay_config {
    int64_t compute_scale_millionths; /* factor on compute times */
    int64_t eager_threshold_bytes;    /* messages up to this size are eager; or EAGER_* */
    int32_t protocol;                 /* index into the table of protocols */
    int32_t rendezvous;               /* replay_rendezvous */
    int32_t progress;                 /* replay_progress */
    /* CPU time by the size of the message, see host_cost.h. */
    struct by_size send_overhead_ps;         /* LogGP's o, sender, per message */
    struct by_size receive_overhead_ps;      /* receiver, per message */
    struct by_size send_overhead_per_kib_ps; /* LogGP's O: per 1024 bytes, rounded down */
    struct by_size receive_overhead_per_kib_ps;
    struct by_size eager_send_copy_per_kib_ps; /* besides, of messages that are copied */
    struct by_size eager_receive_copy_per_kib_ps;
    struct by_size rendezvous_send_overhead_ps; /* besides, of messages by rendezvous */
    struct by_size rendezvous_receive_overhead_ps;
    int64_t control_bytes; /* payload of a request or clear-to-send message */
    struct collective_choice collectives;
    int64_t reduction_per_kib_ps; /* cost of combining 1024 bytes in reductions */
};

extern const struct setting_row replay_setting_rows[];
extern const size_t replay_setting_count;

/* Where a rank's time went; the parts add up to time_ps exactly. */
struct replay_rank_result {
    uint32_t rank;
    uint32_t node;
    int64_t time_ps;               /* completion */
    int64_t compute_ps;            /* scaled compute, noise included */
    int64_t send_overhead_ps;      /* host costs of sends */
    int64_t receive_overhead_ps;   /* host costs of receives */
    int64_t reduction_ps;          /* combining data in collectives */
    int64_t wait_late_sender_ps;   /* waiting in point-to-point calls until the sender was ready */
    int64_t wait_late_receiver_ps; /* waiting of a sender until the receiver was ready */
    int64_t wait_transit_ps;       /* network transit at zero load */
    int64_t wait_queueing_ps;      /* what the network took beyond that */
    int64_t collective_ps;         /* inside blocking collectives, but for overheads and reduction,
                                      and waiting for non-blocking ones */
    uint64_t sent_messages;        /* point to point */
    uint64_t sent_bytes;
};

/* Per MPI call name over all ranks. */
struct replay_call_result {
    const char *name; /* lives as long as the program */
    uint64_t count;
    wide time_ps;
    wide wait_ps; /* of it, waiting */
};

/* Time stamps of CALL, RETURN, ENTER and LEAVE operations, in program order, for the timeline. */
struct replay_timeline {
    uint32_t rank_count;
    uint64_t *first; /* rank_count + 1 entries into times_ps */
    int64_t *times_ps;
};

void replay_timeline_free(struct replay_timeline *timeline); /* NULL allowed */

struct replay_result {
    int64_t time_ps; /* when the last rank ends */
    uint32_t rank_count;
    struct replay_rank_result *ranks;
    struct replay_call_result *calls;
    uint32_t call_count;
    struct replay_timeline *timeline; /* NULL unless asked for */
    int64_t eager_threshold_bytes;    /* in force */
    uint64_t eager_messages;          /* point to point */
    uint64_t rendezvous_messages;
    uint64_t collective_messages;
    uint64_t remote_operations; /* one-sided */
    uint64_t digest; /* over time_ps, ranks, calls, the counts of eager, rendezvous and collective
                        messages, and the network's digest; not over the timeline */
    /* As the program's own notes (traces/program/program.h). */
    struct replay_note {
        const char *what;
        const char *why;
        uint64_t count;
        bool is_assumed;
    } * notes;
    uint32_t note_count;
};

/*
 * Other traffic on the same network, for as long as the replay lasts. It tells itself apart: its
 * timers have data other than 0, its messages' cookies have REPLAY_COMPANION in the top bits of
 * word 0; it hears nothing of them. Once nothing of the replay is left to happen, its timers are no
 * longer passed on, and messages of which nothing was sent are dropped. When that is does not
 * depend on threads.
 */
struct replay_companion {
    void *context;
    /* Sets the first timers. Must not send. */
    void (*start)(void *context, struct network *network);
    void (*timer)(void *context, struct network_domain *domain, int64_t now_ps, uint32_t entity,
                  uint64_t data);
    /* In place of timer once the replay is over: drops what the domain has not begun to send. */
    void (*over)(void *context, struct network_domain *domain, uint32_t entity);
};

#define REPLAY_COMPANION (UINT64_C(15) << 60)

struct replay_options {
    unsigned threads; /* 0: as many as help */
    bool timeline;
    const int64_t *start_ps; /* per rank: when it starts; NULL: all at 0. Its time counts
                                from there, its timeline from 0 */
    const struct replay_companion *companion; /* NULL: none */
    const struct replay_hosts *hosts;         /* NULL: all alike, and without noise */
    uint32_t first_rank;                      /* what the program's rank 0 is called there */
    bool (*progress)(void *context, int64_t now_ps, uint64_t events);
    void *progress_context;
};

/* Replays the program. STATUS_RUN: the ranks could not go on; the text says which ranks wait for
 * what (rank, call, peer, tag, communicator, bytes, place in the trace), at most 20 of them, the
 * cycle if there is one, and the eager threshold that would free them where that is the cause. No
 * result then (NULL). The network's totals and links can be read from *network afterwards, which
 * may be NULL after an error; the caller frees both. The program must satisfy program_check. */
status_code replay_run(struct replay_result **result, struct network **network,
                       const struct program *program, const struct placement *placement,
                       const struct replay_config *config, const struct network_config *machine,
                       uint64_t seed, const struct replay_options *options, struct status *status);

/* The same on a transport (replay/transport/transport.h), which nothing was handed to yet. machine
 * tells the nodes and domains; options.companion must be NULL. */
struct transport;
status_code replay_run_on(struct replay_result **result, struct transport *transport,
                          const struct program *program, const struct placement *placement,
                          const struct replay_config *config, const struct network_config *machine,
                          uint64_t seed, const struct replay_options *options,
                          struct status *status);
void replay_result_free(struct replay_result *result);

/* Puts the smallest eager threshold with which the program finishes, in bytes, in place of
 * REPLAY_EAGER_AUTO; if there is none, the largest of all, so that a replay stalls and says so. Any
 * other threshold stays. replay_run does this itself; it is for replays that are to have the
 * threshold of another program. machine: any valid one; nothing is simulated on it. STATUS_MEMORY,
 * or what network_config_check refuses. */
status_code replay_settle_threshold(struct replay_config *config, const struct program *program,
                                    const struct network_config *machine, struct status *status);

/* The eager threshold that applies, by the protocol's where that is to say it; or
 * REPLAY_EAGER_AUTO. */
int64_t replay_eager_threshold(const struct replay_config *config);

/* Choices, for `anax list` and the settings: the algorithms of one kind of collective, "auto"
 * first. */
struct replay_algorithm_text {
    const char *name;
    const char *help;
};
const struct replay_algorithm_text *replay_algorithms(program_collective_kind kind,
                                                      uint32_t *count);

/* The protocols by name, each with its source. */
const struct replay_algorithm_text *replay_protocols(uint32_t *count);

#endif
