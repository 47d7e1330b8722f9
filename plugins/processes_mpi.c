/*
 * The plug-in by which anax simulates on several processes (core/processes/processes_plugin.h), for
 * the MPI library whose compiler wrapper builds it. One thread of each process at a time calls MPI.
 *
 * In an exchange of few processes each sends one message to each other one. The beginning of a
 * block travels in a message of at most MESSAGE_BYTES, whose receive is posted before its sender
 * has anything to send. The rest of a larger block follows in further messages. Invariant: between
 * two exchanges one receive is posted for each other process.
 *
 * Many processes send a block only where there is one, and post no receives: a reduction tells each
 * how many blocks it waits for. A process ends an exchange only when the reduction is over. By then
 * all processes have begun the reduction, so they have taken the blocks of the exchange before.
 * Thus blocks of at most two exchanges are under way, and their tags tell them apart.
 *
 * A launcher may leave the other processes running when one is killed (srun --mpi=pmi2 does). So a
 * process that waits checks from time to time that the processes of its computer exist. It cannot
 * see those of other computers.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/processes/processes_plugin.h"

#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MESSAGE_BYTES = 16 << 10, /* first message of a block, with its length */
    LENGTH_BYTES = 8,
    FIRST_BYTES = MESSAGE_BYTES - LENGTH_BYTES,
    REST_BYTES = 1 << 30, /* largest further message */
    TAG_FIRST = 1,
    TAG_REST = 2,
    TAG_SOME = 3,        /* of exchanges of an even number after a reduction; 4: of an odd number */
    POLLS_MAX = 500,     /* some 30 us, before a wait leaves the processor to others */
    YIELDS = 20,         /* before naps */
    LEAVING_NS = 100000, /* some time that it takes to leave the processor and to get it back */
    NAP_MIN_NS = 50000,  /* shortest nap where processes share processors */
    NAP_MAX_NS = 1000000, /* longest nap */
    LOOK_NS = 1000000000  /* between two looks at the processes of this computer */
};

/* How the processes of this computer see each other. */
struct neighbour {
    long long process; /* its number in the system */
    long long space;   /* in which numbers of processes mean the same (containers have their own) */
};

struct peer {
    char *in;      /* [MESSAGE_BYTES]: the first message of this exchange */
    char *next_in; /* [MESSAGE_BYTES]: the first message of the next exchange */
    char *out;
    char *whole; /* a received block larger than its first message */
    size_t whole_bytes;
    size_t bytes;  /* size of the block that arrives */
    int has_block; /* one arrives in this exchange */
    MPI_Request first_in;
    MPI_Request first_out;
    MPI_Request rest_in;
    MPI_Request rest_out;
};

static struct {
    MPI_Comm communicator;
    int process; /* number of this process */
    int count;
    struct peer *peers;
    struct neighbour self;
    struct neighbour *neighbours; /* [neighbour_count] */
    int neighbour_count;
    unsigned polls;     /* in vain, before a wait leaves the processor to others; adapts itself */
    unsigned polls_max; /* 0: there are more processes than processors */
    int is_lost;        /* a process of this computer has ended: nothing more can be exchanged */
    int is_ahead;       /* receives are posted ahead */
    int tag_some;       /* of the exchange after the reduction */
    /* The reduction that has begun: */
    MPI_Request reduction;
    MPI_Op op;
    MPI_Datatype vector; /* what is added up, as one item */
    size_t vector_bytes; /* 0: there was no reduction yet */
    processes_add add;
    void *context;
} state;

/* Learns of the processes of this computer, which `computer` joins. Returns whether there is memory
 * for them. */
static int meet_neighbours(MPI_Comm computer) {
    const int bytes = (int)sizeof(struct neighbour);
    struct stat space = {0};
    if (stat("/proc/self/ns/pid", &space) == 0)
        state.self = (struct neighbour){(long long)getpid(), (long long)space.st_ino};
    MPI_Comm_size(computer, &state.neighbour_count);
    state.neighbours = calloc((size_t)state.neighbour_count, sizeof *state.neighbours);
    if (state.neighbours == NULL) return 0;
    MPI_Allgather(&state.self, bytes, MPI_BYTE, state.neighbours, bytes, MPI_BYTE, computer);
    return 1;
}

/* Returns whether a process is gone, or has ended and waits until its launcher takes note. */
static int has_ended(long long process) {
    char path[64], line[256];
    if (kill((pid_t)process, 0) != 0 && errno == ESRCH) return 1;
    snprintf(path, sizeof path, "/proc/%lld/stat", process);
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    const char *name_end = fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    const int is_zombie = name_end != NULL && strncmp(name_end, ") Z", 3) == 0;
    fclose(file);
    return is_zombie;
}

static int is_neighbour_missing(void) {
    for (int i = 0; state.self.space != 0 && i < state.neighbour_count; i++) {
        const struct neighbour *neighbour = &state.neighbours[i];
        if (neighbour->space != state.self.space) continue;
        if (has_ended(neighbour->process)) return 1;
    }
    return 0;
}

/* A wait for messages, as far as it has come. */
struct wait {
    int is_patient;
    unsigned polls;     /* so far, in vain */
    unsigned yields;    /* so far */
    long long begin_ns; /* when it began to leave the processor to others; 0: not yet */
    long long look_ns;  /* when to look next at the processes of this computer */
    int was_missing;    /* one of them at the last look */
};

/* Sets state.is_lost if a process was missing at two looks, LOOK_NS apart: what it sent before its
 * end has arrived by then. */
static void look_around(struct wait *wait, long long now_ns) {
    if (now_ns < wait->look_ns) return;
    wait->look_ns = now_ns + LOOK_NS;
    const int is_missing = is_neighbour_missing();
    state.is_lost = is_missing && wait->was_missing;
    wait->was_missing = is_missing;
}

static long long clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Leaves the processor to others for an eighth of the time waited so far: such naps hardly make a
 * wait longer. Where processes share processors, many short naps would take time from those that
 * work. */
static void nap(const struct wait *wait, long long waited_ns) {
    long long nap_ns = waited_ns / 8;
    if (nap_ns < NAP_MIN_NS && state.polls_max == 0) nap_ns = NAP_MIN_NS;
    if (nap_ns > NAP_MAX_NS || wait->is_patient) nap_ns = NAP_MAX_NS;
    const struct timespec length = {.tv_nsec = (long)nap_ns};
    prctl(PR_SET_TIMERSLACK, 1000UL); /* of this thread; usually naps are 50 us longer */
    nanosleep(&length, NULL);
}

/* Called after each poll in vain. A short wait keeps the processor. A longer one leaves it to
 * others, because another process of this run may need it: first by sched_yield, which on a busy
 * computer may cost this process its next turns, and soon by naps. Returns 0 if a process has
 * ended. */
static int wait_more(struct wait *wait) {
    if (wait->polls++ < state.polls) return 1;
    const long long now_ns = clock_ns();
    if (wait->begin_ns == 0) {
        wait->begin_ns = now_ns;
        wait->look_ns = now_ns + LOOK_NS;
    }
    look_around(wait, now_ns);
    if (wait->is_patient || wait->yields == YIELDS) {
        nap(wait, now_ns - wait->begin_ns);
    } else {
        wait->yields++;
        sched_yield();
    }
    return !state.is_lost;
}

/* Called when a wait is over. The next one polls longer if that is enough or would have been faster
 * than to leave the processor, and otherwise shorter. */
static void wait_over(const struct wait *wait) {
    if (wait->polls == 0) return;
    const int was_short = wait->begin_ns == 0 || clock_ns() - wait->begin_ns < LEAVING_NS;
    state.polls = was_short ? 2 * state.polls : state.polls / 2 + 1;
    if (state.polls > state.polls_max) state.polls = state.polls_max;
}

/* Waits for a request. MPI_Wait would keep the processor even if another process needs it. */
static void wait_for(MPI_Request *request, int is_patient) {
    struct wait wait = {.is_patient = is_patient};
    for (int is_done = 0; !is_done;) {
        MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done && !wait_more(&wait)) return;
    }
    wait_over(&wait);
}

static void post_first_receive(int number) {
    struct peer *peer = &state.peers[number];
    MPI_Irecv(peer->next_in, MESSAGE_BYTES, MPI_BYTE, number, TAG_FIRST, state.communicator,
              &peer->first_in);
}

static int make_peers(void) {
    state.peers = calloc((size_t)state.count, sizeof *state.peers);
    for (int i = 0; i < state.count && state.peers != NULL; i++)
        state.peers[i].first_in = state.peers[i].first_out = MPI_REQUEST_NULL;
    return state.peers == NULL;
}

/* Makes the buffer of a first message. */
static int make_buffer(char **buffer) {
    if (*buffer == NULL) *buffer = malloc(MESSAGE_BYTES);
    return *buffer == NULL;
}

static int post_receives_ahead(void) {
    for (int i = 0; i < state.count && !state.is_ahead; i++) {
        struct peer *peer = &state.peers[i];
        if (i == state.process) continue;
        if (make_buffer(&peer->in) != 0 || make_buffer(&peer->next_in) != 0 ||
            make_buffer(&peer->out) != 0)
            return 1;
    }
    for (int i = 0; i < state.count && !state.is_ahead; i++)
        if (i != state.process) post_first_receive(i);
    state.is_ahead = 1;
    return 0;
}

static int begin_mpi(unsigned *number, unsigned *count, unsigned *local, char *error,
                     size_t error_bytes) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Comm computer;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED) {
        snprintf(error, error_bytes, "MPI_Init_thread failed, or offers no MPI_THREAD_SERIALIZED");
        return 1;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &state.communicator);
    MPI_Comm_rank(state.communicator, &state.process);
    MPI_Comm_size(state.communicator, &state.count);
    MPI_Comm_split_type(state.communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &computer);
    const int has_met = meet_neighbours(computer);
    MPI_Comm_free(&computer);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    state.polls = state.polls_max = state.neighbour_count <= processors ? POLLS_MAX : 0;
    *number = (unsigned)state.process;
    *count = (unsigned)state.count;
    *local = (unsigned)state.neighbour_count;
    if (has_met && make_peers() == 0) return 0;
    snprintf(error, error_bytes, "out of memory for messages of %d processes", state.count);
    return 1;
}

static void send_first(int number, const struct processes_block *block, int tag) {
    struct peer *peer = &state.peers[number];
    const uint64_t length = block->bytes;
    const size_t first = block->bytes < FIRST_BYTES ? block->bytes : FIRST_BYTES;
    memcpy(peer->out, &length, sizeof length);
    if (first > 0) memcpy(peer->out + LENGTH_BYTES, block->data, first);
    MPI_Isend(peer->out, (int)first + LENGTH_BYTES, MPI_BYTE, number, tag, state.communicator,
              &peer->first_out);
}

static void read_length(struct peer *peer) {
    uint64_t length;
    memcpy(&length, peer->in, sizeof length);
    peer->bytes = (size_t)length;
    peer->has_block = 1;
}

/* Takes the first message of a block, and posts the receive of the next exchange. */
static void take_first(int number, int is_patient) {
    struct peer *peer = &state.peers[number];
    wait_for(&peer->first_in, is_patient);
    char *filled = peer->next_in;
    peer->next_in = peer->in;
    peer->in = filled;
    post_first_receive(number);
    read_length(peer);
}

/* Takes the first message of a block of any process. */
static int take_any_first(int is_patient) {
    struct wait wait = {.is_patient = is_patient};
    MPI_Status status;
    for (int is_there = 0; !is_there;) {
        MPI_Iprobe(MPI_ANY_SOURCE, state.tag_some, state.communicator, &is_there, &status);
        if (!is_there && !wait_more(&wait)) return PROCESSES_LOST;
    }
    wait_over(&wait);
    struct peer *peer = &state.peers[status.MPI_SOURCE];
    if (make_buffer(&peer->in) != 0) return PROCESSES_NO_MEMORY;
    MPI_Irecv(peer->in, MESSAGE_BYTES, MPI_BYTE, status.MPI_SOURCE, state.tag_some,
              state.communicator, &peer->first_in);
    wait_for(&peer->first_in, is_patient);
    read_length(peer);
    return state.is_lost ? PROCESSES_LOST : 0;
}

/* Makes room for a whole block and moves its beginning there. */
static int make_whole(struct peer *peer) {
    if (peer->bytes <= FIRST_BYTES) return 0;
    if (peer->bytes > peer->whole_bytes) {
        free(peer->whole);
        peer->whole = malloc(peer->bytes);
        peer->whole_bytes = peer->whole != NULL ? peer->bytes : 0;
    }
    if (peer->whole == NULL) return 1;
    memcpy(peer->whole, peer->in + LENGTH_BYTES, FIRST_BYTES);
    return 0;
}

/* Returns the size of the further message of a block that begins at byte `done`; 0: there is none.
 */
static int rest_at(size_t bytes, size_t done) {
    if (done >= bytes) return 0;
    return bytes - done > REST_BYTES ? REST_BYTES : (int)(bytes - done);
}

/* Sends and receives the further messages that begin at byte `done` of their blocks. Returns
 * whether there was one. */
static int exchange_rest(const struct processes_block *sent, size_t done, int is_patient) {
    int any = 0;
    for (int i = 0; i < state.count; i++) {
        struct peer *peer = &state.peers[i];
        peer->rest_in = peer->rest_out = MPI_REQUEST_NULL;
        if (i == state.process) continue;
        const int in = rest_at(peer->bytes, done), out = rest_at(sent[i].bytes, done);
        if (in > 0)
            MPI_Irecv(peer->whole + done, in, MPI_BYTE, i, TAG_REST, state.communicator,
                      &peer->rest_in);
        if (out > 0)
            MPI_Isend((char *)sent[i].data + done, out, MPI_BYTE, i, TAG_REST, state.communicator,
                      &peer->rest_out);
        any |= in > 0 || out > 0;
    }
    for (int i = 0; i < state.count && any; i++) {
        wait_for(&state.peers[i].rest_in, is_patient);
        wait_for(&state.peers[i].rest_out, is_patient);
    }
    return any;
}

/* Takes and sends what is left of the blocks whose first messages have been taken and sent. */
static int end_exchange(const struct processes_block *sent, struct processes_block *received,
                        int is_patient) {
    for (int i = 0; i < state.count; i++) {
        struct peer *peer = &state.peers[i];
        received[i] = (struct processes_block){NULL, 0};
        if (i == state.process || !peer->has_block) continue;
        if (make_whole(peer) != 0) return PROCESSES_NO_MEMORY;
        const int is_whole = peer->bytes > FIRST_BYTES;
        received[i] =
            (struct processes_block){is_whole ? peer->whole : peer->in + LENGTH_BYTES, peer->bytes};
    }
    for (size_t done = FIRST_BYTES; exchange_rest(sent, done, is_patient);)
        done += REST_BYTES;
    for (int i = 0; i < state.count; i++)
        if (i != state.process) wait_for(&state.peers[i].first_out, is_patient);
    return state.is_lost ? PROCESSES_LOST : 0;
}

static int exchange_blocks(const struct processes_block *sent, struct processes_block *received,
                           int is_patient) {
    if (post_receives_ahead() != 0) return PROCESSES_NO_MEMORY;
    for (int i = 0; i < state.count; i++)
        if (i != state.process) send_first(i, &sent[i], TAG_FIRST);
    for (int i = 0; i < state.count; i++)
        if (i != state.process) take_first(i, is_patient);
    return state.is_lost ? PROCESSES_LOST : end_exchange(sent, received, is_patient);
}

/* The function of state.op. */
static void add_parts(void *parts, void *sums, int *count, MPI_Datatype *type) {
    (void)type;
    for (size_t i = 0; i < (size_t)*count; i++)
        state.add(state.context, (char *)sums + i * state.vector_bytes,
                  (const char *)parts + i * state.vector_bytes);
}

static void reduce(void *sum, size_t bytes, processes_add add, void *context) {
    if (state.vector_bytes == 0) {
        MPI_Op_create(add_parts, 1, &state.op);
        MPI_Type_contiguous((int)(bytes / sizeof(uint64_t)), MPI_UINT64_T, &state.vector);
        MPI_Type_commit(&state.vector);
        state.vector_bytes = bytes;
        state.tag_some = TAG_SOME;
    }
    state.add = add;
    state.context = context;
    MPI_Iallreduce(MPI_IN_PLACE, sum, 1, state.vector, state.op, state.communicator,
                   &state.reduction);
}

static int exchange_some(const struct processes_block *sent, struct processes_block *received,
                         const uint32_t *expected, int is_patient) {
    for (int i = 0; i < state.count; i++) {
        state.peers[i].has_block = 0;
        state.peers[i].bytes = 0;
        if (sent[i].data == NULL) continue;
        if (make_buffer(&state.peers[i].out) != 0) return PROCESSES_NO_MEMORY;
        send_first(i, &sent[i], state.tag_some);
    }
    wait_for(&state.reduction, is_patient);
    if (state.is_lost) return PROCESSES_LOST;
    for (uint32_t i = 0; i < *expected; i++) {
        const int failed = take_any_first(is_patient);
        if (failed != 0) return failed;
    }
    state.tag_some = 2 * TAG_SOME + 1 - state.tag_some;
    return end_exchange(sent, received, is_patient);
}

static void end_mpi(void) {
    for (int i = 0; i < state.count && state.is_ahead; i++) {
        if (i == state.process) continue;
        MPI_Cancel(&state.peers[i].first_in);
        MPI_Request_free(&state.peers[i].first_in);
    }
    if (state.vector_bytes > 0) {
        MPI_Type_free(&state.vector);
        MPI_Op_free(&state.op);
    }
    MPI_Comm_free(&state.communicator);
    MPI_Finalize(); /* the library may hold cancelled receives until here */
    for (int i = 0; i < state.count; i++) {
        struct peer *peer = &state.peers[i];
        free(peer->in);
        free(peer->next_in);
        free(peer->out);
        free(peer->whole);
    }
    free(state.peers);
    free(state.neighbours);
}

static void end_all(int exit_code) {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
}

const struct processes_plugin *anax_processes_plugin(void);
const struct processes_plugin *anax_processes_plugin(void) {
    static const struct processes_plugin table = {.version = PROCESSES_PLUGIN_VERSION,
                                                  .begin = begin_mpi,
                                                  .exchange = exchange_blocks,
                                                  .reduce = reduce,
                                                  .exchange_some = exchange_some,
                                                  .end = end_mpi,
                                                  .end_all = end_all};
    return &table;
}
