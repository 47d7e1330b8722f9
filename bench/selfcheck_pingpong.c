/*
 * Ping-pongs, or streams of messages, between two processes: medians over several batches, in the
 * form that the OSU micro-benchmarks print, which `anax calibrate` reads. For bench/selfcheck.
 *
 *     mpirun -np 2 selfcheck_pingpong latency|stream [BATCHES]
 *
 * A benchmark of its own, because those of Debian (NetPIPE) print means of single runs, in which
 * one disturbance of the computer decides, and know no stream of small messages.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 4 << 20, WINDOW = 64, BATCHES_MOST = 1001, TAG = 1 };

static char *data[2]; /* one buffer to send, one to receive */

static int rounds_of(size_t bytes, int windows) {
    int rounds = bytes <= 8192 ? 1000 : bytes <= 131072 ? 200 : 20;
    return windows ? (rounds + 19) / 20 : rounds;
}

static int compare(const void *one, const void *other) {
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static void ping_pong(int rank, int bytes) {
    if (rank == 0) {
        MPI_Send(data[0], bytes, MPI_CHAR, 1, TAG, MPI_COMM_WORLD);
        MPI_Recv(data[1], bytes, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data[1], bytes, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data[0], bytes, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    }
}

/* A window of messages, and an answer of 4 bytes. */
static void window(int rank, int bytes) {
    MPI_Request requests[WINDOW];
    MPI_Status statuses[WINDOW];
    for (int i = 0; i < WINDOW; i++) {
        if (rank == 0)
            MPI_Isend(data[0], bytes, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Irecv(data[1], bytes, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(WINDOW, requests, statuses);
    if (rank == 0)
        MPI_Recv(data[1], 4, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(data[0], 4, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
}

/* Returns the median time of a round, in seconds. */
static double measure(int rank, int bytes, int batches, void (*round)(int, int), int rounds) {
    static double times[BATCHES_MOST];
    for (int batch = -1; batch < batches; batch++) { /* the first one warms up */
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int i = 0; i < rounds; i++)
            round(rank, bytes);
        if (batch >= 0) times[batch] = (MPI_Wtime() - begin) / rounds;
    }
    qsort(times, (size_t)batches, sizeof *times, compare);
    return times[batches / 2];
}

int main(int argument_count, char **arguments) {
    int rank, size;
    MPI_Init(&argument_count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int stream = argument_count > 1 && strcmp(arguments[1], "stream") == 0;
    int batches = argument_count > 2 ? atoi(arguments[2]) : 21;
    if (size != 2 || batches < 1 || batches > BATCHES_MOST ||
        (!stream && (argument_count < 2 || strcmp(arguments[1], "latency") != 0))) {
        if (rank == 0)
            fprintf(stderr, "usage: mpirun -np 2 selfcheck_pingpong latency|stream [BATCHES]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < 2; i++) {
        data[i] = malloc(LARGEST);
        if (data[i] == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
        memset(data[i], i + 1, LARGEST);
    }
    if (rank == 0)
        printf(stream ? "# OSU MPI Bandwidth Test: its form, measured by selfcheck_pingpong\n"
                        "# Size      Bandwidth (MB/s)\n"
                      : "# OSU MPI Latency Test: its form, measured by selfcheck_pingpong\n"
                        "# Size          Latency (us)\n");
    for (int bytes = stream ? 1 : 0; bytes <= LARGEST; bytes = bytes == 0 ? 1 : 2 * bytes) {
        const int rounds = rounds_of((size_t)bytes, stream);
        const double time = measure(rank, bytes, batches, stream ? window : ping_pong, rounds);
        if (rank == 0 && stream) printf("%-10d %.6f\n", bytes, WINDOW * bytes / time / 1e6);
        if (rank == 0 && !stream) printf("%-10d %.6f\n", bytes, time / 2 * 1e6);
    }
    free(data[0]);
    free(data[1]);
    MPI_Finalize();
    return 0;
}
