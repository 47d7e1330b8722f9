/*
 * Writes an OTF2 archive of any size with little memory, one rank after another:
 *
 *     large_archive ARCHIVE RANKS ITERATIONS CALLS
 *
 * ARCHIVE is the folder to make, with traces.otf2. The ranks form a ring. In each iteration, a rank
 * computes in CALLS calls of a function, as a tracer that instruments functions records them, and
 * exchanges 1 KiB with the two ranks on either side; after every tenth there is an MPI_Allreduce of
 * 8 bytes. Computations differ from rank to rank and call to call.
 *
 * Exit: 0, or 2 if the archive cannot be written.
 */
#include "bench/support/archive_file.h"

#include <stdio.h>
#include <stdlib.h>

enum { REACH = 2, NEIGHBOURS = 2 * REACH, MESSAGE_BYTES = 1024, ALLREDUCE_EVERY = 10 };

enum { MAIN, ITERATION, KERNEL, IRECV, ISEND, WAITALL, ALLREDUCE, REGIONS };
static const char *const region_names[REGIONS] = {
    "main", "iteration", "kernel", "MPI_Irecv", "MPI_Isend", "MPI_Waitall", "MPI_Allreduce"};

struct maker {
    OTF2_Archive *archive;
    OTF2_EvtWriter *events; /* of the present rank */
    uint64_t ns;            /* its clock */
    uint64_t last_ns;
    uint32_t ranks, iterations, calls;
    uint64_t *counts; /* [rank]: number of its events */
};

/* ---------------------------------------------------------------------------- events */

static void enter(struct maker *maker, uint32_t region) {
    archive_check(OTF2_EvtWriter_Enter(maker->events, NULL, maker->ns, region));
}

static void leave(struct maker *maker, uint32_t region, uint64_t after_ns) {
    maker->ns += after_ns;
    archive_check(OTF2_EvtWriter_Leave(maker->events, NULL, maker->ns, region));
}

/* Returns the neighbour with a number: those on the right, then those on the left. */
static uint32_t neighbour(const struct maker *maker, uint32_t rank, uint32_t number) {
    const uint32_t far = number % REACH + 1;
    return (rank + (number < REACH ? far : maker->ranks - far)) % maker->ranks;
}

static void exchange(struct maker *maker, uint32_t rank) {
    for (uint32_t i = 0; i < NEIGHBOURS; i++) {
        enter(maker, IRECV);
        archive_check(OTF2_EvtWriter_MpiIrecvRequest(maker->events, NULL, maker->ns, i));
        leave(maker, IRECV, 300);
    }
    for (uint32_t i = 0; i < NEIGHBOURS; i++) {
        enter(maker, ISEND);
        archive_check(OTF2_EvtWriter_MpiIsend(maker->events, NULL, maker->ns,
                                              neighbour(maker, rank, i), 0, 0, MESSAGE_BYTES,
                                              NEIGHBOURS + i));
        leave(maker, ISEND, 400);
    }
    enter(maker, WAITALL);
    for (uint32_t i = 0; i < NEIGHBOURS; i++) {
        archive_check(OTF2_EvtWriter_MpiIrecv(maker->events, NULL, maker->ns,
                                              neighbour(maker, rank, i), 0, 0, MESSAGE_BYTES, i));
        archive_check(
            OTF2_EvtWriter_MpiIsendComplete(maker->events, NULL, maker->ns, NEIGHBOURS + i));
    }
    leave(maker, WAITALL, 2000);
}

static void reduce(struct maker *maker) {
    enter(maker, ALLREDUCE);
    archive_check(OTF2_EvtWriter_MpiCollectiveBegin(maker->events, NULL, maker->ns));
    maker->ns += 5000;
    archive_check(OTF2_EvtWriter_MpiCollectiveEnd(maker->events, NULL, maker->ns,
                                                  OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                                                  OTF2_UNDEFINED_UINT32, 8, 8));
    leave(maker, ALLREDUCE, 0);
}

static void add_rank(struct maker *maker, uint32_t rank) {
    maker->events = archive_events(maker->archive, rank);
    maker->ns = 0;
    enter(maker, MAIN);
    for (uint32_t i = 0; i < maker->iterations; i++) {
        enter(maker, ITERATION);
        for (uint32_t call = 0; call < maker->calls; call++) {
            enter(maker, KERNEL);
            leave(maker, KERNEL, 100 + (rank * 7 + i * 13 + call * 29) % 100);
        }
        exchange(maker, rank);
        if (i % ALLREDUCE_EVERY == ALLREDUCE_EVERY - 1) reduce(maker);
        leave(maker, ITERATION, 10);
    }
    leave(maker, MAIN, 10);
    if (maker->ns > maker->last_ns) maker->last_ns = maker->ns;
    archive_check(OTF2_EvtWriter_GetNumberOfEvents(maker->events, &maker->counts[rank]));
    archive_check(OTF2_Archive_CloseEvtWriter(maker->archive, maker->events));
}

/* ---------------------------------------------------------------------------- definitions */

static void define(const struct maker *maker) {
    enum { EMPTY, WORLD_NAME, FIRST_NAME };
    enum { LOCATIONS, WORLD };
    OTF2_GlobalDefWriter *definitions = archive_definitions(maker->archive);
    archive_check(OTF2_GlobalDefWriter_WriteClockProperties(
        definitions, 1000000000, 0, maker->last_ns + 1, OTF2_UNDEFINED_TIMESTAMP));
    archive_check(OTF2_GlobalDefWriter_WriteString(definitions, EMPTY, ""));
    archive_check(OTF2_GlobalDefWriter_WriteString(definitions, WORLD_NAME, "MPI_COMM_WORLD"));
    for (uint32_t i = 0; i < REGIONS; i++)
        archive_define_function(definitions, i, FIRST_NAME + i, region_names[i], EMPTY);
    archive_define_ranks(definitions, EMPTY, maker->ranks, maker->counts);
    archive_define_world(definitions, maker->ranks, LOCATIONS, WORLD, WORLD_NAME);
}

static uint32_t read_number(const char *text, const char *what, unsigned long min) {
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || number < min || number > UINT32_MAX)
        archive_fail("%s: not a number of %s from %lu on", text, what, min);
    return (uint32_t)number;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 5) {
        fputs("usage: large_archive ARCHIVE RANKS ITERATIONS CALLS\n", stderr);
        return 2;
    }
    struct maker maker = {.ranks = read_number(arguments[2], "ranks", NEIGHBOURS + 1),
                          .iterations = read_number(arguments[3], "iterations", 1),
                          .calls = read_number(arguments[4], "calls", 0)};
    maker.counts = calloc(maker.ranks, sizeof *maker.counts);
    if (maker.counts == NULL) archive_fail("out of memory");
    maker.archive = archive_create(arguments[1], "anax bench/speed/large_archive");
    for (uint32_t rank = 0; rank < maker.ranks; rank++)
        add_rank(&maker, rank);
    define(&maker);
    archive_close(maker.archive, maker.ranks);
    free(maker.counts);
    return 0;
}
