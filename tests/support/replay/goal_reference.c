/*
 * Finds the times of a graph by going through all operations until nothing is new. With software
 * progress, whether a rank computes at some time is known only once all its calcs up to then are:
 * whenever nothing is new, the earliest such time that is asked for becomes known, since all that
 * is unknown is later.
 */
#include "tests/support/replay/goal_reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN INT64_MIN

/* Tags from here on are those of collectives' messages. */
#define COLLECTIVE_TAGS UINT64_C(0x80000000)

struct edge {
    size_t on; /* number among the rank's operations */
    bool only_begun;
};

struct operation {
    char kind; /* c, s, r */
    uint8_t mode;
    bool by_nic;
    uint32_t rank, peer;
    uint64_t tag, bytes;
    int64_t duration_ps;
    struct edge *edges;
    size_t edge_count;
    struct operation *partner;
    int64_t begun_ps; /* when what it costs the CPU is paid */
    int64_t go_ps;    /* announced sends: when the sender acts on the answer */
    int64_t done_ps;
};

struct machine_rank {
    struct operation *operations;
    size_t count;
};

struct schedule {
    const struct goal_machine *machine;
    struct machine_rank *ranks;
    uint32_t rank_count;
    int64_t horizon_ps; /* everything before is known */
    int64_t asked_ps;   /* the earliest time asked for that is not */
};

static bool add_edge(struct machine_rank *rank, size_t of, size_t on, bool only_begun) {
    if (of < 1 || of > rank->count || on < 1 || on >= of) return false;
    struct operation *operation = &rank->operations[of - 1];
    operation->edges =
        realloc(operation->edges, (operation->edge_count + 1) * sizeof *operation->edges);
    operation->edges[operation->edge_count++] = (struct edge){on - 1, only_begun};
    return true;
}

static bool read_line(struct schedule *schedule, uint32_t *at, const char *line) {
    struct operation new = {.begun_ps = UNKNOWN, .go_ps = UNKNOWN, .done_ps = UNKNOWN};
    size_t label, on;
    int64_t calc_ns;
    if (line[0] == '\0' || line[0] == '/' || line[0] == '}') return true;
    if (sscanf(line, "num_ranks %" SCNu32, &schedule->rank_count) == 1) {
        schedule->ranks = calloc(schedule->rank_count, sizeof *schedule->ranks);
        return schedule->ranks != NULL;
    }
    if (sscanf(line, "rank %" SCNu32 " {", at) == 1) return *at < schedule->rank_count;
    struct machine_rank *rank = &schedule->ranks[*at];
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
    const char *cpu = strstr(line, " cpu "); /* others are those of non-blocking collectives */
    new.by_nic = cpu != NULL &&strtoul(cpu + 5, NULL, 10) == 1;
    if (new.bytes == 1) new.bytes = 0;
    rank->operations = realloc(rank->operations, (rank->count + 1) * sizeof new);
    rank->operations[rank->count++] = new;
    return true;
}

/* Ends a rank with a calc that waits for all that nothing else waits for. */
static void end_with_calc(struct machine_rank *rank, uint32_t number) {
    bool *is_waited_for = calloc(rank->count + 1, sizeof *is_waited_for);
    const size_t count = rank->count;
    struct operation last = {
        .kind = 'c', .rank = number, .begun_ps = UNKNOWN, .go_ps = UNKNOWN, .done_ps = UNKNOWN};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < rank->operations[i].edge_count; k++)
            if (!rank->operations[i].edges[k].only_begun)
                is_waited_for[rank->operations[i].edges[k].on] = true;
    rank->operations = realloc(rank->operations, (count + 1) * sizeof last);
    rank->operations[rank->count++] = last;
    for (size_t i = 0; i < count; i++)
        if (!rank->operations[i].by_nic) add_edge(rank, rank->count, i + 1, is_waited_for[i]);
    free(is_waited_for);
}

static bool read_text(struct schedule *schedule, const char *text) {
    char line[128];
    uint32_t rank = 0;
    for (size_t length; *text != '\0'; text += length + (text[length] != '\0')) {
        length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (!read_line(schedule, &rank, line)) return false;
    }
    for (rank = 0; rank < schedule->rank_count; rank++) {
        const struct machine_rank *read = &schedule->ranks[rank];
        if (read->count == 0 || read->operations[read->count - 1].kind != 'c')
            end_with_calc(&schedule->ranks[rank], rank);
    }
    return schedule->ranks != NULL;
}

/* The k-th receive of a source and tag meets the k-th send. */
static struct operation *find_send(const struct schedule *schedule,
                                   const struct operation *receive) {
    const struct machine_rank *from = &schedule->ranks[receive->peer];
    for (size_t i = 0; i < from->count; i++) {
        struct operation *send = &from->operations[i];
        if (send->kind == 's' && send->peer == receive->rank && send->tag == receive->tag &&
            send->partner == NULL)
            return send->bytes == receive->bytes ? send : NULL;
    }
    return NULL;
}

static bool match(struct schedule *schedule, const uint8_t *const *modes) {
    for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
        size_t sends = 0;
        for (size_t i = 0; i < schedule->ranks[rank].count; i++) {
            struct operation *operation = &schedule->ranks[rank].operations[i];
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

/* Between a rank and a NIC. */
static bool is_rma(const struct operation *message) {
    return message->by_nic || (message->partner != NULL && message->partner->by_nic);
}

/* ---- LogGPS ---- */

/* When the rank's library can act on what happens at a time: then, or at the end of the calc it
 * falls in. */
static int64_t acting_ps(struct schedule *schedule, uint32_t number, int64_t at_ps) {
    const struct machine_rank *rank = &schedule->ranks[number];
    if (!schedule->machine->software || at_ps == UNKNOWN) return at_ps;
    for (size_t i = 0; i < rank->count; i++) {
        const struct operation *calc = &rank->operations[i];
        if (calc->kind == 'c' && calc->begun_ps != UNKNOWN && at_ps < calc->begun_ps &&
            at_ps >= calc->begun_ps - calc->duration_ps)
            return calc->begun_ps;
    }
    if (at_ps < schedule->horizon_ps) return at_ps;
    if (at_ps < schedule->asked_ps) schedule->asked_ps = at_ps;
    return UNKNOWN;
}

static bool is_local(const struct goal_machine *machine, const struct operation *message) {
    return message->rank / machine->ranks_per_node == message->peer / machine->ranks_per_node;
}

/* G per byte, and the same after L. */
static int64_t leaving_ps(const struct goal_machine *machine, const struct operation *message,
                          uint64_t bytes) {
    bool local = is_local(machine, message);
    return (int64_t)bytes * (local ? machine->memory_byte_ps : machine->byte_ps);
}

static int64_t flight_ps(const struct goal_machine *machine, const struct operation *message,
                         uint64_t bytes) {
    bool local = is_local(machine, message);
    return (local ? machine->memory_latency_ps : machine->latency_ps) +
           leaving_ps(machine, message, bytes);
}

static bool is_eager(const struct goal_machine *machine, const struct operation *send) {
    if (is_rma(send)) return true;
    if (send->mode == GOAL_SYNCHRONOUS) return false;
    return send->bytes <= machine->eager_bytes || send->mode != GOAL_STANDARD;
}

/* When the answer to an announcement is back at the sender, and it acts on it; both sides have
 * begun. Found once: a calc may begin at that very time. */
static int64_t answered_ps(struct schedule *schedule, struct operation *send) {
    const struct goal_machine *machine = schedule->machine;
    if (send->go_ps != UNKNOWN) return send->go_ps;
    int64_t control_ps = flight_ps(machine, send, machine->control_bytes);
    int64_t announced_ps = acting_ps(schedule, send->peer, send->begun_ps + control_ps);
    int64_t posted_ps = send->partner->begun_ps;
    if (announced_ps == UNKNOWN) return UNKNOWN;
    int64_t back_ps = (announced_ps > posted_ps ? announced_ps : posted_ps) + control_ps;
    send->go_ps = machine->fetches ? back_ps : acting_ps(schedule, send->rank, back_ps);
    return send->go_ps;
}

/* Done when posted. */
static bool is_copied(const struct goal_machine *machine, const struct operation *send) {
    return is_eager(machine, send) &&
           (send->bytes <= machine->eager_bytes || is_rma(send) || send->mode == GOAL_BUFFERED);
}

static int64_t send_done_ps(struct schedule *schedule, struct operation *send) {
    const struct goal_machine *machine = schedule->machine;
    if (is_copied(machine, send)) return send->begun_ps;
    if (is_eager(machine, send)) return send->begun_ps + leaving_ps(machine, send, send->bytes);
    if (send->partner == NULL || send->partner->begun_ps == UNKNOWN) return UNKNOWN;
    int64_t go_ps = answered_ps(schedule, send);
    if (go_ps == UNKNOWN) return UNKNOWN;
    if (!machine->fetches) return go_ps + leaving_ps(machine, send, send->bytes);
    int64_t there_ps = go_ps + flight_ps(machine, send, send->bytes);
    int64_t told_ps = acting_ps(schedule, send->peer, there_ps);
    return told_ps == UNKNOWN ? UNKNOWN
                              : told_ps + flight_ps(machine, send, machine->control_bytes);
}

/* When the data are there. */
static int64_t receive_done_ps(struct schedule *schedule, const struct operation *receive) {
    const struct goal_machine *machine = schedule->machine;
    struct operation *send = receive->partner;
    if (send->begun_ps == UNKNOWN) return UNKNOWN;
    int64_t leaves_ps = is_eager(machine, send) ? send->begun_ps : answered_ps(schedule, send);
    return leaves_ps == UNKNOWN ? UNKNOWN : leaves_ps + flight_ps(machine, send, send->bytes);
}

static int compare_done(const void *left, const void *right) {
    const struct operation *a = *(struct operation *const *)left,
                           *b = *(struct operation *const *)right;
    return (a->done_ps > b->done_ps) - (a->done_ps < b->done_ps);
}

static int64_t cost_ps(const struct goal_machine *machine, const struct goal_cost *costs,
                       uint64_t bytes, const struct operation *send) {
    bool large = machine->large_bytes > 0 && bytes >= machine->large_bytes;
    const struct goal_cost *cost = &costs[large];
    int64_t each_ps = cost->each_ps + (int64_t)bytes * cost->kib_ps / 1024;
    if (is_rma(send)) return each_ps;
    if (!is_eager(machine, send)) return each_ps + cost->start_ps;
    return each_ps + (is_copied(machine, send) ? (int64_t)bytes * cost->copy_kib_ps / 1024 : 0);
}

static int64_t start_ps(const struct goal_machine *machine, uint32_t rank) {
    return machine->start_ps != NULL ? machine->start_ps[rank] : 0;
}

/* What it requires is taken in as it completes, at its cost. UNKNOWN: not all is complete. */
static int64_t begin_ps(struct schedule *schedule, const struct machine_rank *rank,
                        const struct operation *operation) {
    const struct goal_machine *machine = schedule->machine;
    struct operation *waited[operation->edge_count + 1];
    size_t count = 0;
    int64_t clock_ps = start_ps(machine, operation->rank), last_ps = 0;
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
        bool at_once =
            waited[i]->kind == 'c' || (waited[i]->kind == 's' && is_copied(machine, waited[i]));
        if (!at_once && waited[i]->done_ps > last_ps) last_ps = waited[i]->done_ps;
        if (waited[i]->kind == 'r' && !is_rma(waited[i]))
            clock_ps += cost_ps(machine, machine->receive, waited[i]->bytes, waited[i]->partner);
    }
    if (operation->by_nic) return clock_ps;
    int64_t acting = acting_ps(schedule, operation->rank, last_ps);
    return acting == UNKNOWN ? UNKNOWN : acting > clock_ps ? acting : clock_ps;
}

/* What a one-sided operation has no data for is a control message, which a NIC makes. */
static int64_t sending_ps(const struct goal_machine *machine, const struct operation *send) {
    if (send->by_nic) return 0;
    uint64_t bytes = is_rma(send) && send->bytes == machine->control_bytes ? 0 : send->bytes;
    return cost_ps(machine, machine->send, bytes, send);
}

/* True if something became known. */
static bool carry_out(struct schedule *schedule, const struct machine_rank *rank,
                      struct operation *operation) {
    bool new = false;
    if (operation->begun_ps == UNKNOWN) {
        int64_t now_ps = begin_ps(schedule, rank, operation);
        if (now_ps == UNKNOWN) return false;
        if (operation->kind == 'c') now_ps += operation->duration_ps;
        if (operation->kind == 's') now_ps += sending_ps(schedule->machine, operation);
        operation->begun_ps = now_ps;
        new = true;
    }
    if (operation->done_ps == UNKNOWN) {
        operation->done_ps = operation->kind == 'c'   ? operation->begun_ps
                             : operation->kind == 's' ? send_done_ps(schedule, operation)
                                                      : receive_done_ps(schedule, operation);
        new = new || operation->done_ps != UNKNOWN;
    }
    return new;
}

static void know_all(struct schedule *schedule) {
    for (bool again = true; again;) {
        again = false;
        schedule->asked_ps = INT64_MAX;
        for (uint32_t r = 0; r < schedule->rank_count; r++)
            for (size_t i = 0; i < schedule->ranks[r].count; i++)
                again |=
                    carry_out(schedule, &schedule->ranks[r], &schedule->ranks[r].operations[i]);
        if (again || schedule->asked_ps == INT64_MAX) continue;
        schedule->horizon_ps = schedule->asked_ps + 1;
        again = true;
    }
}

/* ---- the longest path: backwards from the end of a rank, to what each time was waited for ---- */

static void add_step(struct goal_path *path, goal_step_kind kind, uint32_t rank, int64_t from_ps,
                     int64_t to_ps) {
    path->steps = realloc(path->steps, (path->count + 1) * sizeof *path->steps);
    path->steps[path->count++] = (struct goal_step){kind, rank, from_ps, to_ps};
}

/* A time of an operation. */
struct moment {
    enum { BEGUN, GO, DONE } what;
    const struct operation *of; /* NULL: the start */
};

/* What the start of an operation was waited for: as begin_ps. */
static struct moment before_begin(const struct schedule *schedule,
                                  const struct operation *operation, int64_t now_ps,
                                  struct goal_path *path) {
    const struct goal_machine *machine = schedule->machine;
    const struct machine_rank *rank = &schedule->ranks[operation->rank];
    struct operation *waited[operation->edge_count + 1];
    struct moment cause = {BEGUN, NULL};
    size_t count = 0, first = 0;
    int64_t clock_ps = start_ps(machine, operation->rank);
    for (size_t i = 0; i < operation->edge_count; i++) {
        struct operation *required = &rank->operations[operation->edges[i].on];
        if (!operation->edges[i].only_begun) waited[count++] = required;
        if (cause.of != NULL && required->begun_ps <= clock_ps) continue;
        clock_ps = required->begun_ps;
        cause.of = required;
    }
    qsort(waited, count, sizeof *waited, compare_done);
    int64_t costs_ps[count + 1];
    for (size_t i = 0; i < count; i++) {
        if (waited[i]->done_ps > clock_ps) {
            clock_ps = waited[i]->done_ps;
            cause = (struct moment){DONE, waited[i]};
            first = i;
        }
        bool costs = waited[i]->kind == 'r' && !is_rma(waited[i]);
        costs_ps[i] =
            costs ? cost_ps(machine, machine->receive, waited[i]->bytes, waited[i]->partner) : 0;
        clock_ps += costs_ps[i];
    }
    for (size_t i = count; i-- > first; now_ps -= costs_ps[i])
        add_step(path, GOAL_RECEIVES, operation->rank, now_ps - costs_ps[i], now_ps);
    if (cause.of == NULL) add_step(path, GOAL_STARTS, operation->rank, 0, now_ps);
    return cause;
}

/* Until the sender of an announced message acts on the answer. */
static struct moment before_go(const struct schedule *schedule, const struct operation *send,
                               struct goal_path *path) {
    int64_t control_ps = flight_ps(schedule->machine, send, schedule->machine->control_bytes);
    int64_t announced_ps = send->begun_ps + control_ps, answered_from_ps = send->go_ps - control_ps;
    add_step(path, GOAL_CONTROL, send->rank, answered_from_ps, send->go_ps);
    if (answered_from_ps > announced_ps) return (struct moment){BEGUN, send->partner};
    add_step(path, GOAL_CONTROL, send->peer, send->begun_ps, announced_ps);
    return (struct moment){BEGUN, send};
}

static struct moment before_done(const struct schedule *schedule, const struct operation *operation,
                                 struct goal_path *path) {
    const struct goal_machine *machine = schedule->machine;
    bool receives = operation->kind == 'r';
    const struct operation *send = receives ? operation->partner : operation;
    if (operation->kind == 'c' || (!receives && is_copied(machine, send)))
        return (struct moment){BEGUN, operation};
    bool eager = is_eager(machine, send);
    int64_t leaves_ps = eager ? send->begun_ps : send->go_ps, until_ps = operation->done_ps;
    if (!receives && !eager && machine->fetches) {
        until_ps = leaves_ps + flight_ps(machine, send, send->bytes);
        add_step(path, GOAL_CONTROL, send->rank, until_ps, operation->done_ps);
        add_step(path, GOAL_MESSAGE, send->peer, leaves_ps, until_ps);
    } else {
        add_step(path, receives ? GOAL_MESSAGE : GOAL_LEAVES, operation->rank, leaves_ps, until_ps);
    }
    return (struct moment){eager ? BEGUN : GO, send};
}

static void find_path(const struct schedule *schedule, const struct operation *last,
                      struct goal_path *path) {
    struct moment moment = {DONE, last};
    *path = (struct goal_path){0};
    while (moment.of != NULL) {
        const struct operation *of = moment.of;
        if (moment.what == DONE) {
            moment = before_done(schedule, of, path);
        } else if (moment.what == GO) {
            moment = before_go(schedule, of, path);
        } else {
            int64_t cost_ps = of->kind == 'c'   ? of->duration_ps
                              : of->kind == 's' ? sending_ps(schedule->machine, of)
                                                : 0;
            int64_t from_ps = of->begun_ps - cost_ps;
            add_step(path, of->kind == 'c' ? GOAL_COMPUTES : GOAL_SENDS, of->rank, from_ps,
                     of->begun_ps);
            moment = before_begin(schedule, of, from_ps, path);
        }
    }
}

static bool run(struct schedule *schedule, int64_t *times_ps, struct goal_path *paths) {
    know_all(schedule);
    for (uint32_t r = 0; r < schedule->rank_count; r++) {
        const struct machine_rank *rank = &schedule->ranks[r];
        const struct operation *last = &rank->operations[rank->count - 1];
        for (size_t i = 0; i < rank->count; i++) {
            const struct operation *operation = &rank->operations[i];
            if (operation->done_ps == UNKNOWN) return false;
            if (!operation->by_nic && operation->done_ps > last->done_ps) last = operation;
        }
        times_ps[r] = last->done_ps;
        if (paths != NULL) find_path(schedule, last, &paths[r]);
    }
    return true;
}

bool goal_times(const char *text, const struct goal_machine *machine, const uint8_t *const *modes,
                int64_t *times_ps, struct goal_path *paths) {
    struct schedule schedule = {.machine = machine};
    bool good =
        read_text(&schedule, text) && match(&schedule, modes) && run(&schedule, times_ps, paths);
    for (uint32_t r = 0; schedule.ranks != NULL && r < schedule.rank_count; r++) {
        for (size_t i = 0; i < schedule.ranks[r].count; i++)
            free(schedule.ranks[r].operations[i].edges);
        free(schedule.ranks[r].operations);
    }
    free(schedule.ranks);
    return good;
}
