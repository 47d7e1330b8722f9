/* See goal_reference.h. Times are found by going through all operations until nothing is new. */
#include "goal_reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN INT64_MIN

/* Tags from here on are those of collectives' messages. */
#define COLLECTIVE_TAGS UINT64_C(0x80000000)

typedef struct edge {
    size_t on; /* number among the rank's operations */
    bool only_begun;
} edge;

typedef struct operation {
    char kind; /* c, s, r */
    uint8_t mode;
    uint32_t rank, peer;
    uint64_t tag, bytes;
    int64_t duration_ps;
    edge *edges;
    size_t edge_count;
    struct operation *partner;
    int64_t begun_ps; /* when what it costs the CPU is paid */
    int64_t done_ps;
} operation;

typedef struct machine_rank {
    operation *operations;
    size_t count;
} machine_rank;

typedef struct schedule {
    const goal_machine *machine;
    machine_rank *ranks;
    uint32_t rank_count;
} schedule;

static bool add_edge(machine_rank *rank, size_t of, size_t on, bool only_begun) {
    if (of < 1 || of > rank->count || on < 1 || on >= of) return false;
    operation *operation = &rank->operations[of - 1];
    operation->edges =
        realloc(operation->edges, (operation->edge_count + 1) * sizeof *operation->edges);
    operation->edges[operation->edge_count++] = (edge){on - 1, only_begun};
    return true;
}

static bool read_line(schedule *schedule, uint32_t *at, const char *line) {
    operation new = {.begun_ps = UNKNOWN, .done_ps = UNKNOWN};
    size_t label, on;
    int64_t calc_ns;
    if (line[0] == '\0' || line[0] == '/' || line[0] == '}') return true;
    if (sscanf(line, "num_ranks %" SCNu32, &schedule->rank_count) == 1) {
        schedule->ranks = calloc(schedule->rank_count, sizeof *schedule->ranks);
        return schedule->ranks != NULL;
    }
    if (sscanf(line, "rank %" SCNu32 " {", at) == 1) return *at < schedule->rank_count;
    machine_rank *rank = &schedule->ranks[*at];
    if (sscanf(line, "l%zu requires l%zu", &label, &on) == 2)
        return add_edge(rank, label, on, false);
    if (sscanf(line, "l%zu irequires l%zu", &label, &on) == 2)
        return add_edge(rank, label, on, true);
    if (sscanf(line, "l%zu: calc %" SCNd64, &label, &calc_ns) == 2) {
        new.kind = 'c';
        new.duration_ps = 1000 * calc_ns;
    } else if (sscanf(line, "l%zu: send %" SCNu64 "b to %" SCNu32 " tag %" SCNu64, &label,
                      &new.bytes, &new.peer, &new.tag) == 4) {
        new.kind = 's';
    } else if (sscanf(line, "l%zu: recv %" SCNu64 "b from %" SCNu32 " tag %" SCNu64, &label,
                      &new.bytes, &new.peer, &new.tag) == 4) {
        new.kind = 'r';
    }
    if (new.kind == 0 || label != rank->count + 1 || new.peer >= schedule->rank_count) return false;
    new.rank = *at;
    if (new.bytes == 1) new.bytes = 0;
    rank->operations = realloc(rank->operations, (rank->count + 1) * sizeof new);
    rank->operations[rank->count++] = new;
    return true;
}

static bool read_text(schedule *schedule, const char *text) {
    char line[128];
    uint32_t rank = 0;
    for (size_t length; *text != '\0'; text += length + (text[length] != '\0')) {
        length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (!read_line(schedule, &rank, line)) return false;
    }
    return schedule->ranks != NULL;
}

/* The k-th receive of a source and tag meets the k-th send. */
static operation *find_send(const schedule *schedule, const operation *receive) {
    const machine_rank *from = &schedule->ranks[receive->peer];
    for (size_t i = 0; i < from->count; i++) {
        operation *send = &from->operations[i];
        if (send->kind == 's' && send->peer == receive->rank && send->tag == receive->tag &&
            send->partner == NULL)
            return send->bytes == receive->bytes ? send : NULL;
    }
    return NULL;
}

static bool match(schedule *schedule, const uint8_t *const *modes) {
    for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
        size_t sends = 0;
        for (size_t i = 0; i < schedule->ranks[rank].count; i++) {
            operation *operation = &schedule->ranks[rank].operations[i];
            if (operation->kind == 's' && operation->tag < COLLECTIVE_TAGS && modes != NULL)
                operation->mode = modes[rank][sends++];
            if (operation->kind != 'r') continue;
            operation->partner = find_send(schedule, operation);
            if (operation->partner == NULL) return false;
            operation->partner->partner = operation;
        }
    }
    return true;
}

/* ---- LogGPS ---- */

static bool is_local(const goal_machine *machine, const operation *message) {
    return message->rank / machine->ranks_per_node == message->peer / machine->ranks_per_node;
}

/* G per byte, and the same after L. */
static int64_t leaving_ps(const goal_machine *machine, const operation *message, uint64_t bytes) {
    bool local = is_local(machine, message);
    return (int64_t)bytes * (local ? machine->memory_byte_ps : machine->byte_ps);
}

static int64_t flight_ps(const goal_machine *machine, const operation *message, uint64_t bytes) {
    bool local = is_local(machine, message);
    return (local ? machine->memory_latency_ps : machine->latency_ps) +
           leaving_ps(machine, message, bytes);
}

static bool is_eager(const goal_machine *machine, const operation *send) {
    if (send->mode == GOAL_SYNCHRONOUS) return false;
    return send->bytes <= machine->eager_bytes || send->mode != GOAL_STANDARD;
}

/* When the answer to an announcement is back at the sender; both sides have begun. */
static int64_t answered_ps(const goal_machine *machine, const operation *send) {
    int64_t control_ps = flight_ps(machine, send, machine->control_bytes);
    int64_t announced_ps = send->begun_ps + control_ps, posted_ps = send->partner->begun_ps;
    return (announced_ps > posted_ps ? announced_ps : posted_ps) + control_ps;
}

static int64_t send_done_ps(const goal_machine *machine, const operation *send) {
    bool copied = send->bytes <= machine->eager_bytes || send->mode == GOAL_BUFFERED;
    if (is_eager(machine, send))
        return send->begun_ps + (copied ? 0 : leaving_ps(machine, send, send->bytes));
    if (send->partner == NULL || send->partner->begun_ps == UNKNOWN) return UNKNOWN;
    int64_t go_ps = answered_ps(machine, send);
    if (!machine->fetches) return go_ps + leaving_ps(machine, send, send->bytes);
    return go_ps + flight_ps(machine, send, send->bytes) +
           flight_ps(machine, send, machine->control_bytes);
}

/* When the data are there. */
static int64_t receive_done_ps(const goal_machine *machine, const operation *receive) {
    const operation *send = receive->partner;
    if (send->begun_ps == UNKNOWN) return UNKNOWN;
    int64_t leaves_ps = is_eager(machine, send) ? send->begun_ps : answered_ps(machine, send);
    return leaves_ps + flight_ps(machine, send, send->bytes);
}

static int compare_done(const void *left, const void *right) {
    const operation *a = *(operation *const *)left, *b = *(operation *const *)right;
    return (a->done_ps > b->done_ps) - (a->done_ps < b->done_ps);
}

/* What it requires is taken in as it completes, at its cost. UNKNOWN: not all is complete. */
static int64_t begin_ps(const goal_machine *machine, const machine_rank *rank,
                        const operation *operation) {
    struct operation *waited[operation->edge_count + 1];
    size_t count = 0;
    int64_t clock_ps = 0;
    for (size_t i = 0; i < operation->edge_count; i++) {
        struct operation *required = &rank->operations[operation->edges[i].on];
        bool begun = operation->edges[i].only_begun;
        int64_t known_ps = begun ? required->begun_ps : required->done_ps;
        if (known_ps == UNKNOWN) return UNKNOWN;
        if (!begun) waited[count++] = required;
        if (required->begun_ps > clock_ps) clock_ps = required->begun_ps;
    }
    qsort(waited, count, sizeof *waited, compare_done);
    for (size_t i = 0; i < count; i++) {
        if (waited[i]->done_ps > clock_ps) clock_ps = waited[i]->done_ps;
        if (waited[i]->kind == 'r')
            clock_ps +=
                machine->receive_ps + (int64_t)waited[i]->bytes * machine->receive_kib_ps / 1024;
    }
    return clock_ps;
}

/* True if something became known. */
static bool carry_out(const schedule *schedule, const machine_rank *rank, operation *operation) {
    const goal_machine *machine = schedule->machine;
    bool new = false;
    if (operation->begun_ps == UNKNOWN) {
        int64_t now_ps = begin_ps(machine, rank, operation);
        if (now_ps == UNKNOWN) return false;
        if (operation->kind == 'c') now_ps += operation->duration_ps;
        if (operation->kind == 's')
            now_ps += machine->send_ps + (int64_t)operation->bytes * machine->send_kib_ps / 1024;
        operation->begun_ps = now_ps;
        new = true;
    }
    if (operation->done_ps == UNKNOWN) {
        operation->done_ps = operation->kind == 'c'   ? operation->begun_ps
                             : operation->kind == 's' ? send_done_ps(machine, operation)
                                                      : receive_done_ps(machine, operation);
        new = new || operation->done_ps != UNKNOWN;
    }
    return new;
}

static bool run(schedule *schedule, int64_t *times_ps) {
    for (bool again = true; again;) {
        again = false;
        for (uint32_t r = 0; r < schedule->rank_count; r++)
            for (size_t i = 0; i < schedule->ranks[r].count; i++)
                again |=
                    carry_out(schedule, &schedule->ranks[r], &schedule->ranks[r].operations[i]);
    }
    for (uint32_t r = 0; r < schedule->rank_count; r++) {
        const machine_rank *rank = &schedule->ranks[r];
        for (size_t i = 0; i < rank->count; i++)
            if (rank->operations[i].done_ps == UNKNOWN) return false;
        if (rank->count == 0 || rank->operations[rank->count - 1].kind != 'c') return false;
        times_ps[r] = rank->operations[rank->count - 1].done_ps;
    }
    return true;
}

bool goal_times(const char *text, const goal_machine *machine, const uint8_t *const *modes,
                int64_t *times_ps) {
    schedule schedule = {.machine = machine};
    bool good = read_text(&schedule, text) && match(&schedule, modes) && run(&schedule, times_ps);
    for (uint32_t r = 0; schedule.ranks != NULL && r < schedule.rank_count; r++) {
        for (size_t i = 0; i < schedule.ranks[r].count; i++)
            free(schedule.ranks[r].operations[i].edges);
        free(schedule.ranks[r].operations);
    }
    free(schedule.ranks);
    return good;
}
