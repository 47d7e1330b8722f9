/*
 * An MPI program with exchanges on Cartesian topologies: tests/cli/test_extrapolate_recordings.sh
 * records it on several numbers of ranks with each MPI library, and extrapolates the recordings.
 *
 *   cartesian DIMENSIONS PERIODS EXCHANGE...
 *
 * DIMENSIONS: as for MPI_Dims_create, such as 2x0. PERIODS: 1 for each periodic dimension, such as
 * 01. EXCHANGE: a name of the table below.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4, ITERATIONS = 3, BYTES = 1 << 12 };

static int dimensions, sizes[MOST], periods[MOST];
static MPI_Comm grid;
static char sent[BYTES], received[BYTES];

/* Both neighbours of each dimension; beyond the ends is MPI_PROC_NULL. */
static void shift(void) {
    for (int d = 0; d < dimensions; d++) {
        int below, above;
        MPI_Cart_shift(grid, d, 1, &below, &above);
        MPI_Sendrecv(sent, 100 + d, MPI_CHAR, above, d, received, 100 + d, MPI_CHAR, below, d, grid,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(sent, 200 + d, MPI_CHAR, below, d, received, 200 + d, MPI_CHAR, above, d, grid,
                     MPI_STATUS_IGNORE);
    }
}

/* The same by persistent requests, upwards. */
static void persistent(void) {
    static MPI_Request requests[2 * MOST];
    for (int d = 0; d < dimensions && requests[2 * d] == 0; d++) {
        int below, above;
        MPI_Cart_shift(grid, d, 1, &below, &above);
        MPI_Recv_init(received, BYTES, MPI_CHAR, below, 10 + d, grid, &requests[2 * d]);
        MPI_Send_init(sent, 300 + d, MPI_CHAR, above, 10 + d, grid, &requests[2 * d + 1]);
    }
    MPI_Startall(2 * dimensions, requests);
    MPI_Waitall(2 * dimensions, requests, MPI_STATUSES_IGNORE);
}

/* Collectives along each line. */
static void lines(void) {
    static MPI_Comm line[MOST];
    for (int d = 0; d < dimensions; d++) {
        int kept[MOST] = {0};
        kept[d] = 1;
        if (line[d] == 0) MPI_Cart_sub(grid, kept, &line[d]);
        MPI_Allreduce(sent, received, 8 * (d + 1), MPI_CHAR, MPI_MAX, line[d]);
        MPI_Bcast(sent, 40 * (d + 1), MPI_CHAR, 0, line[d]);
    }
}

static void neighbours(void) {
    MPI_Neighbor_alltoall(sent, 50, MPI_CHAR, received, 50, MPI_CHAR, grid);
    MPI_Neighbor_allgather(sent, 60, MPI_CHAR, received, 60, MPI_CHAR, grid);
}

/* Neighbour collectives on a graph of the neighbours that are there. */
static void graph(void) {
    static MPI_Comm edges;
    int others[2 * MOST], count = 0;
    for (int d = 0; d < dimensions && edges == 0; d++) {
        int two[2];
        MPI_Cart_shift(grid, d, 1, &two[0], &two[1]);
        for (int i = 0; i < 2; i++)
            if (two[i] != MPI_PROC_NULL) others[count++] = two[i];
    }
    if (edges == 0)
        MPI_Dist_graph_create_adjacent(grid, count, others, MPI_UNWEIGHTED, count, others,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &edges);
    MPI_Neighbor_alltoall(sent, 70, MPI_CHAR, received, 70, MPI_CHAR, edges);
}

static const struct {
    const char *name;
    void (*run)(void);
} exchanges[] = {{"shift", shift},
                 {"persistent", persistent},
                 {"lines", lines},
                 {"neighbours", neighbours},
                 {"graph", graph}};

int main(int argc, char **argv) {
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (char *at = argv[1]; dimensions < MOST; at++) {
        periods[dimensions] = argv[2][dimensions] == '1';
        sizes[dimensions++] = (int)strtol(at, &at, 10);
        if (*at == '\0') break;
    }
    MPI_Dims_create(ranks, dimensions, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, 0, &grid);
    for (int i = 0; i < ITERATIONS; i++)
        for (int a = 3; a < argc; a++)
            for (size_t n = 0; n < sizeof exchanges / sizeof *exchanges; n++)
                if (strcmp(argv[a], exchanges[n].name) == 0) exchanges[n].run();
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
