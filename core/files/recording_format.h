/*
 * The files of a recording, as the recorder (plugins/record) writes them and traces/recording reads
 * them. A recording is a folder with one file for each rank, rank-NNNNNN.rec. Numbers are
 * little-endian.
 *
 *   header   struct recording_header, on a page of its own
 *   tail     RECORDING_TAIL_BYTES of records that are not in a block yet. Header and tail are
 *            mapped, so that they outlive a process that is killed
 *   blocks   struct recording_block and its deflated records, one block after another
 *
 * A block, or the tail, is a sequence of records; a record is one MPI call:
 *
 *   varint   0: a new signature follows; n: the n-th signature of this block, from 1
 *   [varint count, then as many varints: the words of the signature]
 *   varint   2 * g, where g is the time since the last call of the thread in ns, and 1 more if the
 *            processor time follows; [varint processor time in ns]
 *   varint   duration of the call in ns
 *
 * The first word of a signature is call + RECORDING_CALLS_LIMIT * thread. Items follow: each is one
 * word with its recording_item, and its words.
 *
 * Must not know MPI's headers: plug-ins and traces share this file.
 */
#ifndef ANAX_CORE_RECORDING_FORMAT_H
#define ANAX_CORE_RECORDING_FORMAT_H

#include <stdint.h>

#define RECORDING_MAGIC "ANAXREC\n"
enum {
    RECORDING_VERSION = 5, /* 1 has no FILE and no FILE_ACCESS, 2 no OVERLAP, 3 neither topologies
                              nor PARTITIONED, 4 no UNKNOWN; all of them can be read */
    RECORDING_HEADER_BYTES = 4096,
    RECORDING_TAIL_BYTES = 128 << 10,
    RECORDING_BLOCK_MAGIC = 0x4B4C4241,
    RECORDING_CALLS_LIMIT = 512,
    RECORDING_WORDS_LIMIT = 1 << 26, /* of one signature */
    RECORDING_MASK_BYTES = 128
};

/* Of accesses to files: all bytes are fewer, and their places in the file are no larger. As in
 * traces/program/program.h. */
#define RECORDING_BYTES_LIMIT  (UINT64_C(1) << 48)
#define RECORDING_OFFSET_LIMIT (UINT64_C(1) << 62)

/* How a recording ended. */
typedef enum recording_state {
    RECORDING_RUNS,     /* the process is still running, or was killed */
    RECORDING_COMPLETE, /* MPI_Finalize */
    RECORDING_ABORTED,  /* MPI_Abort */
    RECORDING_NO_SPACE  /* a block could not be written, or memory ran out (ENOMEM) */
} recording_state;

struct recording_header {
    char magic[8];
    uint32_t version;
    uint32_t rank;
    uint32_t rank_count;
    uint32_t thread_level; /* 0 single … 3 multiple */
    uint64_t run;          /* equal in all files of a recording */
    int64_t start_ns;      /* clock of the host when MPI_Init returned */
    int64_t begin_ns;      /* clock of the host when recording began */
    uint64_t eager_bytes;  /* largest message that the MPI library sends at once; 0: not known */
    uint8_t processors[RECORDING_MASK_BYTES]; /* on which the process may run: a bit each */
    char host[64];
    char library[192];
    uint32_t crc; /* of all bytes before */
    /* Members that change. */
    uint32_t state;      /* a recording_state */
    uint32_t code;       /* of MPI_Abort, or errno */
    uint32_t blocks;     /* blocks in the file */
    uint32_t tail_block; /* the number of the block that the tail will be */
    uint32_t unused;
    uint64_t tail_bytes; /* whole records in the tail */
    uint64_t end;        /* offset of the end of the last block */
};

struct recording_block {
    uint32_t magic;
    uint32_t block_number; /* from 0 */
    uint32_t raw_bytes;
    uint32_t stored_bytes;
    uint32_t crc;        /* of the stored bytes */
    uint32_t header_crc; /* of the members before */
};

/* Items. Sizes are in bytes; ranks are world ranks; "signed" is zigzag. A communicator is a number
 * that the file defines by RECORDING_COMMUNICATOR; 0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF. A slot is
 * a number of a request in flight, from 1; slot 0 means that the call itself waits. */
#define RECORDING_ITEMS(X)                                                                         \
    X(SEND, 6)         /* communicator, destination, signed tag, bytes, flags, slot */             \
    X(RECEIVE, 4)      /* communicator, source, signed tag, bytes: received by this call */        \
    X(POST_RECEIVE, 1) /* slot */                                                                  \
    X(RECEIVED, 5)     /* slot: complete; communicator, source, signed tag, bytes (UINT64_MAX:     \
                          not known) */                                                            \
    X(DONE, 1)         /* slot: complete */                                                        \
    X(CANCELLED, 1)    /* slot */                                                                  \
    X(FREED, 1)        /* slot: nobody waits for it */                                             \
    X(COLLECTIVE, 8)   /* kind, communicator, root (recording_root), sent, received, element,      \
                          flags, slot */                                                           \
    X(SIZES, 1)        /* count, then as many words: bytes to each member, of the collective       \
                          before */                                                                \
    X(NEIGHBOURS, 4)   /* communicator, slot, receives, sends; then for each receive and for each  \
                          send: rank, port, bytes */                                               \
    X(COMMUNICATOR, 6) /* number, leader, number of the leader (2 words: low, high), local size,   \
                          remote size; then the world ranks */                                     \
    X(NAME, 2)         /* communicator, length; then a word for each byte */                       \
    X(WINDOW, 2)       /* number, communicator: a new window */                                    \
    X(WINDOW_SYNC, 1)  /* window: all members synchronise */                                       \
    X(RMA, 5)          /* window, target, bytes, flags, slot (0: none) */                          \
    X(RMA_DONE, 2)     /* window, target + 1 (0: all targets): operations are complete */          \
    X(SIGNAL, 3)       /* window, recording_signal, count; then the ranks */                       \
    X(LOCK, 3)         /* window, target + 1 (0: all), 1 if exclusive */                           \
    X(UNLOCK, 2)       /* window, target + 1 (0: all) */                                           \
    X(REGION, 2)       /* number, length; then a word for each byte: a new region */               \
    X(ENTER, 1)        /* region */                                                                \
    X(LEAVE, 0)                                                                                    \
    X(POLLS, 1)       /* number of failed tests and probes that this record stands for */          \
    X(FILE_BYTES, 2)  /* bytes read, bytes written */                                              \
    X(CARTESIAN, 2)   /* communicator of the same record, dimensions; then for each: size, 1 if    \
                         periodic */                                                               \
    X(FOREIGN, 0)     /* the call is about processes outside MPI_COMM_WORLD */                     \
    X(FILE, 2)        /* number, length; then a word for each byte of the name: a new file */      \
    X(FILE_ACCESS, 5) /* file, slot, flags, offset of the first byte in the file, bytes */         \
    X(OVERLAP, 1)     /* records that were written while the call was open: other threads ended    \
                         calls meanwhile */                                                        \
    X(GRAPH, 3)       /* communicator of the same record, sources, destinations; then the members  \
                         from which the rank receives, and those to which it sends */              \
    X(PARTITIONED, 5) /* number, communicator, peer, signed tag, 1 if it receives: a new           \
                         partitioned request */                                                    \
    X(PARTITIONED_SEND, 3)     /* partitioned request, bytes, slot */                              \
    X(PARTITIONED_RECEIVED, 3) /* slot: complete; partitioned request, bytes */                    \
    X(UNKNOWN, 1)              /* recording_unknown: the call has a handle that was made by a call \
                                  that is not recorded */

typedef enum recording_item {
#define RECORDING_ITEM_ENUM(name, words) RECORDING_##name,
    RECORDING_ITEMS(RECORDING_ITEM_ENUM)
#undef RECORDING_ITEM_ENUM
        RECORDING_ITEM_KINDS
} recording_item;

/* Flags of SEND (first four as in traces/program/program.h), of RMA, of COLLECTIVE and of
 * FILE_ACCESS. */
enum {
    RECORDING_SYNCHRONOUS = 1,
    RECORDING_READY = 2,
    RECORDING_BUFFERED = 4,
    RECORDING_PERSISTENT = 8,
    RECORDING_WRITES = 1,
    RECORDING_READS = 2,
    RECORDING_IN_PLACE = 1,
    RECORDING_FILE_WRITES = 1,
    RECORDING_FILE_COLLECTIVE = 2
};

/* Roots of collectives. */
typedef enum recording_root {
    RECORDING_ROOT_NONE,
    RECORDING_ROOT_SELF,  /* MPI_ROOT */
    RECORDING_ROOT_GROUP, /* MPI_PROC_NULL */
    RECORDING_ROOT_FIRST  /* + number of the root; on an intercommunicator in the other group */
} recording_root;

/* Kinds of collectives, in the order of traces/program/program.h. */
#define RECORDING_COLLECTIVES(X)                                                                   \
    X(BARRIER)                                                                                     \
    X(BCAST)                                                                                       \
    X(GATHER)                                                                                      \
    X(GATHERV)                                                                                     \
    X(SCATTER)                                                                                     \
    X(SCATTERV)                                                                                    \
    X(ALLGATHER)                                                                                   \
    X(ALLGATHERV)                                                                                  \
    X(ALLTOALL)                                                                                    \
    X(ALLTOALLV)                                                                                   \
    X(ALLTOALLW)                                                                                   \
    X(ALLREDUCE)                                                                                   \
    X(REDUCE)                                                                                      \
    X(REDUCE_SCATTER)                                                                              \
    X(REDUCE_SCATTER_BLOCK)                                                                        \
    X(SCAN)                                                                                        \
    X(EXSCAN)                                                                                      \
    X(CREATE_HANDLE)                                                                               \
    X(DESTROY_HANDLE)

typedef enum recording_collective {
#define RECORDING_COLLECTIVE_ENUM(name) RECORDING_##name,
    RECORDING_COLLECTIVES(RECORDING_COLLECTIVE_ENUM)
#undef RECORDING_COLLECTIVE_ENUM
        RECORDING_COLLECTIVE_KINDS
} recording_collective;

typedef enum recording_unknown {
    RECORDING_UNKNOWN_COMMUNICATOR, /* or a window */
    RECORDING_UNKNOWN_REQUEST,
    RECORDING_UNKNOWNS
} recording_unknown;

typedef enum recording_signal {
    RECORDING_SIGNAL_POST,
    RECORDING_SIGNAL_START,
    RECORDING_SIGNAL_COMPLETE,
    RECORDING_SIGNAL_WAIT,
    RECORDING_SIGNALS
} recording_signal;

/* The calls that are recorded, without MPI_. X(name, is_poll): a poll may fail. New calls stand at
 * the end. The first entry stands for marks of user regions. */
/* clang-format off */
#define RECORDING_CALLS(X) \
    X(Mark, 0) X(Init, 0) X(Init_thread, 0) X(Finalize, 0) X(Abort, 0) X(Send, 0) X(Bsend, 0) \
    X(Ssend, 0) X(Rsend, 0) X(Recv, 0) X(Sendrecv, 0) X(Sendrecv_replace, 0) X(Isend, 0) \
    X(Ibsend, 0) X(Issend, 0) X(Irsend, 0) X(Irecv, 0) X(Probe, 0) X(Iprobe, 1) X(Mprobe, 0) \
    X(Improbe, 1) X(Mrecv, 0) X(Imrecv, 0) X(Send_init, 0) X(Bsend_init, 0) X(Ssend_init, 0) \
    X(Rsend_init, 0) X(Recv_init, 0) X(Start, 0) X(Startall, 0) X(Wait, 0) X(Waitall, 0) \
    X(Waitany, 0) X(Waitsome, 0) X(Test, 1) X(Testall, 1) X(Testany, 1) X(Testsome, 1) \
    X(Request_get_status, 1) X(Request_free, 0) X(Cancel, 0) X(Barrier, 0) X(Bcast, 0) \
    X(Gather, 0) X(Gatherv, 0) X(Scatter, 0) X(Scatterv, 0) X(Allgather, 0) X(Allgatherv, 0) \
    X(Alltoall, 0) X(Alltoallv, 0) X(Alltoallw, 0) X(Allreduce, 0) X(Reduce, 0) \
    X(Reduce_scatter, 0) X(Reduce_scatter_block, 0) X(Scan, 0) X(Exscan, 0) X(Ibarrier, 0) \
    X(Ibcast, 0) X(Igather, 0) X(Igatherv, 0) X(Iscatter, 0) X(Iscatterv, 0) X(Iallgather, 0) \
    X(Iallgatherv, 0) X(Ialltoall, 0) X(Ialltoallv, 0) X(Ialltoallw, 0) X(Iallreduce, 0) \
    X(Ireduce, 0) X(Ireduce_scatter, 0) X(Ireduce_scatter_block, 0) X(Iscan, 0) X(Iexscan, 0) \
    X(Neighbor_allgather, 0) X(Neighbor_allgatherv, 0) X(Neighbor_alltoall, 0) \
    X(Neighbor_alltoallv, 0) X(Neighbor_alltoallw, 0) X(Ineighbor_allgather, 0) \
    X(Ineighbor_allgatherv, 0) X(Ineighbor_alltoall, 0) X(Ineighbor_alltoallv, 0) \
    X(Ineighbor_alltoallw, 0) X(Comm_dup, 0) X(Comm_dup_with_info, 0) X(Comm_idup, 0) \
    X(Comm_create, 0) X(Comm_create_group, 0) X(Comm_split, 0) X(Comm_split_type, 0) \
    X(Comm_free, 0) X(Comm_disconnect, 0) X(Comm_set_name, 0) X(Cart_create, 0) X(Cart_sub, 0) \
    X(Graph_create, 0) X(Dist_graph_create, 0) X(Dist_graph_create_adjacent, 0) \
    X(Intercomm_create, 0) X(Intercomm_merge, 0) X(Comm_spawn, 0) X(Comm_spawn_multiple, 0) \
    X(Comm_accept, 0) X(Comm_connect, 0) X(Win_create, 0) X(Win_allocate, 0) \
    X(Win_allocate_shared, 0) X(Win_create_dynamic, 0) X(Win_free, 0) X(Win_fence, 0) \
    X(Win_post, 0) X(Win_start, 0) X(Win_complete, 0) X(Win_wait, 0) X(Win_test, 1) \
    X(Win_lock, 0) X(Win_unlock, 0) X(Win_lock_all, 0) X(Win_unlock_all, 0) X(Win_flush, 0) \
    X(Win_flush_all, 0) X(Win_flush_local, 0) X(Win_flush_local_all, 0) X(Put, 0) X(Get, 0) \
    X(Accumulate, 0) X(Get_accumulate, 0) X(Fetch_and_op, 0) X(Compare_and_swap, 0) X(Rput, 0) \
    X(Rget, 0) X(Raccumulate, 0) X(Rget_accumulate, 0) X(File_open, 0) X(File_close, 0) \
    X(File_delete, 0) X(File_set_size, 0) X(File_preallocate, 0) X(File_set_view, 0) \
    X(File_sync, 0) X(File_read_at, 0) X(File_read_at_all, 0) X(File_write_at, 0) \
    X(File_write_at_all, 0) X(File_iread_at, 0) X(File_iwrite_at, 0) X(File_iread_at_all, 0) \
    X(File_iwrite_at_all, 0) X(File_read, 0) X(File_read_all, 0) X(File_write, 0) \
    X(File_write_all, 0) X(File_iread, 0) X(File_iwrite, 0) X(File_iread_all, 0) \
    X(File_iwrite_all, 0) X(File_read_shared, 0) X(File_write_shared, 0) X(File_iread_shared, 0) \
    X(File_iwrite_shared, 0) X(File_read_ordered, 0) X(File_write_ordered, 0) \
    X(File_seek_shared, 0) X(File_read_at_all_begin, 0) X(File_read_at_all_end, 0) \
    X(File_write_at_all_begin, 0) X(File_write_at_all_end, 0) X(File_read_all_begin, 0) \
    X(File_read_all_end, 0) X(File_write_all_begin, 0) X(File_write_all_end, 0) \
    X(File_read_ordered_begin, 0) X(File_read_ordered_end, 0) X(File_write_ordered_begin, 0) \
    X(File_write_ordered_end, 0) X(Psend_init, 0) X(Precv_init, 0) X(Pready, 0) \
    X(Pready_range, 0) X(Pready_list, 0) X(Parrived, 1) X(Isendrecv, 0) X(Isendrecv_replace, 0) \
    X(Pcontrol, 0) X(Barrier_init, 0) X(Bcast_init, 0) X(Gather_init, 0) X(Gatherv_init, 0) \
    X(Scatter_init, 0) X(Scatterv_init, 0) X(Allgather_init, 0) X(Allgatherv_init, 0) \
    X(Alltoall_init, 0) X(Alltoallv_init, 0) X(Alltoallw_init, 0) X(Allreduce_init, 0) \
    X(Reduce_init, 0) X(Reduce_scatter_init, 0) X(Reduce_scatter_block_init, 0) X(Scan_init, 0) \
    X(Exscan_init, 0) X(Neighbor_allgather_init, 0) X(Neighbor_allgatherv_init, 0) \
    X(Neighbor_alltoall_init, 0) X(Neighbor_alltoallv_init, 0) X(Neighbor_alltoallw_init, 0) \
    X(Comm_idup_with_info, 0) X(Comm_create_from_group, 0) X(Intercomm_create_from_groups, 0) \
    X(Comm_join, 0)
/* clang-format on */

typedef enum recording_call {
#define RECORDING_CALL_ENUM(name, is_poll) RECORDING_CALL_##name,
    RECORDING_CALLS(RECORDING_CALL_ENUM)
#undef RECORDING_CALL_ENUM
        RECORDING_CALL_COUNT
} recording_call;

#endif
