/*
 * The patterns behind some of the recordings in tests/data/otf2 and ../shared/traces/recorded, call
 * for call: tests/cli/test_record_scorep.sh records them with anax record and compares. The first
 * argument names the pattern.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static char sent[1 << 18], received[1 << 18];

/* Halos of a periodic grid: the faces of dimension d have bytes / (d + 1); then a sum. */
static void halo(int dimensions, int bytes, int iterations) {
    int extent[3] = {0}, periodic[3] = {1, 1, 1};
    MPI_Comm grid;
    double own = 1, sum;
    MPI_Dims_create(size, dimensions, extent);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, extent, periodic, 0, &grid);
    for (int i = 0; i < iterations; i++) {
        MPI_Request requests[12];
        int count = 0;
        for (int d = 0; d < dimensions; d++) {
            int below, above, face = bytes / (d + 1);
            MPI_Cart_shift(grid, d, 1, &below, &above);
            MPI_Irecv(received, face, MPI_CHAR, below, d, grid, &requests[count++]);
            MPI_Irecv(received + face, face, MPI_CHAR, above, d, grid, &requests[count++]);
            MPI_Isend(sent, face, MPI_CHAR, above, d, grid, &requests[count++]);
            MPI_Isend(sent, face, MPI_CHAR, below, d, grid, &requests[count++]);
        }
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, grid);
    }
    MPI_Comm_free(&grid);
}

static void halo2d(void) {
    halo(2, 1024, 3);
}

static void halo3d(void) {
    halo(3, 8192, 5);
}

/* Sweeps over an open grid from its corners: octant 0 from the last row and column. */
static void sweep(void) {
    int extent[2] = {0};
    MPI_Dims_create(size, 2, extent);
    int row = rank / extent[1], column = rank % extent[1];
    for (int i = 0; i < 20; i++) {
        int down = i % 2 == 0 ? -1 : 1, across = i / 2 % 2 == 0 ? -1 : 1, tag = i % 4;
        int before[2] = {row - down, column - across}, after[2] = {row + down, column + across};
        if (before[0] >= 0 && before[0] < extent[0])
            MPI_Recv(received, 8192, MPI_CHAR, before[0] * extent[1] + column, tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (before[1] >= 0 && before[1] < extent[1])
            MPI_Recv(received, 8192, MPI_CHAR, row * extent[1] + before[1], tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (after[0] >= 0 && after[0] < extent[0])
            MPI_Send(sent, 8192, MPI_CHAR, after[0] * extent[1] + column, tag, MPI_COMM_WORLD);
        if (after[1] >= 0 && after[1] < extent[1])
            MPI_Send(sent, 8192, MPI_CHAR, row * extent[1] + after[1], tag, MPI_COMM_WORLD);
    }
}

/* Persistent requests, around a ring in both directions. */
static void persist(void) {
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request requests[4];
    MPI_Recv_init(received, 4096, MPI_CHAR, left, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(sent, 4096, MPI_CHAR, right, 5, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(received + 4096, 2048, MPI_CHAR, right, 6, MPI_COMM_WORLD, &requests[2]);
    MPI_Ssend_init(sent, 2048, MPI_CHAR, left, 6, MPI_COMM_WORLD, &requests[3]);
    for (int i = 0; i < 5; i++) {
        MPI_Start(&requests[0]);
        MPI_Startall(3, &requests[1]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
}

/* Messages of one tag that are completed in the reverse order. */
static void order(void) {
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < 5; i++) {
        MPI_Request requests[8];
        for (int k = 0; k < 4; k++)
            MPI_Irecv(received + 8192 * k, 4096, MPI_CHAR, left, 1, MPI_COMM_WORLD, &requests[k]);
        for (int k = 0; k < 4; k++)
            MPI_Isend(sent, 4096 >> k, MPI_CHAR, right, 1, MPI_COMM_WORLD, &requests[4 + k]);
        for (int k = 7; k >= 0; k--)
            MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
}

static void sendrecv(void) {
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int above = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    int below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    for (int i = 0; i < 5; i++) {
        MPI_Sendrecv(sent, 4096, MPI_CHAR, right, i, received, 4096, MPI_CHAR, left, i,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv_replace(sent, 2048, MPI_CHAR, left, i, right, i, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
        MPI_Sendrecv(sent, 4096, MPI_CHAR, above, 9, received, 4096, MPI_CHAR, below, 9,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Every mode of sends, between pairs of ranks. */
static void modes(void) {
    int peer = rank ^ 1, bytes = 4096;
    static char buffer[1 << 17];
    MPI_Comm all = MPI_COMM_WORLD;
    MPI_Request requests[4];
    MPI_Buffer_attach(buffer, sizeof buffer);
    for (int i = 0; i < 5; i++) {
        MPI_Irecv(received, bytes, MPI_CHAR, peer, 1, all, &requests[0]);
        MPI_Barrier(all);
        MPI_Rsend(sent, bytes, MPI_CHAR, peer, 1, all);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Bsend(sent, bytes, MPI_CHAR, peer, 2, all);
        MPI_Recv(received, bytes, MPI_CHAR, peer, 2, all, MPI_STATUS_IGNORE);
        if (rank % 2 == 0) MPI_Ssend(sent, bytes, MPI_CHAR, peer, 3, all);
        MPI_Recv(received, bytes, MPI_CHAR, peer, 3, all, MPI_STATUS_IGNORE);
        if (rank % 2 == 1) MPI_Ssend(sent, bytes, MPI_CHAR, peer, 3, all);
        MPI_Irecv(received, bytes, MPI_CHAR, peer, 4, all, &requests[0]);
        MPI_Irecv(received + bytes, bytes, MPI_CHAR, peer, 5, all, &requests[1]);
        MPI_Issend(sent, bytes, MPI_CHAR, peer, 4, all, &requests[2]);
        MPI_Ibsend(sent, bytes, MPI_CHAR, peer, 5, all, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        MPI_Irecv(received, bytes, MPI_CHAR, peer, 6, all, &requests[0]);
        MPI_Barrier(all);
        MPI_Irsend(sent, bytes, MPI_CHAR, peer, 6, all, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    void *address;
    int attached;
    MPI_Buffer_detach(&address, &attached);
}

/* Every blocking collective, some of them in place; the root changes. */
static void colls(void) {
    int counts[64], places[64], thirds[64];
    MPI_Datatype types[64];
    MPI_Comm all = MPI_COMM_WORLD;
    for (int i = 0; i < size; i++) {
        counts[i] = 2048 + 8 * (i % 4);
        places[i] = 4096 * i;
        thirds[i] = 8 * ((rank + i) % 3);
        types[i] = MPI_CHAR;
    }
    for (int i = 0; i < 5; i++) {
        int root = i % size, n = 4096;
        MPI_Barrier(all);
        MPI_Bcast(sent, n, MPI_CHAR, root, all);
        MPI_Reduce(sent, received, n, MPI_CHAR, MPI_MAX, root, all);
        MPI_Allreduce(sent, received, n, MPI_CHAR, MPI_MAX, all);
        MPI_Allreduce(MPI_IN_PLACE, received, n, MPI_CHAR, MPI_MAX, all);
        MPI_Gather(sent, n, MPI_CHAR, received, n, MPI_CHAR, root, all);
        MPI_Gatherv(sent, counts[rank], MPI_CHAR, received, counts, places, MPI_CHAR, root, all);
        MPI_Scatter(sent, n, MPI_CHAR, received, n, MPI_CHAR, root, all);
        MPI_Scatterv(sent, counts, places, MPI_CHAR, received, counts[rank], MPI_CHAR, root, all);
        MPI_Allgather(sent, n, MPI_CHAR, received, n, MPI_CHAR, all);
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_CHAR, received, n, MPI_CHAR, all);
        MPI_Allgatherv(sent, counts[rank], MPI_CHAR, received, counts, places, MPI_CHAR, all);
        MPI_Alltoall(sent, n, MPI_CHAR, received, n, MPI_CHAR, all);
        MPI_Alltoall(MPI_IN_PLACE, 0, MPI_CHAR, received, n, MPI_CHAR, all);
        MPI_Reduce_scatter_block(sent, received, n, MPI_CHAR, MPI_MAX, all);
        MPI_Reduce_scatter(sent, received, counts, MPI_CHAR, MPI_MAX, all);
        MPI_Scan(sent, received, n, MPI_CHAR, MPI_MAX, all);
        MPI_Exscan(sent, received, n, MPI_CHAR, MPI_MAX, all);
        MPI_Alltoallw(sent, thirds, places, types, received, thirds, places, types, all);
    }
}

static void nbc(void) {
    MPI_Comm all = MPI_COMM_WORLD;
    for (int i = 0; i < 5; i++) {
        MPI_Request requests[3];
        int done = 0;
        MPI_Iallreduce(sent, received, 8192, MPI_CHAR, MPI_MAX, all, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Ialltoall(sent, 8192, MPI_CHAR, received, 8192, MPI_CHAR, all, &requests[0]);
        MPI_Ibcast(sent, 128, MPI_CHAR, i, all, &requests[1]);
        MPI_Ibarrier(all, &requests[2]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        MPI_Iallgather(sent, 80, MPI_CHAR, received, 80, MPI_CHAR, all, &requests[0]);
        while (!done)
            MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
        MPI_Ireduce(sent, received, 160, MPI_CHAR, MPI_MAX, 0, all, &requests[0]);
        MPI_Igather(sent, 40, MPI_CHAR, received + 8192, 40, MPI_CHAR, size - 1, all, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } patterns[] = {{"halo2d", halo2d},   {"halo3d", halo3d}, {"sweep", sweep},
                    {"persist", persist}, {"order", order},   {"modes", modes},
                    {"colls", colls},     {"nbc", nbc},       {"sendrecv", sendrecv}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int found = 0;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (argc < 2 || strcmp(argv[1], patterns[i].name) != 0) continue;
        patterns[i].run();
        found = 1;
    }
    MPI_Finalize();
    return found ? 0 : 1;
}
