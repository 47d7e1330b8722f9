/*
 * An MPI program in which messages of equal tags are easily confused, and with process topologies:
 * tests/cli/test_record.sh records it with each MPI library. Runs on any number of ranks from 2 on.
 * Each message has a length of its own, so that a wrong pair of a send and a receive shows.
 */
#define _DEFAULT_SOURCE /* usleep */
#include "mpi_4.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static char sent[1 << 20], received[1 << 20];

static int right(void) {
    return (rank + 1) % size;
}

static int left(void) {
    return (rank + size - 1) % size;
}

static void fail(const char *what) {
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void expect_bytes(const MPI_Status *status, int bytes) {
    int count = 0;
    MPI_Get_count(status, MPI_CHAR, &count);
    if (count != bytes) fail("another message than MPI has for this receive");
}

/* Each rank: 5 messages of one tag to the right. Matched probes take the first, third and fifth,
 * and other receives the second and fourth before the data of the first and third is taken. */
static void probes(void) {
    static const int bytes[] = {200000, 21, 22, 300000, 24};
    MPI_Message first, third, fifth, none;
    MPI_Request requests[5], taken;
    MPI_Status status;
    int flag = 0;
    for (int i = 0; i < 5; i++)
        MPI_Isend(sent, bytes[i], MPI_CHAR, right(), 9, MPI_COMM_WORLD, &requests[i]);
    MPI_Mprobe(left(), 9, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
    MPI_Recv(received, 300000, MPI_CHAR, left(), 9, MPI_COMM_WORLD, &status);
    expect_bytes(&status, 21);
    while (!flag)
        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &third, MPI_STATUS_IGNORE);
    MPI_Recv(received, 300000, MPI_CHAR, left(), 9, MPI_COMM_WORLD, &status);
    expect_bytes(&status, 300000);
    MPI_Mprobe(left(), MPI_ANY_TAG, MPI_COMM_WORLD, &fifth, &status);
    expect_bytes(&status, 24);
    MPI_Imrecv(received, 300000, MPI_CHAR, &third, &taken);
    MPI_Mrecv(received + 300000, 300000, MPI_CHAR, &first, MPI_STATUS_IGNORE);
    MPI_Wait(&taken, &status);
    expect_bytes(&status, 22);
    MPI_Mrecv(received, 300000, MPI_CHAR, &fifth, MPI_STATUS_IGNORE);
    MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 9, MPI_COMM_WORLD, &none, &status);
    MPI_Mrecv(received, 1, MPI_CHAR, &none, MPI_STATUS_IGNORE);
}

/* Ends the receive of a message that is longer than the 50 bytes for it. */
static int receive_in_part(int way) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int flag = 0, place = 0, code;
    if (way == 0)
        return MPI_Recv(received, 50, MPI_CHAR, left(), 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (way == 1) {
        MPI_Irecv(received + 100, 50, MPI_CHAR, left(), 5, MPI_COMM_WORLD, &requests[1]);
        code = MPI_Sendrecv(sent, 7, MPI_CHAR, right(), 5, received, 50, MPI_CHAR, left(), 4,
                            MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        return code;
    }
    MPI_Irecv(received, 50, MPI_CHAR, left(), 4, MPI_COMM_WORLD, &requests[0]);
    if (way == 2) return MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    if (way == 3) return MPI_Waitany(1, requests, &place, MPI_STATUS_IGNORE);
    if (way == 4) return MPI_Waitsome(1, requests, &flag, &place, statuses);
    if (way == 5) {
        MPI_Irecv(received + 100, 50, MPI_CHAR, left(), 5, MPI_COMM_WORLD, &requests[1]);
        code = MPI_Waitall(2, requests, statuses);
        if (requests[1] != MPI_REQUEST_NULL) MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        return code;
    }
    do
        code = way == 6 ? MPI_Test(&requests[0], &flag, statuses)
                        : MPI_Testall(1, requests, &flag, statuses);
    while (code == MPI_SUCCESS && !flag);
    return code;
}

/* Each rank: 8 times a message of 100 bytes of which the receive takes 50, then one of 20 bytes,
 * and two of 7 bytes beside them. */
static void cut(void) {
    MPI_Request requests[3];
    MPI_Status status;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int way = 0; way < 8; way++) {
        MPI_Isend(sent, 100, MPI_CHAR, right(), 4, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(sent, 20, MPI_CHAR, right(), 4, MPI_COMM_WORLD, &requests[1]);
        if (way == 5) MPI_Isend(sent, 7, MPI_CHAR, right(), 5, MPI_COMM_WORLD, &requests[2]);
        if (receive_in_part(way) == MPI_SUCCESS) fail("the message was not too long");
        MPI_Recv(received, 50, MPI_CHAR, left(), 4, MPI_COMM_WORLD, &status);
        expect_bytes(&status, 20);
        MPI_Waitall(way == 5 ? 3 : 2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Each rank: two partitioned messages of one tag, of 2 x 50 and 2 x 100 bytes. They are started and
 * ready in the order that is not that of their making, and a message of 10 bytes and the same tag
 * is received between them. */
static void partitioned(void) {
#ifdef HAS_MPI_4
    MPI_Request sends[2], receives[2];
    for (int i = 0; i < 2; i++)
        MPI_Psend_init(sent, 2, 50 + 50 * i, MPI_CHAR, right(), 5, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &sends[i]);
    for (int i = 0; i < 2; i++)
        MPI_Precv_init(received + 1000 * i, 2, 50 + 50 * i, MPI_CHAR, left(), 5, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &receives[i]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, receives);
        MPI_Sendrecv(sent, 10, MPI_CHAR, right(), 5, received + 4000, 10, MPI_CHAR, left(), 5,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int j = 1; j >= 0; j--) {
            MPI_Start(&sends[j]);
            MPI_Pready_range(0, 1, sends[j]);
        }
        MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
        MPI_Waitall(2, receives, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Request_free(&sends[i]);
        MPI_Request_free(&receives[i]);
    }
#endif
}

/* A grid of N x 1 ranks, its duplicate, its rows and its columns; a ring as a graph; and a graph in
 * which rank i sends to rank i + 1 twice. */
static void topologies(void) {
    MPI_Comm grid, copy, row, column, ring, graph;
    int sizes[] = {size, 1}, periods[] = {0, 1}, kept[] = {1, 0}, others[] = {0, 1};
    int *index = malloc((size_t)size * sizeof *index);
    int *edges = malloc(2 * (size_t)size * sizeof *edges);
    int from[] = {left(), left()}, to[] = {right(), right()};
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
    MPI_Comm_dup(grid, &copy);
    MPI_Cart_sub(grid, kept, &row);
    MPI_Cart_sub(grid, others, &column);
    for (int i = 0; i < size; i++) {
        index[i] = 2 * i + 2;
        edges[2 * i] = (i + size - 1) % size;
        edges[2 * i + 1] = (i + 1) % size;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &ring);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Comm made[] = {grid, copy, row, column, ring, graph};
    for (int i = 0; i < 6; i++)
        MPI_Comm_free(&made[i]);
    free(index);
    free(edges);
}

/* Exchanges messages for a minute, so that a signal has something to end. Each rank makes a file
 * exchanged-RANK after its first exchange. */
static void minute(void) {
    const double end = MPI_Wtime() + 60;
    char name[32];
    snprintf(name, sizeof name, "exchanged-%d", rank);
    for (FILE *file = NULL; MPI_Wtime() < end;) {
        MPI_Sendrecv(sent, 50, MPI_CHAR, right(), 1, received, 50, MPI_CHAR, left(), 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (file == NULL) {
            file = fopen(name, "w");
            if (file == NULL) fail("no file says that it has exchanged a message");
            fclose(file);
        }
        usleep(1000);
    }
}

int main(int count, char **arguments) {
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "probes") == 0) probes();
        if (strcmp(arguments[i], "cut") == 0) cut();
        if (strcmp(arguments[i], "partitioned") == 0) partitioned();
        if (strcmp(arguments[i], "topologies") == 0) topologies();
        if (strcmp(arguments[i], "minute") == 0) minute();
    }
    MPI_Finalize();
    return 0;
}
