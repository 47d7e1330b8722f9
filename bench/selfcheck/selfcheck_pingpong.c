/*
 * Ping-pongs between two processes of this computer, in the form that osu_latency prints, which
 * `anax calibrate` reads. For bench/selfcheck.
 *
 *     mpirun -np 2 selfcheck_pingpong [ROUNDS]
 *
 * A benchmark of its own, because others send the same message again and again: its bytes, and what
 * the MPI library needs, then stay in the caches, and a message takes a half to two thirds of the
 * time that it takes in an application. Here both processes read and write 8 MiB of memory before
 * each round, and write the message. Then they wait for a moment that they have agreed on, so that
 * no message brings them together. Each time is the median of the rounds.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGEST = 4 << 20, SWEPT = 8 << 20, ROUNDS_MAX = 10000, TAG = 1 };

static char *data[2]; /* a buffer to send, and one to receive */
static char *swept;
static double times[ROUNDS_MAX];

/* Both processes have the same clock. (MPI_Wtime may have an origin of its own in each.) */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *one, const void *other) {
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static void compute(int bytes, int value) {
    for (size_t i = 0; i < SWEPT; i += 64)
        swept[i] = (char)(swept[i] + value);
    memset(data[0], value, (size_t)bytes);
}

static void ping_pong(int rank, int bytes) {
    MPI_Status status;
    if (rank == 0) {
        MPI_Send(data[0], bytes, MPI_CHAR, 1, TAG, MPI_COMM_WORLD);
        MPI_Recv(data[1], bytes, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, &status);
    } else {
        MPI_Recv(data[1], bytes, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, &status);
        MPI_Send(data[0], bytes, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    }
}

/* Returns how long a round and what comes before it take at most, in seconds. */
static double longest_round(int rank, int bytes) {
    double longest = 0, all;
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = now();
        compute(bytes, i);
        ping_pong(rank, bytes);
        const double time = now() - begin;
        if (i > 0 && time > longest) longest = time;
    }
    MPI_Allreduce(&longest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* Returns the median time of a round, in seconds. */
static double measure(int rank, int bytes, int rounds) {
    const double step = 1.5 * longest_round(rank, bytes) + 20e-6;
    double begin = now() + step;
    MPI_Bcast(&begin, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < rounds; i++, begin += step) {
        compute(bytes, i & 127);
        double from;
        while ((from = now()) < begin) {
        }
        ping_pong(rank, bytes);
        times[i] = now() - from;
    }
    qsort(times, (size_t)rounds, sizeof *times, compare);
    return times[rounds / 2];
}

int main(int argument_count, char **arguments) {
    int rank, size;
    MPI_Init(&argument_count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int rounds = argument_count > 1 ? atoi(arguments[1]) : 200;
    if (size != 2 || rounds < 1 || rounds > ROUNDS_MAX) {
        if (rank == 0) fprintf(stderr, "usage: mpirun -np 2 selfcheck_pingpong [ROUNDS]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    data[0] = calloc(1, LARGEST);
    data[1] = calloc(1, LARGEST);
    swept = calloc(1, SWEPT);
    if (data[0] == NULL || data[1] == NULL || swept == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
    if (rank == 0)
        printf("# OSU MPI Latency Test: its form, measured by selfcheck_pingpong\n"
               "# Size          Latency (us)\n");
    for (int bytes = 0; bytes <= LARGEST; bytes = bytes == 0 ? 1 : 2 * bytes) {
        const double time = measure(rank, bytes, rounds);
        if (rank == 0) printf("%-10d %.6f\n", bytes, time / 2 * 1e6);
    }
    free(data[0]);
    free(data[1]);
    free(swept);
    MPI_Finalize();
    return 0;
}
