/*
 * The settings of the replay: host costs, the eager threshold, the algorithms of collectives.
 *
 * Defaults are those of a current cluster: 0.2 to 0.3 us of CPU time per message at each end, as
 * measured for UCX and libfabric on InfiniBand and Slingshot class adapters.
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

#define ALGORITHM_ROW(kind, name, call)                                                            \
    {                                                                                              \
        "mpi." name, SETTING_CHOICE, MEMBER(collectives.algorithm[PROGRAM_##kind]), 0, 0, "auto",  \
            kind##_choices, "algorithm of MPI_" call                                               \
    }

const struct setting_row replay_setting_rows[] = {
    {"replay.compute_scale", SETTING_RATIO, MEMBER(compute_scale_millionths), 0,
     INT64_C(1000000000000), "1", NULL, "factor on all computation of the trace"},
    {"mpi.protocol", SETTING_CHOICE, MEMBER(protocol), 0, 0, "generic", protocol_names,
     "library whose eager threshold and kind of rendezvous apply"},
    {"mpi.eager_threshold", SETTING_SIZE, MEMBER(eager_threshold_bytes), 0, SIZE_LIMIT, "protocol",
     protocol_threshold_words,
     "messages up to this size are sent at once, larger ones by rendezvous; auto: the smallest "
     "with which the trace goes through"},
    {"mpi.rendezvous", SETTING_CHOICE, MEMBER(rendezvous), 0, 0, "protocol",
     protocol_rendezvous_names, "large messages: sent after an answer, or fetched by the receiver"},
    {"mpi.progress", SETTING_CHOICE, MEMBER(progress), 0, 0, "hardware", protocol_progress_names,
     "requests are answered by the NIC, or by ranks inside MPI calls only"},
    {"mpi.send_overhead", SETTING_TIME_BY_SIZE, MEMBER(send_overhead_ps), 0, TIME_LIMIT, "250ns",
     NULL, "CPU time of sending a message (LogGP o, sender)"},
    {"mpi.receive_overhead", SETTING_TIME_BY_SIZE, MEMBER(receive_overhead_ps), 0, TIME_LIMIT,
     "250ns", NULL, "CPU time of receiving a message (LogGP o, receiver)"},
    {"mpi.send_overhead_per_kib", SETTING_TIME_BY_SIZE, MEMBER(send_overhead_per_kib_ps), 0,
     TIME_LIMIT, "0", NULL, "CPU time of sending per 1024 bytes (LogGP O, sender)"},
    {"mpi.receive_overhead_per_kib", SETTING_TIME_BY_SIZE, MEMBER(receive_overhead_per_kib_ps), 0,
     TIME_LIMIT, "0", NULL, "CPU time of receiving per 1024 bytes (LogGP O, receiver)"},
    {"mpi.eager_send_copy_per_kib", SETTING_TIME_BY_SIZE, MEMBER(eager_send_copy_per_kib_ps), 0,
     TIME_LIMIT, "0", NULL, "CPU time of copying 1024 bytes of an eager message, sender"},
    {"mpi.eager_receive_copy_per_kib", SETTING_TIME_BY_SIZE, MEMBER(eager_receive_copy_per_kib_ps),
     0, TIME_LIMIT, "0", NULL, "CPU time of copying 1024 bytes of an eager message, receiver"},
    {"mpi.rendezvous_send_overhead", SETTING_TIME_BY_SIZE, MEMBER(rendezvous_send_overhead_ps), 0,
     TIME_LIMIT, "0", NULL, "CPU time of starting a rendezvous, sender; besides the overhead"},
    {"mpi.rendezvous_receive_overhead", SETTING_TIME_BY_SIZE,
     MEMBER(rendezvous_receive_overhead_ps), 0, TIME_LIMIT, "0", NULL,
     "CPU time of starting a rendezvous, receiver; besides the overhead"},
    {"mpi.control_message", SETTING_SIZE, MEMBER(control_bytes), 0, INT64_C(1) << 20, "64B", NULL,
     "size of a rendezvous request and of its answer"},
    {"mpi.reduction_per_kib", SETTING_TIME, MEMBER(reduction_per_kib_ps), 0, TIME_LIMIT, "100ns",
     NULL, "CPU time of combining 1024 bytes in a reduction"},
    {"mpi.collectives", SETTING_CHOICE, MEMBER(collectives.library), 0, 0, "mpich",
     collective_library_names, "library whose rules choose the algorithms of collectives"},
    {"mpi.segment", SETTING_SIZE, MEMBER(collectives.segment_bytes), 0, SIZE_LIMIT, "8KiB", NULL,
     "segments of pipelined collectives; 0: whole vectors"},
    {"mpi.reduction_element", SETTING_SIZE, MEMBER(collectives.element_bytes), 1, SIZE_LIMIT, "8B",
     NULL, "size of the elements of reductions: with few of them libraries choose otherwise"},
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
