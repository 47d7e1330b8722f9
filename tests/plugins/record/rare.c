/*
 * An MPI program with calls that few programs make: tests/cli/test_record.sh records it with each
 * MPI library and compares the recording with what is written here. The arguments name the
 * patterns. Runs on 4 ranks.
 */
#define _GNU_SOURCE /* dladdr */
#include "mpi_4.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef HAS_MPI_4
#define INIT(name) MPI_##name##_init
#elif defined OPEN_MPI && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define INIT(name) MPIX_##name##_init
#endif
#endif

static int rank, size;
static char sent[1 << 16], received[1 << 16];

/* A message of so many bytes to the right, and an allreduce of 8 bytes. */
static void use(MPI_Comm communicator, int bytes) {
    int members, own;
    MPI_Comm_size(communicator, &members);
    MPI_Comm_rank(communicator, &own);
    MPI_Sendrecv(sent, bytes, MPI_CHAR, (own + 1) % members, 1, received, sizeof received, MPI_CHAR,
                 (own + members - 1) % members, 1, communicator, MPI_STATUS_IGNORE);
    MPI_Allreduce(sent, received, 1, MPI_DOUBLE, MPI_MAX, communicator);
}

#ifdef INIT
static void run(MPI_Request request, int starts) {
    for (int i = 0; i < starts; i++) {
        if (i == 0)
            MPI_Start(&request);
        else
            MPI_Startall(1, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

#define STARTS(starts, name, ...)                                                                  \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        INIT(name)(__VA_ARGS__, MPI_INFO_NULL, &request);                                          \
        run(request, starts);                                                                      \
    } while (0)

#define TWICE(name, ...) STARTS(2, name, __VA_ARGS__)
#ifdef MPICH_VERSION /* 4.0 fails at the second start */
#define SCATTER_STARTS 1
#else
#define SCATTER_STARTS 2
#endif

/* Every persistent collective twice; those of neighbours on a periodic ring, 5 times 2 messages of
 * 6 bytes for each rank. */
static void persistent(void) {
    const MPI_Comm all = MPI_COMM_WORLD;
    MPI_Comm ring;
    int counts[64], places[64], dimensions[] = {size}, periods[] = {1};
    MPI_Aint far[64];
    MPI_Datatype types[64];
    for (int i = 0; i < 64; i++) {
        counts[i] = 6;
        far[i] = places[i] = 100 * i;
        types[i] = MPI_CHAR;
    }
    TWICE(Barrier, all);
    TWICE(Bcast, sent, 11, MPI_CHAR, 1, all);
    TWICE(Gather, sent, 6, MPI_CHAR, received, 6, MPI_CHAR, 1, all);
    TWICE(Gatherv, sent, 6, MPI_CHAR, received, counts, places, MPI_CHAR, 1, all);
    STARTS(SCATTER_STARTS, Scatter, sent, 6, MPI_CHAR, received, 6, MPI_CHAR, 1, all);
    TWICE(Scatterv, sent, counts, places, MPI_CHAR, received, 6, MPI_CHAR, 1, all);
    TWICE(Allgather, sent, 6, MPI_CHAR, received, 6, MPI_CHAR, all);
    TWICE(Allgatherv, sent, 6, MPI_CHAR, received, counts, places, MPI_CHAR, all);
    TWICE(Alltoall, sent, 6, MPI_CHAR, received, 6, MPI_CHAR, all);
    TWICE(Alltoallv, sent, counts, places, MPI_CHAR, received, counts, places, MPI_CHAR, all);
    TWICE(Alltoallw, sent, counts, places, types, received, counts, places, types, all);
    TWICE(Allreduce, sent, received, 6, MPI_CHAR, MPI_MAX, all);
    TWICE(Reduce, sent, received, 6, MPI_CHAR, MPI_MAX, 1, all);
    TWICE(Reduce_scatter, sent, received, counts, MPI_CHAR, MPI_MAX, all);
    TWICE(Reduce_scatter_block, sent, received, 6, MPI_CHAR, MPI_MAX, all);
    TWICE(Scan, sent, received, 6, MPI_CHAR, MPI_MAX, all);
    TWICE(Exscan, sent, received, 6, MPI_CHAR, MPI_MAX, all);
    MPI_Cart_create(all, 1, dimensions, periods, 0, &ring);
    TWICE(Neighbor_allgather, sent, 6, MPI_CHAR, received, 6, MPI_CHAR, ring);
    TWICE(Neighbor_allgatherv, sent, 6, MPI_CHAR, received, counts, places, MPI_CHAR, ring);
    TWICE(Neighbor_alltoall, sent, 6, MPI_CHAR, received, 6, MPI_CHAR, ring);
    TWICE(Neighbor_alltoallv, sent, counts, places, MPI_CHAR, received, counts, places, MPI_CHAR,
          ring);
    TWICE(Neighbor_alltoallw, sent, counts, far, types, received, counts, far, types, ring);
    MPI_Comm_free(&ring);
}
#else
static void persistent(void) {}
#endif

/* Persistent messages of 9 bytes that start after their communicator was freed, and another one was
 * made that may have its handle. */
static void parted(void) {
    MPI_Comm own, other;
    MPI_Request requests[2];
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &own);
    MPI_Send_init(sent, 9, MPI_CHAR, (size - rank) % size, 1, own, &requests[0]);
    MPI_Recv_init(received, 9, MPI_CHAR, MPI_ANY_SOURCE, 1, own, &requests[1]);
    MPI_Comm_free(&own);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Comm_free(&other);
}

/* A duplicate with MPI_Comm_idup_with_info: 20 bytes to the right. */
static void duplicate(void) {
#ifdef HAS_MPI_4
    MPI_Comm made;
    MPI_Request request;
    MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    use(made, 20);
    MPI_Comm_free(&made);
#endif
}

/* Communicators of a session's group: 30 bytes to the right among the ranks but the last one, and
 * the members of two halves gather between them. */
static void session(void) {
#ifdef HAS_MPI_4
    MPI_Session session;
    MPI_Group all, most, halves[2];
    MPI_Comm made, between;
    int last = size - 1;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Group_excl(all, 1, &last, &most);
    if (rank != last) {
        MPI_Comm_create_from_group(most, "most", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
        use(made, 30);
        MPI_Comm_free(&made);
    }
    for (int i = 0; i < 2; i++) {
        int range[1][3] = {{2 * i, 2 * i + 1, 1}};
        MPI_Group_range_incl(all, 1, range, &halves[i]);
    }
    MPI_Intercomm_create_from_groups(halves[rank / 2], 0, halves[1 - rank / 2], 0, "halves",
                                     MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &between);
    MPI_Allgather(sent, 40, MPI_CHAR, received, 40, MPI_CHAR, between);
    MPI_Comm_free(&between);
    MPI_Group_free(&all);
    MPI_Group_free(&most);
    MPI_Group_free(&halves[0]);
    MPI_Group_free(&halves[1]);
    MPI_Session_finalize(&session);
#endif
}

#ifdef HAS_MPI_4
static MPI_Session early_session;
static MPI_Comm early;
#endif

/* Makes a communicator before MPI_Init, where nothing is recorded. */
static void before(void) {
#ifdef HAS_MPI_4
    MPI_Group all;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &early_session);
    MPI_Group_from_session_pset(early_session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "early", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &early);
    MPI_Group_free(&all);
#endif
}

static void after(void) {
#ifdef HAS_MPI_4
    use(early, 80);
    MPI_Comm_free(&early);
    MPI_Session_finalize(&early_session);
#endif
}

/* Ranks 0 and 1 join by a socket and exchange 50 bytes each. */
static void join(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    MPI_Comm made;
    int end = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (rank == 0) {
        bind(end, (struct sockaddr *)&address, length);
        listen(end, 1);
        getsockname(end, (struct sockaddr *)&address, &length);
    }
    MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank > 1) return;
    if (rank == 0)
        end = accept(end, NULL, NULL);
    else
        connect(end, (struct sockaddr *)&address, length);
    if (MPI_Comm_join(end, &made) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 4);
    MPI_Sendrecv(sent, 50, MPI_CHAR, 0, 1, received, 50, MPI_CHAR, 0, 1, made, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&made);
}

/* Windows made with large counts: each rank puts 24 bytes in each of three; and messages with large
 * counts of 60 and 61 bytes. */
static void large(void) {
#if MPI_VERSION >= 4
    static double memory[8];
    void *base;
    MPI_Request request;
    for (int i = 0; i < 3; i++) {
        MPI_Win window;
        if (i == 0) MPI_Win_create_c(memory, 64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        if (i == 1) MPI_Win_allocate_c(64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
        if (i == 2) MPI_Win_allocate_shared_c(64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
        MPI_Win_fence(0, window);
        MPI_Put(sent, 24, MPI_CHAR, (rank + 1) % size, 0, 24, MPI_CHAR, window);
        MPI_Win_fence(0, window);
        MPI_Win_free(&window);
    }
    MPI_Isendrecv_c(sent, 60, MPI_CHAR, (rank + 1) % size, 2, received, 60, MPI_CHAR,
                    (rank + size - 1) % size, 2, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace_c(sent, 61, MPI_CHAR, (rank + 1) % size, 3, (rank + size - 1) % size, 3,
                            MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
}

/* Returns the MPI library's own function, which is not recorded. */
static void *unrecorded(const char *name) {
    Dl_info about;
    int (*known)(MPI_Comm, int *) = MPI_Comm_rank;
    void *library = NULL, *found = NULL;
    if (dladdr((void *)known, &about) != 0)
        library = dlopen(about.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL) found = dlsym(library, name);
    if (found == NULL) MPI_Abort(MPI_COMM_WORLD, 5);
    return found;
}

/* A communicator that the recorder does not know. Each rank has 20 calls on it that communicate,
 * with MPI 4 also 3 of its own: both ends of messages count, and persistent requests at each start.
 */
static void unknown(void) {
    int (*make_ring)(MPI_Comm, int, const int[], const int[], int, MPI_Comm *) =
        unrecorded("PMPI_Cart_create");
    MPI_Comm all;
    MPI_Request requests[2];
    MPI_Win window;
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int counts[64], places[64], dimensions[] = {size}, periods[] = {1};
    make_ring(MPI_COMM_WORLD, 1, dimensions, periods, 0, &all);
    for (int i = 0; i < 64; i++)
        counts[i] = 1, places[i] = i;
    use(all, 70); /* 3 */
    MPI_Irecv(received, 70, MPI_CHAR, left, 1, all, &requests[0]);
    MPI_Isend(sent, 70, MPI_CHAR, right, 1, all, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* 2 */
    MPI_Send(sent, 70, MPI_CHAR, MPI_PROC_NULL, 1, all);
    MPI_Gatherv(sent, 1, MPI_CHAR, received, counts, places, rank == 0 ? MPI_CHAR : (MPI_Datatype)0,
                0, all);
    MPI_Ibarrier(all, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE); /* 2, with the gather */
    MPI_Neighbor_allgather(sent, 6, MPI_CHAR, received, 6, MPI_CHAR, all);
    MPI_Ineighbor_allgather(sent, 6, MPI_CHAR, received, 6, MPI_CHAR, all, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE); /* 2 */
    MPI_Recv_init(received, 70, MPI_CHAR, left, 1, all, &requests[0]);
    MPI_Send_init(sent, 70, MPI_CHAR, right, 1, all, &requests[1]);
    for (int i = 0; i < 2; i++) { /* 4 */
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#ifdef INIT
    TWICE(Allreduce, sent, received, 6, MPI_CHAR, MPI_MAX, all);
    TWICE(Neighbor_allgather, sent, 6, MPI_CHAR, received, 6, MPI_CHAR, all); /* 4 */
#endif
#ifdef HAS_MPI_4
    MPI_Isendrecv(sent, 60, MPI_CHAR, right, 2, received, 60, MPI_CHAR, left, 2, all, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Psend_init(sent, 1, 10, MPI_CHAR, right, 3, all, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(received, 1, 10, MPI_CHAR, left, 3, all, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Pready(0, requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#endif
    MPI_Win_create(received, 64, 1, MPI_INFO_NULL, all, &window);
    MPI_Win_fence(0, window);
    MPI_Put(sent, 8, MPI_CHAR, right, 0, 8, MPI_CHAR, window);
    MPI_Get(sent, 8, MPI_CHAR, right, 0, 8, MPI_CHAR, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window); /* 3 */
    MPI_Comm_free(&all);
}

/* Each rank starts requests that the recorder does not know, 4 times; and 70 bytes to the right. */
static void unknown_requests(void) {
    int (*init_send)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
        unrecorded("PMPI_Send_init");
    int (*init_receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
        unrecorded("PMPI_Recv_init");
    MPI_Request requests[2];
    init_send(sent, 8, MPI_CHAR, rank, 1, MPI_COMM_WORLD, &requests[0]);
    init_receive(received, 8, MPI_CHAR, rank, 1, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 2; i++) {
        if (i == 0) {
            MPI_Start(&requests[0]);
            MPI_Start(&requests[1]);
        } else {
            MPI_Startall(2, requests);
        }
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    use(MPI_COMM_WORLD, 70);
}

static const char *program;

/* A spawned process, and a duplicate of the communicator with it. Each rank has 5 calls that are
 * about it: the two that make these, and 3 collectives. */
static void spawn(void) {
    MPI_Comm between, twin;
    MPI_Request request;
    MPI_Comm_get_parent(&between);
    if (between == MPI_COMM_NULL)
        MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                       MPI_ERRCODES_IGNORE);
    MPI_Ibarrier(between, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(between);
    MPI_Comm_idup(between, &twin, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(twin);
    MPI_Comm_disconnect(&twin);
    MPI_Comm_disconnect(&between);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } patterns[] = {{"persistent", persistent}, {"parted", parted},
                    {"duplicate", duplicate},   {"session", session},
                    {"early", after},           {"join", join},
                    {"spawn", spawn},           {"large", large},
                    {"unknown", unknown},       {"unknown_requests", unknown_requests}};
    int runs = 0;
    MPI_Comm parent;
    if (count > 1 && strcmp(arguments[1], "early") == 0) before();
    MPI_Init(&count, &arguments);
    program = arguments[0];
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        spawn();
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int at = 1; at < count; at++)
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
            if (strcmp(arguments[at], patterns[i].name) != 0) continue;
            patterns[i].run();
            runs++;
        }
    MPI_Finalize();
    return runs == count - 1 && size == 4 ? 0 : 1;
}
