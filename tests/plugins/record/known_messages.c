/*
 * An MPI program whose messages are known: tests/cli/test_record.sh records it with each MPI
 * library and compares the recording with what is written here. The first argument names the
 * parts that run. Runs on 2 to RANKS_MAX ranks; sizes depend on the rank, so that a mistaken rank
 * shows.
 */
#define _GNU_SOURCE /* fallocate */
#include "mpi_4.h"

#include <anax/record.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { RANKS_MAX = 64 };
static int rank, size, level;
static char sent[1 << 16], received[1 << 16];

static int right(void) {
    return (rank + 1) % size;
}

/* Returns the highest rank that is even if this one is odd, and odd if it is even. */
static int last_of_other_parity(void) {
    return (size - 1) % 2 != rank % 2 ? size - 1 : size - 2;
}

static int left(void) {
    return (rank + size - 1) % size;
}

/* Each rank: 7 sends to the right in all modes, of rank + 1 to rank + 7 bytes. */
static void modes(void) {
    MPI_Request requests[2];
    MPI_Status status;
    int place = 0;
    MPI_Buffer_attach(malloc(1 << 18), 1 << 18);
    for (int mode = 0; mode < 4; mode++) {
        const int count = rank + 1 + mode;
        MPI_Irecv(received, sizeof received, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &requests[0]);
        MPI_Barrier(MPI_COMM_WORLD);
        if (mode == 0) MPI_Send(sent, count, MPI_CHAR, right(), mode, MPI_COMM_WORLD);
        if (mode == 1)
            MPI_Isend(sent, count, MPI_CHAR, right(), mode, MPI_COMM_WORLD, &requests[1]);
        if (mode == 2) MPI_Bsend(sent, count, MPI_CHAR, right(), mode, MPI_COMM_WORLD);
        if (mode == 3) MPI_Rsend(sent, count, MPI_CHAR, right(), mode, MPI_COMM_WORLD);
        MPI_Waitall(mode == 1 ? 2 : 1, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Sendrecv(sent, rank + 5, MPI_CHAR, right(), 4, received, sizeof received, MPI_CHAR, left(),
                 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Issend(sent, rank + 6, MPI_CHAR, right(), 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Message message;
    MPI_Mprobe(left(), 5, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(received, sizeof received, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    MPI_Waitany(1, requests, &place, MPI_STATUS_IGNORE);
    MPI_Irecv(received, sizeof received, MPI_CHAR, left(), 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, rank + 7, MPI_CHAR, right(), 6, MPI_COMM_WORLD, &requests[1]);
    for (int done = 0; !done;)
        MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    MPI_Send(sent, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Irecv(received, 1, MPI_CHAR, left(), 99, MPI_COMM_WORLD, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

/* Each rank: 3 starts of a persistent send of 100 bytes to the right. */
static void persistent(void) {
    MPI_Request requests[2];
    MPI_Recv_init(received, 1000, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(sent, 25, MPI_INT, right(), 1, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

/* A receive from the left and a send of rank + tag bytes to the right. */
static void exchange(int tag, MPI_Request *requests) {
    MPI_Irecv(received, sizeof received, MPI_CHAR, left(), tag, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, rank + tag, MPI_CHAR, right(), tag, MPI_COMM_WORLD, &requests[1]);
}

/* Each rank: 8 sends to the right, received in all ways that ask first or take one of several: of
 * rank + 1, 2, 3, 4, 7 and 8 bytes, and of 10 and 7. */
static void waits(void) {
    MPI_Request requests[2];
    MPI_Message message;
    int done = 0, place = 0, places[2];
    exchange(1, requests);
    while (!done)
        MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
    MPI_Waitsome(1, &requests[1], &done, places, MPI_STATUSES_IGNORE);
    exchange(2, requests);
    for (int left_over = 2; left_over > 0; left_over -= done)
        MPI_Testany(2, requests, &place, &done, MPI_STATUS_IGNORE);
    exchange(3, requests);
    for (int left_over = 2; left_over > 0; left_over -= done)
        MPI_Testsome(2, requests, &done, places, MPI_STATUSES_IGNORE);
    exchange(4, requests);
    for (done = 0; !done;)
        MPI_Request_get_status(requests[0], &done, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Recv_init(received, 10, MPI_CHAR, left(), 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(sent, 10, MPI_CHAR, right(), 5, MPI_COMM_WORLD, &requests[1]);
    MPI_Start(&requests[0]);
    MPI_Start(&requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Sendrecv_replace(received, 7, MPI_CHAR, right(), 6, left(), 6, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    MPI_Isend(sent, rank + 7, MPI_CHAR, right(), 7, MPI_COMM_WORLD, &requests[1]);
    for (done = 0; !done;)
        MPI_Improbe(left(), 7, MPI_COMM_WORLD, &done, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(received, sizeof received, MPI_CHAR, &message, &requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Isend(sent, rank + 8, MPI_CHAR, right(), 8, MPI_COMM_WORLD, &requests[1]);
    for (done = 0; !done;)
        MPI_Iprobe(left(), 8, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
    MPI_Probe(left(), 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(received, sizeof received, MPI_CHAR, left(), 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

/* Every collective once, blocking and non-blocking. */
static void collectives(void) {
    int counts[RANKS_MAX], places[RANKS_MAX], others[RANKS_MAX];
    MPI_Datatype types[RANKS_MAX];
    MPI_Request requests[8];
    for (int i = 0; i < size; i++) {
        counts[i] = rank + 2 * i + 1; /* to rank i */
        others[i] = i + 2 * rank + 1; /* from rank i */
        places[i] = 200 * i;
        types[i] = MPI_CHAR;
    }
    int own[RANKS_MAX];
    for (int i = 0; i < size; i++)
        own[i] = 10 + i;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(sent, 11, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gather(sent, 12, MPI_CHAR, received, 12, MPI_CHAR, 1, MPI_COMM_WORLD);
    MPI_Gatherv(rank == 1 ? MPI_IN_PLACE : sent, own[rank], MPI_CHAR, received, own, places,
                MPI_CHAR, 1, MPI_COMM_WORLD);
    MPI_Scatter(sent, 13, MPI_CHAR, received, 13, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Scatterv(sent, own, places, MPI_CHAR, received, own[rank], MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Allgather(sent, 14, MPI_CHAR, received, 14, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Allgatherv(sent, own[rank], MPI_CHAR, received, own, places, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_CHAR, received, 15, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Alltoallv(sent, counts, places, MPI_CHAR, received, others, places, MPI_CHAR,
                  MPI_COMM_WORLD);
    MPI_Alltoallw(sent, counts, places, types, received, others, places, types, MPI_COMM_WORLD);
    MPI_Alltoallv(sent, own, places, MPI_CHAR, received, own, places, MPI_CHAR, MPI_COMM_SELF);
    MPI_Allreduce(MPI_IN_PLACE, received, 16, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce(sent, received, 17, MPI_CHAR, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce_scatter(sent, received, own, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(sent, received, 18, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    MPI_Scan(sent, received, 19, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    MPI_Exscan(sent, received, 20, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(sent, 21, MPI_CHAR, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Iallreduce(sent, received, 22, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD, &requests[2]);
    MPI_Ialltoallv(sent, counts, places, MPI_CHAR, received + 8192, others, places, MPI_CHAR,
                   MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* Communicators of every kind, with an allreduce of 8 bytes on each. */
static void communicators(void) {
    MPI_Comm made[8], between, merged;
    MPI_Request request;
    MPI_Group all, half;
    int count = 0, dimensions[] = {size}, periods[] = {1}, remain[] = {1};
    int ranks[RANKS_MAX], halves = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &made[count++]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &made[count++]);
    MPI_Comm_set_name(made[count - 1], rank % 2 ? "odd" : "even");
    MPI_Cart_create(MPI_COMM_WORLD, 1, dimensions, periods, 0, &made[count++]);
    MPI_Cart_sub(made[count - 1], remain, &made[count]);
    count++;
    MPI_Comm_idup(made[1], &made[count], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    count++;
    MPI_Comm twins[2]; /* the first duplicates of both, on every rank */
    MPI_Comm_idup(MPI_COMM_SELF, &twins[0], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_idup(MPI_COMM_WORLD, &twins[1], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&twins[0]);
    MPI_Comm_free(&twins[1]);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int i = rank % 2; i < size; i += 2)
        ranks[halves++] = i;
    MPI_Group_incl(all, halves, ranks, &half);
    MPI_Comm_create_group(MPI_COMM_WORLD, half, rank % 2, &made[count++]);
    for (int i = 0; i < count; i++)
        MPI_Allreduce(sent, received, 1, MPI_DOUBLE, MPI_MAX, made[i]);
    MPI_Intercomm_create(made[1], 0, MPI_COMM_WORLD, last_of_other_parity(), 7, &between);
    MPI_Allgather(sent, 3 + rank % 2, MPI_CHAR, received, 4 - rank % 2, MPI_CHAR, between);
    MPI_Bcast(sent, 33, MPI_CHAR,
              rank % 2 == 0 ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : (size - 1) / 2, between);
    MPI_Intercomm_merge(between, rank % 2, &merged);
    MPI_Send(sent, 44, MPI_CHAR, MPI_PROC_NULL, 0, merged);
    MPI_Barrier(merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&between);
    MPI_Request parting[2]; /* complete after their communicator is freed: rank + 1 bytes */
    MPI_Irecv(received, 64, MPI_CHAR, left(), 8, made[0], &parting[0]);
    MPI_Isend(sent, rank + 1, MPI_CHAR, right(), 8, made[0], &parting[1]);
    for (int i = 0; i < count; i++)
        MPI_Comm_free(&made[i]);
    MPI_Waitall(2, parting, MPI_STATUSES_IGNORE);
    MPI_Allreduce(sent, received, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_SELF);
}

/* Neighbour collectives on a ring (Cartesian) and on a graph in which rank i sends to i + 1. */
static void neighbours(void) {
    MPI_Comm ring, graph;
    MPI_Request request;
    int dimensions[] = {size}, periods[] = {1}, to = right(), from = left();
    int counts[] = {rank + 1, rank + 2}, places[] = {0, 1000};
    int others[] = {left() + 2, right() + 1};
    MPI_Cart_create(MPI_COMM_WORLD, 1, dimensions, periods, 0, &ring);
    MPI_Neighbor_allgather(sent, 5, MPI_CHAR, received, 5, MPI_CHAR, ring);
    MPI_Neighbor_alltoallv(sent, counts, places, MPI_CHAR, received, others, places, MPI_CHAR,
                           ring);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Ineighbor_alltoall(sent, 7, MPI_CHAR, received, 7, MPI_CHAR, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&ring);
}

/* One-sided: fences, groups, locks, and a request. */
static void remote(void) {
    static double memory[64];
    MPI_Win window;
    MPI_Group all, to, from;
    MPI_Request request;
    int next = right(), previous = left();
    long one = 1, old = 0;
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(sent, 24, MPI_CHAR, next, 0, 24, MPI_CHAR, window);
    MPI_Get(received, 16, MPI_CHAR, previous, 128, 16, MPI_CHAR, window);
    MPI_Win_fence(0, window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &next, &to);
    MPI_Group_incl(all, 1, &previous, &from);
    MPI_Win_post(from, 0, window);
    MPI_Win_start(to, 0, window);
    MPI_Put(sent, 40, MPI_CHAR, next, 0, 40, MPI_CHAR, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, 0, MPI_SUM, window);
    MPI_Win_flush(0, window);
    MPI_Win_unlock(0, window);
    MPI_Win_lock_all(0, window);
    MPI_Rput(sent, 8, MPI_CHAR, next, 8, 8, MPI_CHAR, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

/* A file of 8 bytes for each rank. */
static void files(void) {
    MPI_File file;
    char name[64];
    snprintf(name, sizeof name, "known_messages.out");
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 8 * rank, sent, 8, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

/* Each rank: writes 8 bytes in two calls and 8 in one that goes on meanwhile, and reads 4 from
 * where its pointer is and 2 from a place. */
static void places(void) {
    MPI_File file;
    MPI_Request request;
    MPI_File_open(MPI_COMM_WORLD, "places.out", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at_all_begin(file, 8 * rank, sent, 8, MPI_CHAR);
    MPI_File_write_at_all_end(file, sent, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, 8 * rank, sent, 8, MPI_CHAR, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 8 * rank, MPI_SEEK_SET);
    MPI_File_read(file, received, 4, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, 8 * rank, received, 2, MPI_CHAR, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static int handled;

static void handle(MPI_File *file, int *code, ...) {
    (void)file;
    (void)code;
    handled++;
}

/* Files that a recorder must ask with care: each rank writes 8 bytes to one without places, reads
 * 8 of 64 bytes that another file has, and none at places that no file has. The application's error
 * handler is its own, and still there afterwards. */
static void odd_files(void) {
    static const MPI_Offset far[] = {(MPI_Offset)1 << 62, ((MPI_Offset)1 << 62) - 5};
    const int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL;
    MPI_File file;
    MPI_Offset end = 0;
    MPI_Errhandler handler, now;
    MPI_Status status;
    int count = 0;
    MPI_File_create_errhandler(handle, &handler);
    if (MPI_File_open(MPI_COMM_WORLD, "odd.out", mode, MPI_INFO_NULL, &file) == MPI_SUCCESS) {
        MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
        MPI_File_write_shared(file, sent, 8, MPI_CHAR, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    MPI_File_open(MPI_COMM_WORLD, "known_messages.out", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, handler);
    MPI_File_get_size(file, &end);
    MPI_File_read_at(file, end - 8, received, 64, MPI_CHAR, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    MPI_File_read_at(file, end - 8, received, 64, MPI_CHAR, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++) {
        MPI_File_read_at(file, far[i], received, 10, MPI_CHAR, MPI_STATUS_IGNORE);
#ifndef OPEN_MPI /* whose requests for such places never complete */
        MPI_Request request;
        MPI_File_iread_at(file, far[i], received, 10, MPI_CHAR, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    }
    MPI_File_read_at(file, -5, received, 10, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_get_errhandler(file, &now);
    if (count != 8 || handled > 1 || now != handler) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_File_close(&file);
    MPI_Errhandler_free(&handler);
}

/* Collectives with arguments that MPI ignores: types of a root that gathers and scatters in place.
 */
static void ignored(void) {
    const bool is_root = rank == 0;
    const MPI_Datatype type = is_root ? (MPI_Datatype)0 : MPI_CHAR;
    int counts[RANKS_MAX], places[RANKS_MAX];
    for (int i = 0; i < size; i++)
        counts[i] = 4, places[i] = 4 * i;
    MPI_Gatherv(is_root ? MPI_IN_PLACE : sent, 4, type, received, counts, places, MPI_CHAR, 0,
                MPI_COMM_WORLD);
    MPI_Scatterv(received, counts, places, MPI_CHAR, is_root ? MPI_IN_PLACE : sent, 4, type, 0,
                 MPI_COMM_WORLD);
    MPI_Gather(is_root ? MPI_IN_PLACE : sent, 4, type, received, 4, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* Partitioned messages of 4 x 10 bytes, and sends and receives with one request. */
static void partitioned(void) {
#ifdef HAS_MPI_4
    MPI_Request requests[2];
    int done = 0, first[] = {0, 1, 2};
    MPI_Psend_init(sent, 4, 10, MPI_CHAR, right(), 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(received, 4, 10, MPI_CHAR, left(), 3, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &requests[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, requests);
        MPI_Pready(3, requests[0]);
        if (i == 0)
            MPI_Pready_range(0, 2, requests[0]);
        else
            MPI_Pready_list(3, first, requests[0]);
        for (int has_arrived = 0; !has_arrived;)
            MPI_Parrived(requests[1], 0, &has_arrived);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Isendrecv(sent, 50 + rank, MPI_CHAR, right(), 4, received, 1000, MPI_CHAR, left(), 4,
                  MPI_COMM_WORLD, &requests[0]);
    while (!done)
        MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace(sent, 7, MPI_CHAR, right(), 4, left(), 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
    MPI_Send_c(sent, 60, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
#endif
    MPI_Allreduce_init(sent, received, 5, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[0]);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&requests[0]);
#endif
}

/* With KNOWN_MESSAGES_NO_SPACE, the disk is full when the recorder makes its file; those of MPI
 * libraries are larger. Needs -rdynamic. */
int posix_fallocate(int file, off_t start, off_t bytes) {
    if (getenv("KNOWN_MESSAGES_NO_SPACE") != NULL && bytes < 200000) return ENOSPC;
    return fallocate(file, 0, start, bytes) == 0 ? 0 : errno;
}

/* Messages that compress badly, on a disk that is full soon: files of ranks from `first` on may get
 * 144 kB. */
static void fill(int first) {
    const struct rlimit limit = {144 << 10, 144 << 10};
    unsigned random = 1;
    if (rank >= first) setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 40000; i++) {
        random = random * 1103515245u + 12345u;
        const int bytes = (int)(random >> 16) % 60000;
        MPI_Sendrecv(sent, bytes % 64, MPI_CHAR, right(), bytes % 30000, received, 64, MPI_CHAR,
                     left(), bytes % 30000, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void full(void) {
    fill(0);
}

/* Only the last rank's disk is full; then all make communicators. */
static void uneven(void) {
    MPI_Comm turned, part, between;
    fill(size - 1);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    MPI_Barrier(turned);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, (rank + 1) % 2, 0, &between);
    MPI_Barrier(between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&part);
    MPI_Comm_free(&turned);
}

/* 1000 exchanges with both neighbours; then rank 1 ends in the way that is named. */
static void ends(const char *how) {
    for (int i = 0; i < 1000; i++) {
        MPI_Sendrecv(sent, 100, MPI_CHAR, right(), 0, received, 100, MPI_CHAR, left(), 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i % 10 == 9) MPI_Allreduce(sent, received, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank != 1) {
        MPI_Recv(received, 1, MPI_CHAR, 1, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(how, "term") == 0) raise(SIGTERM);
    if (strcmp(how, "kill") == 0) raise(SIGKILL);
}

/* Regions by the header and by MPI_Pcontrol, with a send in each. */
static void regions(void) {
    for (int i = 0; i < 2; i++) {
        anax_record_enter("solve");
        MPI_Sendrecv(sent, 9, MPI_CHAR, right(), 0, received, 9, MPI_CHAR, left(), 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        anax_record_leave();
        MPI_Pcontrol(3);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Pcontrol(-3);
    }
    if (getenv("ANAX_RECORD_FOLDER") != NULL && !anax_record_is_on()) MPI_Abort(MPI_COMM_WORLD, 9);
}

/* Two threads of each process, which exchange messages with the threads of the next one. */
static void *thread(void *context) {
    const int tag = *(const int *)context;
    char own[16], other[16];
    for (int i = 0; i < 50; i++) {
        MPI_Send(own, 10 + tag, MPI_CHAR, right(), tag, MPI_COMM_WORLD);
        MPI_Recv(other, sizeof other, MPI_CHAR, left(), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void threads(void) {
    pthread_t other;
    int tags[] = {0, 1};
    if (level < MPI_THREAD_MULTIPLE) return;
    pthread_create(&other, NULL, thread, &tags[1]);
    thread(&tags[0]);
    pthread_join(other, NULL);
}

/* The second of two threads, on a communicator of its own: it sends while the first one receives.
 */
static void *second(void *context) {
    const MPI_Comm own = *(const MPI_Comm *)context;
    char bytes[16];
    for (int i = 0; i < 20; i++) {
        int sum;
        MPI_Ssend(bytes, 11, MPI_CHAR, right(), 7, MPI_COMM_WORLD);
        MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, own);
    }
    return NULL;
}

/* Calls of two threads that depend on each other's: in the order in which they end, each process
 * would receive before it sends, and the processes would end collectives in other orders. */
static void overlap(void) {
    pthread_t other;
    MPI_Comm own;
    char bytes[16];
    if (level < MPI_THREAD_MULTIPLE) return;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    pthread_create(&other, NULL, second, &own);
    for (int i = 0; i < 20; i++) {
        int sum;
        MPI_Recv(bytes, sizeof bytes, MPI_CHAR, left(), 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    pthread_join(other, NULL);
    MPI_Comm_free(&own);
}

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {
    {"modes", modes},           {"persistent", persistent},   {"waits", waits},
    {"places", places},         {"collectives", collectives}, {"communicators", communicators},
    {"neighbours", neighbours}, {"remote", remote},           {"regions", regions},
    {"threads", threads},       {"overlap", overlap},         {"files", files},
    {"odd_files", odd_files},   {"ignored", ignored},         {"full", full},
    {"uneven", uneven},         {"partitioned", partitioned}};

int main(int count, char **arguments) {
    char names[256] = "";
    if (count > 1) snprintf(names, sizeof names, "%s", arguments[1]);
    if (strstr(names, "late") != NULL) usleep(400000); /* waits before MPI_Init, computes nothing */
    if (strstr(names, "threads") != NULL || strstr(names, "overlap") != NULL)
        MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &level);
    else
        MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > RANKS_MAX) MPI_Abort(MPI_COMM_WORLD, 1);
    for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (strcmp(parts[i].name, name) == 0) parts[i].run();
        if (strcmp(name, "abort") == 0 || strcmp(name, "term") == 0 || strcmp(name, "kill") == 0)
            ends(name);
    }
    MPI_Finalize();
    return 0;
}
