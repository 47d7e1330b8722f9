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
#include <otf2/otf2.h>

#include <stdarg.h>
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

__attribute__((format(printf, 1, 2))) static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("large_archive: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

static void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS)
        fail("the archive cannot be written: %s", OTF2_Error_GetDescription(code));
}

static OTF2_FlushType on_flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
                               void *data, bool final) {
    (void)context, (void)type, (void)location, (void)data, (void) final;
    return OTF2_FLUSH;
}

static void open_archive(struct maker *maker, const char *folder) {
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = on_flush, .otf2_post_flush = NULL};
    maker->archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
                                       OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (maker->archive == NULL) fail("%s cannot be made; does it exist?", folder);
    check(OTF2_Archive_SetFlushCallbacks(maker->archive, &flush, NULL));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(maker->archive));
    check(OTF2_Archive_SetCreator(maker->archive, "anax bench/speed/large_archive"));
    check(OTF2_Archive_OpenDefFiles(maker->archive));
    check(OTF2_Archive_OpenEvtFiles(maker->archive));
}

/* ---------------------------------------------------------------------------- events */

static void enter(struct maker *maker, uint32_t region) {
    check(OTF2_EvtWriter_Enter(maker->events, NULL, maker->ns, region));
}

static void leave(struct maker *maker, uint32_t region, uint64_t after_ns) {
    maker->ns += after_ns;
    check(OTF2_EvtWriter_Leave(maker->events, NULL, maker->ns, region));
}

/* Returns the neighbour with a number: those on the right, then those on the left. */
static uint32_t neighbour(const struct maker *maker, uint32_t rank, uint32_t number) {
    const uint32_t far = number % REACH + 1;
    return (rank + (number < REACH ? far : maker->ranks - far)) % maker->ranks;
}

static void exchange(struct maker *maker, uint32_t rank) {
    for (uint32_t i = 0; i < NEIGHBOURS; i++) {
        enter(maker, IRECV);
        check(OTF2_EvtWriter_MpiIrecvRequest(maker->events, NULL, maker->ns, i));
        leave(maker, IRECV, 300);
    }
    for (uint32_t i = 0; i < NEIGHBOURS; i++) {
        enter(maker, ISEND);
        check(OTF2_EvtWriter_MpiIsend(maker->events, NULL, maker->ns, neighbour(maker, rank, i), 0,
                                      0, MESSAGE_BYTES, NEIGHBOURS + i));
        leave(maker, ISEND, 400);
    }
    enter(maker, WAITALL);
    for (uint32_t i = 0; i < NEIGHBOURS; i++) {
        check(OTF2_EvtWriter_MpiIrecv(maker->events, NULL, maker->ns, neighbour(maker, rank, i), 0,
                                      0, MESSAGE_BYTES, i));
        check(OTF2_EvtWriter_MpiIsendComplete(maker->events, NULL, maker->ns, NEIGHBOURS + i));
    }
    leave(maker, WAITALL, 2000);
}

static void reduce(struct maker *maker) {
    enter(maker, ALLREDUCE);
    check(OTF2_EvtWriter_MpiCollectiveBegin(maker->events, NULL, maker->ns));
    maker->ns += 5000;
    check(OTF2_EvtWriter_MpiCollectiveEnd(maker->events, NULL, maker->ns,
                                          OTF2_COLLECTIVE_OP_ALLREDUCE, 0, OTF2_UNDEFINED_UINT32, 8,
                                          8));
    leave(maker, ALLREDUCE, 0);
}

static void add_rank(struct maker *maker, uint32_t rank) {
    maker->events = OTF2_Archive_GetEvtWriter(maker->archive, rank);
    if (maker->events == NULL) fail("the archive takes no events of rank %u", rank);
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
    check(OTF2_EvtWriter_GetNumberOfEvents(maker->events, &maker->counts[rank]));
    check(OTF2_Archive_CloseEvtWriter(maker->archive, maker->events));
}

/* ---------------------------------------------------------------------------- definitions */

static void define_world(const struct maker *maker, OTF2_GlobalDefWriter *definitions,
                         uint32_t name) {
    enum { LOCATIONS, WORLD };
    uint64_t *all = malloc(maker->ranks * sizeof *all);
    if (all == NULL) fail("out of memory");
    for (uint32_t i = 0; i < maker->ranks; i++)
        all[i] = i;
    check(OTF2_GlobalDefWriter_WriteGroup(definitions, LOCATIONS, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, maker->ranks,
                                          all));
    check(OTF2_GlobalDefWriter_WriteGroup(definitions, WORLD, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, maker->ranks,
                                          all));
    check(OTF2_GlobalDefWriter_WriteComm(definitions, 0, name, WORLD, OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE));
    free(all);
}

static void define(const struct maker *maker) {
    enum { EMPTY, WORLD_NAME, FIRST_NAME };
    OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(maker->archive);
    if (definitions == NULL) fail("the archive takes no definitions");
    check(OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1000000000, 0, maker->last_ns + 1,
                                                    OTF2_UNDEFINED_TIMESTAMP));
    check(OTF2_GlobalDefWriter_WriteString(definitions, EMPTY, ""));
    check(OTF2_GlobalDefWriter_WriteString(definitions, WORLD_NAME, "MPI_COMM_WORLD"));
    for (uint32_t i = 0; i < REGIONS; i++) {
        check(OTF2_GlobalDefWriter_WriteString(definitions, FIRST_NAME + i, region_names[i]));
        check(OTF2_GlobalDefWriter_WriteRegion(definitions, i, FIRST_NAME + i, FIRST_NAME + i,
                                               EMPTY, OTF2_REGION_ROLE_FUNCTION,
                                               i >= IRECV ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                               OTF2_REGION_FLAG_NONE, EMPTY, 0, 0));
    }
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, EMPTY, EMPTY,
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t rank = 0; rank < maker->ranks; rank++) {
        check(OTF2_GlobalDefWriter_WriteLocationGroup(definitions, rank, EMPTY,
                                                      OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                      OTF2_UNDEFINED_LOCATION_GROUP));
        check(OTF2_GlobalDefWriter_WriteLocation(
            definitions, rank, EMPTY, OTF2_LOCATION_TYPE_CPU_THREAD, maker->counts[rank], rank));
    }
    define_world(maker, definitions, WORLD_NAME);
}

static void close_archive(struct maker *maker) {
    for (uint32_t rank = 0; rank < maker->ranks; rank++) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(maker->archive, rank);
        if (writer == NULL) fail("the archive takes no definitions of rank %u", rank);
        check(OTF2_Archive_CloseDefWriter(maker->archive, writer));
    }
    check(OTF2_Archive_CloseDefFiles(maker->archive));
    check(OTF2_Archive_CloseEvtFiles(maker->archive));
    check(OTF2_Archive_Close(maker->archive));
}

static uint32_t read_number(const char *text, const char *what, unsigned long least) {
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || number < least || number > UINT32_MAX)
        fail("%s: not a number of %s from %lu on", text, what, least);
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
    if (maker.counts == NULL) fail("out of memory");
    open_archive(&maker, arguments[1]);
    for (uint32_t rank = 0; rank < maker.ranks; rank++)
        add_rank(&maker, rank);
    define(&maker);
    close_archive(&maker);
    free(maker.counts);
    return 0;
}
