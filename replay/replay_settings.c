/*
 * The settings of the replay: host costs, the eager threshold, the algorithms of collectives.
 *
 * The defaults are those of a current cluster: 0.2 to 0.3 us of CPU time per message at each end,
 * as measured for UCX and libfabric on adapters of the InfiniBand and Slingshot classes.
 */
#include "replay/collectives/collectives.h"
#include "replay/protocol.h"

#define MEMBER(name) offsetof(struct replay_config, name)
#define TIME_LIMIT   INT64_C(1000000000000) /* 1 s */
#define SIZE_LIMIT   (INT64_C(1) << 48)

#define CHOICES(kind)                                                                              \
    static const char *const *kind##_choices(void) {                                               \
        return collective_algorithm_names(PROGRAM_##kind);                                         \
    }
CHOICES(BARRIER)
CHOICES(BCAST)
CHOICES(GATHER)
CHOICES(GATHERV)
CHOICES(SCATTER)
CHOICES(SCATTERV)
CHOICES(ALLGATHER)
CHOICES(ALLGATHERV)
CHOICES(ALLTOALL)
CHOICES(ALLTOALLV)
CHOICES(ALLTOALLW)
CHOICES(ALLREDUCE)
CHOICES(REDUCE)
CHOICES(REDUCE_SCATTER)
CHOICES(REDUCE_SCATTER_BLOCK)
CHOICES(SCAN)
CHOICES(EXSCAN)

SETTING_CHOICES(control_class_words, "job")

#define ALGORITHM_ROW(collective, setting, call)                                                   \
    {                                                                                              \
        .name = "mpi." setting, .kind = SETTING_CHOICE,                                            \
        .offset = MEMBER(collectives.algorithm[PROGRAM_##collective]), .initial = "auto",          \
        .choices = collective##_choices, .help = "algorithm of MPI_" call                          \
    }

const struct setting_row replay_setting_rows[] = {
    {.name = "replay.compute_scale",
     .kind = SETTING_RATIO,
     .offset = MEMBER(compute_scale_millionths),
     .maximum = INT64_C(1000000000000),
     .initial = "1",
     .help = "factor on all computation of the trace"},
    {.name = "mpi.protocol",
     .kind = SETTING_CHOICE,
     .offset = MEMBER(protocol),
     .initial = "generic",
     .choices = protocol_names,
     .help = "library whose eager threshold and kind of rendezvous apply"},
    {.name = "mpi.eager_threshold",
     .kind = SETTING_SIZE,
     .offset = MEMBER(eager_threshold_bytes),
     .maximum = SIZE_LIMIT,
     .initial = "protocol",
     .choices = protocol_threshold_words,
     .help =
         "messages up to this size are sent at once, larger ones by rendezvous; auto: the smallest "
         "with which the trace goes through"},
    {.name = "mpi.rendezvous",
     .kind = SETTING_CHOICE,
     .offset = MEMBER(rendezvous),
     .initial = "protocol",
     .choices = protocol_rendezvous_names,
     .help = "large messages: sent after an answer, or fetched by the receiver"},
    {.name = "mpi.progress",
     .kind = SETTING_CHOICE,
     .offset = MEMBER(progress),
     .initial = "hardware",
     .choices = protocol_progress_names,
     .help = "requests are answered by the NIC, or by ranks inside MPI calls only"},
    {.name = "mpi.send_overhead",
     .kind = SETTING_TIME_BY_SIZE,
     .offset = MEMBER(send_overhead_ps),
     .maximum = TIME_LIMIT,
     .initial = "250ns",
     .help = "CPU time of sending a message (LogGP o, sender)"},
    {.name = "mpi.receive_overhead",
     .kind = SETTING_TIME_BY_SIZE,
     .offset = MEMBER(receive_overhead_ps),
     .maximum = TIME_LIMIT,
     .initial = "250ns",
     .help = "CPU time of receiving a message (LogGP o, receiver)"},
    {.name = "mpi.send_overhead_per_kib",
     .kind = SETTING_TIME_BY_SIZE,
     .offset = MEMBER(send_overhead_per_kib_ps),
     .maximum = TIME_LIMIT,
     .initial = "0",
     .help = "CPU time of sending per 1024 bytes (LogGP O, sender)"},
    {.name = "mpi.receive_overhead_per_kib",
     .kind = SETTING_TIME_BY_SIZE,
     .offset = MEMBER(receive_overhead_per_kib_ps),
     .maximum = TIME_LIMIT,
     .initial = "0",
     .help = "CPU time of receiving per 1024 bytes (LogGP O, receiver)"},
    {.name = "mpi.eager_send_copy_per_kib",
     .kind = SETTING_TIME_BY_SIZE,
     .offset = MEMBER(eager_send_copy_per_kib_ps),
     .maximum = TIME_LIMIT,
     .initial = "0",
     .help = "CPU time of copying 1024 bytes of an eager message, sender"},
    {.name = "mpi.eager_receive_copy_per_kib",
     .kind = SETTING_TIME_BY_SIZE,
     .offset = MEMBER(eager_receive_copy_per_kib_ps),
     .maximum = TIME_LIMIT,
     .initial = "0",
     .help = "CPU time of copying 1024 bytes of an eager message, receiver"},
    {.name = "mpi.rendezvous_send_overhead",
     .kind = SETTING_TIME_BY_SIZE,
     .offset = MEMBER(rendezvous_send_overhead_ps),
     .maximum = TIME_LIMIT,
     .initial = "0",
     .help = "CPU time of starting a rendezvous, sender; besides the overhead"},
    {.name = "mpi.rendezvous_receive_overhead",
     .kind = SETTING_TIME_BY_SIZE,
     .offset = MEMBER(rendezvous_receive_overhead_ps),
     .maximum = TIME_LIMIT,
     .initial = "0",
     .help = "CPU time of starting a rendezvous, receiver; besides the overhead"},
    {.name = "mpi.send_completion",
     .kind = SETTING_TIME_BY_SIZE,
     .offset = MEMBER(send_completion_ps),
     .maximum = TIME_LIMIT,
     .initial = "0",
     .help = "CPU time of a send after the NIC has the message: it delays the sender, not the "
             "message"},
    {.name = "mpi.send_completion_per_kib",
     .kind = SETTING_TIME_BY_SIZE,
     .offset = MEMBER(send_completion_per_kib_ps),
     .maximum = TIME_LIMIT,
     .initial = "0",
     .help = "the same per 1024 bytes: copying that goes on while the NIC already sends"},
    {.name = "mpi.control_message",
     .kind = SETTING_SIZE,
     .offset = MEMBER(control_bytes),
     .maximum = INT64_C(1) << 20,
     .initial = "64B",
     .help = "size of a rendezvous request and of its answer"},
    {.name = "mpi.class",
     .kind = SETTING_COUNT,
     .offset = MEMBER(traffic_class),
     .maximum = NETWORK_CLASSES_MOST - 1,
     .initial = "0",
     .help = "traffic class of the messages of jobs that do not have one of their own"},
    {.name = "mpi.control_class",
     .kind = SETTING_COUNT,
     .offset = MEMBER(control_class),
     .maximum = NETWORK_CLASSES_MOST - 1,
     .initial = "job",
     .choices = control_class_words,
     .help =
         "traffic class of rendezvous requests, their answers, and other messages without data; "
         "job: that of their job"},
    {.name = "mpi.reduction_per_kib",
     .kind = SETTING_TIME,
     .offset = MEMBER(reduction_per_kib_ps),
     .maximum = TIME_LIMIT,
     .initial = "100ns",
     .help = "CPU time of combining 1024 bytes in a reduction"},
    {.name = "mpi.collectives",
     .kind = SETTING_CHOICE,
     .offset = MEMBER(collectives.library),
     .initial = "mpich",
     .choices = collective_library_names,
     .help = "library whose rules choose the algorithms of collectives"},
    {.name = "mpi.segment",
     .kind = SETTING_SIZE,
     .offset = MEMBER(collectives.segment_bytes),
     .maximum = SIZE_LIMIT,
     .initial = "8KiB",
     .help = "segments of pipelined collectives; 0: whole vectors"},
    {.name = "mpi.reduction_element",
     .kind = SETTING_SIZE,
     .offset = MEMBER(collectives.element_bytes),
     .minimum = 1,
     .maximum = SIZE_LIMIT,
     .initial = "8B",
     .help = "size of the elements of reductions, where the trace does not say it"},
    {.name = "mpi.alltoall_throttle",
     .kind = SETTING_COUNT,
     .offset = MEMBER(collectives.throttle),
     .maximum = INT64_C(1) << 31,
     .initial = "0",
     .help = "messages of an alltoall that a rank has under way, where the algorithm limits them; "
             "0: as the library (mpich 32, cray-mpich 8)"},
    {.name = "mpi.offload",
     .kind = SETTING_CHOICE,
     .offset = MEMBER(collectives.offload),
     .initial = "none",
     .choices = collective_offload_names,
     .help = "barriers and small allreduces: by ranks, or among nodes by a tree of NICs"},
    {.name = "mpi.offload_radix",
     .kind = SETTING_COUNT,
     .offset = MEMBER(collectives.offload_radix),
     .minimum = 2,
     .maximum = INT64_C(1) << 20,
     .initial = "32",
     .help = "children of a NIC in the tree of offloaded collectives"},
    {.name = "mpi.offload_latency",
     .kind = SETTING_TIME,
     .offset = MEMBER(collectives.offload_latency_ps),
     .maximum = TIME_LIMIT,
     .initial = "100ns",
     .help = "time of a NIC for each hop of the tree of offloaded collectives"},
    {.name = "mpi.offload_largest",
     .kind = SETTING_SIZE,
     .offset = MEMBER(collectives.offload_largest_bytes),
     .maximum = SIZE_LIMIT,
     .initial = "8B",
     .help = "largest vector of an allreduce that is offloaded"},
    ALGORITHM_ROW(BARRIER, "barrier", "Barrier"),
    ALGORITHM_ROW(BCAST, "bcast", "Bcast"),
    ALGORITHM_ROW(GATHER, "gather", "Gather"),
    ALGORITHM_ROW(GATHERV, "gatherv", "Gatherv"),
    ALGORITHM_ROW(SCATTER, "scatter", "Scatter"),
    ALGORITHM_ROW(SCATTERV, "scatterv", "Scatterv"),
    ALGORITHM_ROW(ALLGATHER, "allgather", "Allgather"),
    ALGORITHM_ROW(ALLGATHERV, "allgatherv", "Allgatherv"),
    ALGORITHM_ROW(ALLTOALL, "alltoall", "Alltoall"),
    ALGORITHM_ROW(ALLTOALLV, "alltoallv", "Alltoallv"),
    ALGORITHM_ROW(ALLTOALLW, "alltoallw", "Alltoallw"),
    ALGORITHM_ROW(ALLREDUCE, "allreduce", "Allreduce"),
    ALGORITHM_ROW(REDUCE, "reduce", "Reduce"),
    ALGORITHM_ROW(REDUCE_SCATTER, "reduce_scatter", "Reduce_scatter"),
    ALGORITHM_ROW(REDUCE_SCATTER_BLOCK, "reduce_scatter_block", "Reduce_scatter_block"),
    ALGORITHM_ROW(SCAN, "scan", "Scan"),
    ALGORITHM_ROW(EXSCAN, "exscan", "Exscan"),
};
const size_t replay_setting_count = sizeof replay_setting_rows / sizeof *replay_setting_rows;
