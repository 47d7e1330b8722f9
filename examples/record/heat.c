/*
 * Heat in a rod: each rank has a part of the rod and exchanges its ends with both neighbours in
 * each step. An example for `anax record`; docs/record.md uses it. Argument: steps (default 200).
 */
#include <anax/record.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 20000, SHOW = 50 };

static double old[CELLS + 2], new[CELLS + 2];

static double step(void) {
    double change = 0;
    for (int i = 1; i <= CELLS; i++) {
        new[i] = old[i] + 0.25 * (old[i - 1] - 2 * old[i] + old[i + 1]);
        change += (new[i] - old[i]) * (new[i] - old[i]);
    }
    for (int i = 1; i <= CELLS; i++)
        old[i] = new[i];
    return change;
}

int main(int count, char **arguments) {
    int rank, size;
    double own = 0, all = 0;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int steps = count > 1 ? atoi(arguments[1]) : 200;
    const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    if (rank == 0) old[0] = 100;
    for (int i = 1; i <= steps; i++) {
        MPI_Request requests[4];
        anax_record_enter("step");
        MPI_Irecv(&old[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&old[CELLS + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&old[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&old[CELLS], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        own = step();
        anax_record_leave();
        if (i % SHOW == 0) MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("change in the last step: %g\n", all);
    MPI_Finalize();
    return 0;
}
