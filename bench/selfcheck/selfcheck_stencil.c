/*
 * A small application for bench/selfcheck.sh, for MPI libraries for which the system has no other:
 * heat on a square by Jacobi's method. Each rank has a strip of rows, exchanges its edges with its
 * neighbours in each step, and all ranks add up the change in every tenth step.
 *
 *     mpirun -np N selfcheck_stencil [WIDTH [STEPS]]
 *
 * Prints the last change, which does not depend on N but for rounding.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct strip {
    int rank, size, width, rows; /* rows without the two of the neighbours */
    double *now, *next;
};

static double *row_of(double *cells, const struct strip *strip, int row) {
    return cells + (size_t)row * (size_t)strip->width;
}

static void exchange(const struct strip *strip) {
    MPI_Request requests[4];
    MPI_Status statuses[4];
    const int up = strip->rank > 0 ? strip->rank - 1 : MPI_PROC_NULL;
    const int down = strip->rank + 1 < strip->size ? strip->rank + 1 : MPI_PROC_NULL;
    const int width = strip->width;
    MPI_Irecv(row_of(strip->now, strip, 0), width, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(row_of(strip->now, strip, strip->rows + 1), width, MPI_DOUBLE, down, 1,
              MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(row_of(strip->now, strip, 1), width, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(row_of(strip->now, strip, strip->rows), width, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
              &requests[3]);
    MPI_Waitall(4, requests, statuses);
}

/* Computes a step. Returns the sum of the squares of the changes. */
static double step(const struct strip *strip) {
    double change = 0;
    for (int row = 1; row <= strip->rows; row++) {
        const double *above = row_of(strip->now, strip, row - 1);
        const double *here = row_of(strip->now, strip, row);
        const double *below = row_of(strip->now, strip, row + 1);
        double *next = row_of(strip->next, strip, row);
        next[0] = here[0];
        next[strip->width - 1] = here[strip->width - 1];
        for (int i = 1; i + 1 < strip->width; i++) {
            next[i] = 0.25 * (above[i] + below[i] + here[i - 1] + here[i + 1]);
            change += (next[i] - here[i]) * (next[i] - here[i]);
        }
    }
    return change;
}

int main(int argument_count, char **arguments) {
    struct strip strip = {0};
    MPI_Init(&argument_count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &strip.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &strip.size);
    strip.width = argument_count > 1 ? atoi(arguments[1]) : 1024;
    const int steps = argument_count > 2 ? atoi(arguments[2]) : 500;
    if (strip.width < strip.size || strip.width < 3 || steps < 1) {
        if (strip.rank == 0) fprintf(stderr, "selfcheck_stencil: WIDTH or STEPS is too small\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int width = strip.width;
    const int first = (int)((long long)width * strip.rank / strip.size);
    strip.rows = (int)((long long)width * (strip.rank + 1) / strip.size) - first;
    strip.now = calloc((size_t)(strip.rows + 2) * (size_t)width, sizeof(double));
    strip.next = calloc((size_t)(strip.rows + 2) * (size_t)width, sizeof(double));
    if (strip.now == NULL || strip.next == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int row = 0; row < strip.rows + 2; row++)
        row_of(strip.now, &strip, row)[0] = row_of(strip.next, &strip, row)[0] = 1;
    double all = 0;
    for (int i = 0; i < steps; i++) {
        exchange(&strip);
        const double change = step(&strip);
        if (i % 10 == 9 || i + 1 == steps)
            MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        double *swap = strip.now;
        strip.now = strip.next;
        strip.next = swap;
    }
    if (strip.rank == 0) printf("change %.6e\n", all);
    free(strip.now);
    free(strip.next);
    MPI_Finalize();
    return 0;
}
