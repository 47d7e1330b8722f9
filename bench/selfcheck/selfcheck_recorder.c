/*
 * Times and records the MPI calls of a program on this computer, for bench/selfcheck.sh. The script
 * compiles this file to a library with the mpicc of each MPI, and preloads it.
 *
 * At MPI_Finalize rank R writes SELFCHECK_OUT/time.R: the nanoseconds from the end of MPI_Init to
 * the beginning of MPI_Finalize, those inside MPI calls, and those of each function. With
 * SELFCHECK_RECORD=1 it also writes SELFCHECK_OUT/record.R, from which selfcheck_archive makes an
 * OTF2 archive. Events stay in memory until then.
 *
 * Sizes of collectives are as Score-P records them. Functions that are not here count as
 * computation: persistent requests, non-blocking collectives and one-sided operations are not
 * recorded.
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORLD, SELF, FIRST_COMMUNICATOR, COMMUNICATORS_OF_RANK = 1000, NO_ROOT = -1 };

struct event {
    int64_t ns;
    const char *what;
    const char *name; /* function or operation; NULL: none */
    int64_t values[6];
    int count;
};

struct function {
    const char *name;
    int64_t count, ns;
};

struct communicator {
    MPI_Comm handle;
    int id;
};

struct request {
    MPI_Request handle;
    int64_t id;
    MPI_Comm communicator;
    bool receives;
};

static struct {
    bool records;
    int64_t begin_ns, end_ns, mpi_ns, entered_ns;
    int depth; /* of nested calls: an MPI library may call MPI functions itself */
    struct event *events;
    size_t event_count, event_capacity;
    struct function functions[64];
    int function_count;
    struct communicator communicators[256];
    int communicator_count, communicators_made;
    char *definitions; /* lines of the communicators of which this rank is the first member */
    struct request *requests;
    size_t request_count, request_capacity;
    int64_t request_ids;
} state;

static void fail(const char *what) {
    fprintf(stderr, "selfcheck_recorder: %s\n", what);
    PMPI_Abort(MPI_COMM_WORLD, 2);
}

static void *grow(void *list, size_t *capacity, size_t count, size_t size) {
    if (count < *capacity) return list;
    *capacity = 2 * *capacity + 1024;
    list = realloc(list, *capacity * size);
    if (list == NULL) fail("out of memory");
    return list;
}

static int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void add_event(int64_t ns, const char *what, const char *name, int count,
                      const int64_t *values) {
    if (!state.records || state.depth != 1) return;
    state.events =
        grow(state.events, &state.event_capacity, state.event_count, sizeof *state.events);
    struct event *event = &state.events[state.event_count++];
    *event = (struct event){.ns = ns, .what = what, .name = name, .count = count};
    for (int i = 0; i < count; i++)
        event->values[i] = values[i];
}

#define EVENT(what, name, ...)                                                                     \
    add_event(now_ns(), what, name, (int)(sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t)),       \
              (int64_t[]){__VA_ARGS__})

static void enter(const char *name) {
    int64_t ns = now_ns();
    if (state.depth++ == 0) state.entered_ns = ns;
    add_event(ns, "enter", name, 0, NULL);
}

static void leave(const char *name) {
    int64_t ns = now_ns();
    add_event(ns, "leave", name, 0, NULL);
    if (--state.depth > 0) return;
    int i = 0;
    while (i < state.function_count && state.functions[i].name != name)
        i++;
    if (i == 64) fail("more than 64 functions");
    if (i == state.function_count) state.functions[state.function_count++].name = name;
    state.functions[i].count++;
    state.functions[i].ns += ns - state.entered_ns;
    state.mpi_ns += ns - state.entered_ns;
}

/* ---------------------------------------------------------------------------- communicators */

static int id_of(MPI_Comm communicator) {
    for (int i = state.communicator_count; i-- > 0;)
        if (state.communicators[i].handle == communicator) return state.communicators[i].id;
    fail("a communicator of unknown origin");
    return 0;
}

static void keep_communicator(MPI_Comm handle, int id) {
    if (state.communicator_count == 256) fail("more than 256 communicators at a time");
    state.communicators[state.communicator_count++] = (struct communicator){handle, id};
}

/* Notes a new communicator. Its first member numbers it and writes down its members. */
static void made_communicator(MPI_Comm handle) {
    int me, size, world, id;
    if (handle == MPI_COMM_NULL) return;
    PMPI_Comm_rank(handle, &me);
    PMPI_Comm_size(handle, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &world);
    id = FIRST_COMMUNICATOR + world * COMMUNICATORS_OF_RANK + state.communicators_made;
    PMPI_Bcast(&id, 1, MPI_INT, 0, handle);
    keep_communicator(handle, id);
    if (me != 0 || !state.records) return;
    if (++state.communicators_made > COMMUNICATORS_OF_RANK) fail("more than 1000 communicators");
    MPI_Group all, group;
    int *from = malloc(2 * (size_t)size * sizeof *from), *to = from + size;
    size_t old = state.definitions != NULL ? strlen(state.definitions) : 0;
    state.definitions = realloc(state.definitions, old + 32 + 12 * (size_t)size);
    if (from == NULL || state.definitions == NULL) fail("out of memory");
    for (int i = 0; i < size; i++)
        from[i] = i;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Comm_group(handle, &group);
    PMPI_Group_translate_ranks(group, size, from, all, to);
    char *end = state.definitions + old + sprintf(state.definitions + old, "communicator %d", id);
    for (int i = 0; i < size; i++)
        end += sprintf(end, " %d", to[i]);
    strcpy(end, "\n");
    free(from);
    PMPI_Group_free(&all);
    PMPI_Group_free(&group);
}

/* ---------------------------------------------------------------------------- requests */

static int64_t bytes_of(int64_t count, MPI_Datatype type) {
    int size = 0;
    if (count > 0) PMPI_Type_size(type, &size);
    return count * size;
}

static void add_request(MPI_Request handle, int peer, MPI_Comm communicator, bool receives) {
    if (!state.records || peer == MPI_PROC_NULL || state.depth != 1) return;
    state.requests =
        grow(state.requests, &state.request_capacity, state.request_count, sizeof *state.requests);
    state.requests[state.request_count++] =
        (struct request){handle, state.request_ids++, communicator, receives};
}

static void received(const MPI_Status *status, MPI_Comm communicator, int64_t request) {
    int count = 0;
    PMPI_Get_count(status, MPI_BYTE, &count);
    if (request < 0)
        EVENT("recv", NULL, id_of(communicator), status->MPI_SOURCE, status->MPI_TAG, count);
    else
        EVENT("irecv", NULL, id_of(communicator), status->MPI_SOURCE, status->MPI_TAG, count,
              request);
}

static void complete(MPI_Request handle, const MPI_Status *status) {
    if (!state.records || handle == MPI_REQUEST_NULL) return;
    for (size_t i = 0; i < state.request_count; i++) {
        const struct request request = state.requests[i];
        if (request.handle != handle) continue;
        state.requests[i] = state.requests[--state.request_count];
        if (request.receives)
            received(status, request.communicator, request.id);
        else
            EVENT("isend_complete", NULL, request.id);
        return;
    }
}

/* A call that completes some of several requests: copies of the requests, because MPI sets them to
 * MPI_REQUEST_NULL, and room for their statuses. */
struct waiting {
    const char *name;
    MPI_Request *requests;
    MPI_Status *statuses;
};

static struct waiting begin_wait(const char *name, int count, const MPI_Request *requests) {
    enter(name);
    struct waiting waiting = {name, malloc((size_t)(count + 1) * sizeof *waiting.requests),
                              malloc((size_t)(count + 1) * sizeof *waiting.statuses)};
    if (waiting.requests == NULL || waiting.statuses == NULL) fail("out of memory");
    memcpy(waiting.requests, requests, (size_t)count * sizeof *requests);
    return waiting;
}

/* Ends the call. It has completed so many requests: those of the indices, or the first ones
 * (NULL). */
static void end_wait(struct waiting *waiting, int count, const int *indices, MPI_Status *statuses) {
    for (int i = 0; i < count; i++)
        complete(waiting->requests[indices != NULL ? indices[i] : i], &waiting->statuses[i]);
    if (statuses != MPI_STATUSES_IGNORE)
        memcpy(statuses, waiting->statuses, (size_t)count * sizeof *statuses);
    free(waiting->requests);
    free(waiting->statuses);
    leave(waiting->name);
}

/* ---------------------------------------------------------------------------- calls */

#define CALL(name, parameters, arguments, after)                                                   \
    int MPI_##name parameters {                                                                    \
        enter("MPI_" #name);                                                                       \
        int code = PMPI_##name arguments;                                                          \
        after;                                                                                     \
        leave("MPI_" #name);                                                                       \
        return code;                                                                               \
    }

/* MPI 3 and 4 have const where MPI 2 has not; all libraries of today have it. */
#define SEND_PARAMETERS                                                                            \
    const void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator
#define SEND_ARGUMENTS data, count, type, peer, tag, communicator
#define SENT                                                                                       \
    if (peer != MPI_PROC_NULL)                                                                     \
    EVENT("send", NULL, id_of(communicator), peer, tag, bytes_of(count, type))

#define SEND(name)                                                                                 \
    int MPI_##name(SEND_PARAMETERS) {                                                              \
        enter("MPI_" #name);                                                                       \
        SENT;                                                                                      \
        int code = PMPI_##name(SEND_ARGUMENTS);                                                    \
        leave("MPI_" #name);                                                                       \
        return code;                                                                               \
    }
SEND(Send)
SEND(Bsend)
SEND(Ssend)
SEND(Rsend)

#define ISEND(name)                                                                                \
    int MPI_##name(SEND_PARAMETERS, MPI_Request *request) {                                        \
        enter("MPI_" #name);                                                                       \
        if (peer != MPI_PROC_NULL)                                                                 \
            EVENT("isend", NULL, id_of(communicator), peer, tag, bytes_of(count, type),            \
                  state.request_ids);                                                              \
        int code = PMPI_##name(SEND_ARGUMENTS, request);                                           \
        add_request(*request, peer, communicator, false);                                          \
        leave("MPI_" #name);                                                                       \
        return code;                                                                               \
    }
ISEND(Isend)
ISEND(Issend)

int MPI_Recv(void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator,
             MPI_Status *status) {
    MPI_Status own;
    enter("MPI_Recv");
    int code = PMPI_Recv(data, count, type, peer, tag, communicator, &own);
    if (peer != MPI_PROC_NULL) received(&own, communicator, -1);
    if (status != MPI_STATUS_IGNORE) *status = own;
    leave("MPI_Recv");
    return code;
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator,
              MPI_Request *request) {
    enter("MPI_Irecv");
    if (peer != MPI_PROC_NULL) EVENT("irecv_request", NULL, state.request_ids);
    int code = PMPI_Irecv(data, count, type, peer, tag, communicator, request);
    add_request(*request, peer, communicator, true);
    leave("MPI_Irecv");
    return code;
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int peer, int tag, void *room,
                 int room_count, MPI_Datatype room_type, int from, int room_tag,
                 MPI_Comm communicator, MPI_Status *status) {
    MPI_Status own;
    enter("MPI_Sendrecv");
    SENT;
    int code = PMPI_Sendrecv(data, count, type, peer, tag, room, room_count, room_type, from,
                             room_tag, communicator, &own);
    if (from != MPI_PROC_NULL) received(&own, communicator, -1);
    if (status != MPI_STATUS_IGNORE) *status = own;
    leave("MPI_Sendrecv");
    return code;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    MPI_Request handle = *request;
    MPI_Status own;
    enter("MPI_Wait");
    int code = PMPI_Wait(request, &own);
    complete(handle, &own);
    if (status != MPI_STATUS_IGNORE) *status = own;
    leave("MPI_Wait");
    return code;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    MPI_Request handle = *request;
    MPI_Status own;
    enter("MPI_Test");
    int code = PMPI_Test(request, flag, &own);
    if (*flag) complete(handle, &own);
    if (*flag && status != MPI_STATUS_IGNORE) *status = own;
    leave("MPI_Test");
    return code;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    struct waiting waiting = begin_wait("MPI_Waitall", count, requests);
    int code = PMPI_Waitall(count, requests, waiting.statuses);
    end_wait(&waiting, count, NULL, statuses);
    return code;
}

int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
    struct waiting waiting = begin_wait("MPI_Testall", count, requests);
    int code = PMPI_Testall(count, requests, flag, waiting.statuses);
    end_wait(&waiting, *flag ? count : 0, NULL, statuses);
    return code;
}

int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status) {
    struct waiting waiting = begin_wait("MPI_Waitany", count, requests);
    int code = PMPI_Waitany(count, requests, index, waiting.statuses);
    if (status != MPI_STATUS_IGNORE) *status = waiting.statuses[0]; /* also of no request */
    end_wait(&waiting, *index != MPI_UNDEFINED ? 1 : 0, index, MPI_STATUSES_IGNORE);
    return code;
}

int MPI_Waitsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses) {
    struct waiting waiting = begin_wait("MPI_Waitsome", count, requests);
    int code = PMPI_Waitsome(count, requests, done, indices, waiting.statuses);
    end_wait(&waiting, *done == MPI_UNDEFINED ? 0 : *done, indices, statuses);
    return code;
}

CALL(Probe, (int peer, int tag, MPI_Comm communicator, MPI_Status *status),
     (peer, tag, communicator, status), )
CALL(Iprobe, (int peer, int tag, MPI_Comm communicator, int *flag, MPI_Status *status),
     (peer, tag, communicator, flag, status), )

/* ---------------------------------------------------------------------------- collectives */

/* Records a collective: bytes sent and received of this rank, as Score-P counts them. */
static void collective(const char *operation, MPI_Comm communicator, int root, int64_t sent,
                       int64_t got, bool in_place) {
    EVENT("collective", operation, id_of(communicator), root, sent, got, in_place);
}

static int size_of(MPI_Comm communicator) {
    int size;
    PMPI_Comm_size(communicator, &size);
    return size;
}

static int rank_of(MPI_Comm communicator) {
    int rank;
    PMPI_Comm_rank(communicator, &rank);
    return rank;
}

static int64_t sum_of(const int *counts, MPI_Comm communicator) {
    int64_t sum = 0;
    for (int i = 0; i < size_of(communicator); i++)
        sum += counts[i];
    return sum;
}

CALL(Barrier, (MPI_Comm communicator), (communicator),
     collective("BARRIER", communicator, NO_ROOT, 0, 0, false))
CALL(Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm communicator),
     (data, count, type, root, communicator), int64_t n = bytes_of(count, type);
     collective("BCAST", communicator, root,
                rank_of(communicator) == root ? size_of(communicator) * n : 0, n, false))
CALL(Reduce,
     (const void *data, void *room, int count, MPI_Datatype type, MPI_Op op, int root,
      MPI_Comm communicator),
     (data, room, count, type, op, root, communicator), int64_t n = bytes_of(count, type);
     bool own = data != MPI_IN_PLACE;
     collective("REDUCE", communicator, root, own ? n : 0,
                rank_of(communicator) == root ? (size_of(communicator) - !own) * n : 0, !own))
CALL(Allreduce,
     (const void *data, void *room, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator),
     (data, room, count, type, op, communicator), bool own = data != MPI_IN_PLACE;
     int64_t n = (size_of(communicator) - !own) * bytes_of(count, type);
     collective("ALLREDUCE", communicator, NO_ROOT, n, n, !own))
CALL(Scan,
     (const void *data, void *room, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator),
     (data, room, count, type, op, communicator), int64_t n = bytes_of(count, type);
     bool own = data != MPI_IN_PLACE; int me = rank_of(communicator);
     collective("SCAN", communicator, NO_ROOT, (size_of(communicator) - me - !own) * n,
                (me + own) * n, !own))
CALL(Gather,
     (const void *data, int count, MPI_Datatype type, void *room, int room_count,
      MPI_Datatype room_type, int root, MPI_Comm communicator),
     (data, count, type, room, room_count, room_type, root, communicator),
     bool own = data != MPI_IN_PLACE;
     bool is_root = rank_of(communicator) == root;
     collective("GATHER", communicator, root, own ? bytes_of(count, type) : 0,
                is_root ? (size_of(communicator) - !own) * bytes_of(room_count, room_type) : 0,
                !own))
CALL(Scatter,
     (const void *data, int count, MPI_Datatype type, void *room, int room_count,
      MPI_Datatype room_type, int root, MPI_Comm communicator),
     (data, count, type, room, room_count, room_type, root, communicator),
     bool own = room != MPI_IN_PLACE;
     bool is_root = rank_of(communicator) == root;
     collective("SCATTER", communicator, root,
                is_root ? (size_of(communicator) - !own) * bytes_of(count, type) : 0,
                own ? bytes_of(room_count, room_type) : 0, !own))
CALL(Gatherv,
     (const void *data, int count, MPI_Datatype type, void *room, const int *counts,
      const int *places, MPI_Datatype room_type, int root, MPI_Comm communicator),
     (data, count, type, room, counts, places, room_type, root, communicator),
     bool own = data != MPI_IN_PLACE;
     int64_t got = 0;
     if (rank_of(communicator) == root)
         got = bytes_of(sum_of(counts, communicator) - (own ? 0 : counts[root]), room_type);
     collective("GATHERV", communicator, root, own ? bytes_of(count, type) : 0, got, !own))
CALL(Scatterv,
     (const void *data, const int *counts, const int *places, MPI_Datatype type, void *room,
      int room_count, MPI_Datatype room_type, int root, MPI_Comm communicator),
     (data, counts, places, type, room, room_count, room_type, root, communicator),
     bool own = room != MPI_IN_PLACE;
     int64_t sent = 0;
     if (rank_of(communicator) == root)
         sent = bytes_of(sum_of(counts, communicator) - (own ? 0 : counts[root]), type);
     collective("SCATTERV", communicator, root, sent, own ? bytes_of(room_count, room_type) : 0,
                !own))
CALL(Allgather,
     (const void *data, int count, MPI_Datatype type, void *room, int room_count,
      MPI_Datatype room_type, MPI_Comm communicator),
     (data, count, type, room, room_count, room_type, communicator),
     bool own = data != MPI_IN_PLACE;
     int64_t n = (size_of(communicator) - !own) * bytes_of(room_count, room_type);
     collective("ALLGATHER", communicator, NO_ROOT, n, n, !own))
CALL(Allgatherv,
     (const void *data, int count, MPI_Datatype type, void *room, const int *counts,
      const int *places, MPI_Datatype room_type, MPI_Comm communicator),
     (data, count, type, room, counts, places, room_type, communicator),
     bool own = data != MPI_IN_PLACE;
     int64_t mine = bytes_of(counts[rank_of(communicator)], room_type);
     collective("ALLGATHERV", communicator, NO_ROOT, (size_of(communicator) - !own) * mine,
                bytes_of(sum_of(counts, communicator), room_type) - (own ? 0 : mine), !own))
CALL(Alltoall,
     (const void *data, int count, MPI_Datatype type, void *room, int room_count,
      MPI_Datatype room_type, MPI_Comm communicator),
     (data, count, type, room, room_count, room_type, communicator),
     bool own = data != MPI_IN_PLACE;
     int64_t n = (size_of(communicator) - !own) * bytes_of(room_count, room_type);
     collective("ALLTOALL", communicator, NO_ROOT, n, n, !own))
CALL(Alltoallv,
     (const void *data, const int *counts, const int *places, MPI_Datatype type, void *room,
      const int *room_counts, const int *room_places, MPI_Datatype room_type,
      MPI_Comm communicator),
     (data, counts, places, type, room, room_counts, room_places, room_type, communicator),
     bool own = data != MPI_IN_PLACE;
     int64_t got = bytes_of(sum_of(room_counts, communicator), room_type);
     int64_t mine = own ? 0 : bytes_of(room_counts[rank_of(communicator)], room_type);
     collective("ALLTOALLV", communicator, NO_ROOT,
                own ? bytes_of(sum_of(counts, communicator), type) : got - mine, got - mine, !own))
CALL(Reduce_scatter,
     (const void *data, void *room, const int *counts, MPI_Datatype type, MPI_Op op,
      MPI_Comm communicator),
     (data, room, counts, type, op, communicator), bool own = data != MPI_IN_PLACE;
     int64_t mine = bytes_of(counts[rank_of(communicator)], type);
     collective("REDUCE_SCATTER", communicator, NO_ROOT,
                bytes_of(sum_of(counts, communicator), type) - (own ? 0 : mine),
                (size_of(communicator) - !own) * mine, !own))

#define CREATE(name, parameters, arguments)                                                        \
    CALL(name, parameters, arguments,                                                              \
         collective("CREATE_HANDLE", communicator, NO_ROOT, 0, 0, false);                          \
         made_communicator(*made))
CREATE(Comm_dup, (MPI_Comm communicator, MPI_Comm *made), (communicator, made))
CREATE(Comm_split, (MPI_Comm communicator, int color, int key, MPI_Comm *made),
       (communicator, color, key, made))
CREATE(Comm_split_type, (MPI_Comm communicator, int type, int key, MPI_Info info, MPI_Comm *made),
       (communicator, type, key, info, made))
CREATE(Comm_create, (MPI_Comm communicator, MPI_Group group, MPI_Comm *made),
       (communicator, group, made))
CREATE(Cart_create,
       (MPI_Comm communicator, int dimensions, const int *sizes, const int *periods, int reorder,
        MPI_Comm *made),
       (communicator, dimensions, sizes, periods, reorder, made))
CREATE(Cart_sub, (MPI_Comm communicator, const int *remain, MPI_Comm *made),
       (communicator, remain, made))

int MPI_Comm_free(MPI_Comm *communicator) {
    enter("MPI_Comm_free");
    for (int i = 0; i < state.communicator_count; i++)
        if (state.communicators[i].handle == *communicator)
            state.communicators[i] = state.communicators[--state.communicator_count];
    int code = PMPI_Comm_free(communicator);
    leave("MPI_Comm_free");
    return code;
}

/* ---------------------------------------------------------------------------- begin and end */

static void begin(void) {
    const char *record = getenv("SELFCHECK_RECORD");
    state.records = record != NULL && strcmp(record, "1") == 0;
    keep_communicator(MPI_COMM_WORLD, WORLD);
    keep_communicator(MPI_COMM_SELF, SELF);
    PMPI_Barrier(MPI_COMM_WORLD); /* all ranks begin together, as they do in a replay */
    state.begin_ns = now_ns();
}

int MPI_Init(int *argument_count, char ***arguments) {
    int code = PMPI_Init(argument_count, arguments);
    begin();
    return code;
}

int MPI_Init_thread(int *argument_count, char ***arguments, int required, int *provided) {
    int code = PMPI_Init_thread(argument_count, arguments, required, provided);
    begin();
    return code;
}

static FILE *open_file(const char *folder, const char *name, int rank) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%d", folder, name, rank);
    FILE *file = fopen(path, "w");
    if (file == NULL) fail(path);
    return file;
}

static void write_times(FILE *file) {
    fprintf(file, "elapsed %" PRId64 "\nmpi %" PRId64 "\n", state.end_ns - state.begin_ns,
            state.mpi_ns);
    for (int i = 0; i < state.function_count; i++)
        fprintf(file, "call %s %" PRId64 " %" PRId64 "\n", state.functions[i].name,
                state.functions[i].count, state.functions[i].ns);
    if (fclose(file) != 0) fail("a file of times cannot be written");
}

static void write_record(FILE *file, int rank) {
    fprintf(file, "selfcheck-record 1 rank %d of %d\n", rank, size_of(MPI_COMM_WORLD));
    if (state.definitions != NULL) fputs(state.definitions, file);
    fprintf(file, "begin %" PRId64 "\n", state.begin_ns);
    for (size_t i = 0; i < state.event_count; i++) {
        const struct event *event = &state.events[i];
        fprintf(file, "%s %" PRId64, event->what, event->ns);
        if (event->name != NULL) fprintf(file, " %s", event->name);
        for (int k = 0; k < event->count; k++)
            fprintf(file, " %" PRId64, event->values[k]);
        fputc('\n', file);
    }
    fprintf(file, "end %" PRId64 "\n", state.end_ns);
    if (fclose(file) != 0) fail("a record cannot be written");
}

int MPI_Finalize(void) {
    const char *folder = getenv("SELFCHECK_OUT");
    state.end_ns = now_ns();
    int rank = rank_of(MPI_COMM_WORLD);
    if (folder == NULL) fail("SELFCHECK_OUT names no folder");
    write_times(open_file(folder, "time", rank));
    if (state.records) write_record(open_file(folder, "record", rank), rank);
    return PMPI_Finalize();
}
