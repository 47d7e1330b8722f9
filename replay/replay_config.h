/*
 * The settings of a replay as plain numbers: costs of messages, protocols, algorithms of
 * collectives, nodes with storage. replay_settings.c reads them.
 */
#ifndef ANAX_REPLAY_CONFIG_H
#define ANAX_REPLAY_CONFIG_H

#include "core/settings/by_size.h"
#include "core/settings/settings.h"
#include "traces/program/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The settings that choose the algorithm of each collective. */
struct collective_choice {
    int32_t library; /* index of the library whose rules "auto" follows */
    int32_t algorithm[PROGRAM_COLLECTIVE_KINDS]; /* per kind: 0: auto, else the number of the
                                                    algorithm in the kind's list */
    int64_t segment_bytes; /* bytes of a segment in pipelined algorithms; 0: whole vectors */
    int64_t element_bytes; /* bytes of an element of a reduction; >= 1 */
    int64_t throttle; /* messages of an alltoall under way at a time; 0: the library's number */
    int32_t offload;  /* whether NICs carry out small allreduces and barriers: 0 none, 1 tree */
    int64_t offload_radix;         /* children of a NIC in the tree; >= 2 */
    int64_t offload_latency_ps;    /* of a NIC for each hop of the tree */
    int64_t offload_largest_bytes; /* vector of an allreduce that NICs can combine */
};

#define REPLAY_REQUESTS_MAX 16 /* largest value of replay_storage.requests_max */

/* Nodes with storage, to which reads and writes of files go. */
struct replay_storage {
    int64_t nodes;             /* I/O nodes; 0: as share_millionths says */
    int64_t share_millionths;  /* of all nodes, rounded down; both 0: files cost no time */
    int32_t place;             /* storage_place */
    int32_t rule;              /* storage_rule */
    int64_t stripe_bytes;      /* size of a file's stripes, and of the largest request */
    int64_t stripe_count;      /* I/O nodes over which a file is striped; 0: all */
    int64_t write_bytes_per_s; /* that an I/O node writes */
    int64_t read_bytes_per_s;  /* that an I/O node reads */
    int64_t latency_ps;        /* of a request at an I/O node, before its service */
    int64_t requests_max;      /* most requests of one access under way at a time */
};

/* How the data of a message above the eager threshold reach the receiver. */
typedef enum replay_rendezvous {
    REPLAY_RENDEZVOUS_PROTOCOL, /* the kind of rendezvous that the protocol uses */
    REPLAY_RENDEZVOUS_PUT,      /* the receiver answers a request, then the sender sends the data */
    REPLAY_RENDEZVOUS_GET       /* the receiver's NIC reads the data and then notifies the sender */
} replay_rendezvous;

/* What makes progress on a rendezvous (answers, data, notifications) at a rank's node. */
typedef enum replay_mpi_progress {
    REPLAY_PROGRESS_HARDWARE, /* the NIC, at any time */
    REPLAY_PROGRESS_SOFTWARE  /* the rank, only while it is inside an MPI call */
} replay_mpi_progress;

/* Values of eager_threshold_bytes that stand for a rule instead of a size. */
#define REPLAY_EAGER_BY_PROTOCOL INT64_C(-1)
#define REPLAY_EAGER_AUTO        INT64_C(-2) /* the smallest that lets the program finish */
/* Value of memory_send_overhead_ps and memory_receive_overhead_ps, for all sizes. */
#define REPLAY_MEMORY_AS_NETWORK INT64_C(-1)

struct replay_config {
    int64_t compute_scale_millionths; /* factor on compute times */
    int64_t eager_threshold_bytes;    /* largest eager message; or REPLAY_EAGER_… */
    int32_t protocol;                 /* index into the table of protocols */
    int32_t rendezvous;               /* replay_rendezvous */
    int32_t progress;                 /* replay_mpi_progress */
    /* CPU times as step functions of the message size; host_cost.h adds them up. */
    struct by_size send_overhead_ps;         /* LogGP's o of the sender, per message */
    struct by_size receive_overhead_ps;      /* LogGP's o of the receiver, per message */
    struct by_size send_overhead_per_kib_ps; /* LogGP's O: per 1024 bytes, rounded down */
    struct by_size receive_overhead_per_kib_ps;
    struct by_size eager_send_copy_per_kib_ps; /* added for eager messages that are copied */
    struct by_size eager_receive_copy_per_kib_ps;
    struct by_size rendezvous_send_overhead_ps; /* added for messages sent by rendezvous */
    struct by_size rendezvous_receive_overhead_ps;
    /* Per message within a node; REPLAY_MEMORY_AS_NETWORK: all host costs of such messages are
     * those of messages between nodes. Both are that, or neither is. */
    struct by_size memory_send_overhead_ps;
    struct by_size memory_receive_overhead_ps;
    struct by_size send_completion_ps; /* of the sender, after the NIC has the message */
    struct by_size send_completion_per_kib_ps;
    int64_t control_bytes; /* bytes of payload of a request or clear-to-send message */
    int64_t traffic_class; /* of ranks for which replay_options sets no class */
    int64_t control_class; /* of control messages; -1: that of their ranks' messages */
    struct collective_choice collectives;
    int64_t reduction_per_kib_ps; /* CPU time for combining 1024 bytes in a reduction */
    struct replay_storage storage;
};

extern const struct setting_row replay_setting_rows[];
extern const size_t replay_setting_count;

/* Returns whether a machine has I/O nodes. */
static inline bool replay_has_storage(const struct replay_config *config) {
    return config->storage.nodes > 0 || config->storage.share_millionths > 0;
}

#endif
