/*
 * Random MPI programs, written event by event as a tracer would, by the OTF2 library and not by
 * ours: messages and collectives, blocking and not, on random communicators, from several threads
 * of a rank at once, with requests that are completed in any order, by any thread, or never. What
 * is read back holds what was written, whatever reads it, and replays to the end.
 *
 * They never deadlock: both sides of a message, and all calls of a collective, come before anything
 * that waits for them.
 */
#include "core/simulation/random.h"
#include "tests/support/replay/replay_world.h"
#include "tests/support/traces/archive_maker.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum {
    RANKS = 8,
    THREADS = 3,
    COMMUNICATORS = 6,
    FIRST_COMMUNICATOR = 10,
    STEPS = 60,
    IN_FLIGHT = 2 * STEPS
};

struct member_list {
    uint32_t size;
    uint64_t rank[RANKS];
};

struct pending {
    uint64_t id;
    enum { PENDING_SEND, PENDING_RECEIVE, PENDING_COLLECTIVE } kind;
    uint32_t communicator, peer, tag;
    OTF2_CollectiveOp operation;
    uint64_t bytes, received;
};

/* A program being made. */
struct author {
    struct archive_maker *maker;
    uint64_t seed, draws, now;
    uint32_t ranks, threads, communicators;
    uint64_t next_request[RANKS];
    struct pending pending[RANKS][IN_FLIGHT];
    uint32_t pending_count[RANKS];
    uint64_t messages, bytes, collectives;
};

static struct member_list lists[COMMUNICATORS]; /* for define, which has no context */
static uint32_t list_count;

static uint32_t below(struct author *a, uint32_t bound) {
    return random_below(random_draw(a->seed, RANDOM_PATTERN, 7, a->draws++).word[0], bound);
}

/* ---- communicators ---- */

/* The world first; then some of its ranks in any order. */
static void choose_communicators(struct author *a) {
    list_count = a->communicators;
    for (uint32_t c = 0; c < list_count; c++) {
        struct member_list *list = &lists[c];
        for (uint32_t r = 0; r < a->ranks; r++)
            list->rank[r] = r;
        list->size = c == 0 ? a->ranks : 1 + below(a, a->ranks);
        for (uint32_t i = 0; c > 0 && i < list->size; i++) {
            uint32_t other = i + below(a, a->ranks - i);
            uint64_t moved = list->rank[i];
            list->rank[i] = list->rank[other];
            list->rank[other] = moved;
        }
    }
}

/* In an order of ids that is not theirs, and each before its group. */
static void define(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    for (uint32_t c = list_count; c-- > 0;) {
        OTF2_GlobalDefWriter_WriteComm(definitions, FIRST_COMMUNICATOR + c, 0, 20 + c,
                                       OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
        OTF2_GlobalDefWriter_WriteGroup(definitions, 20 + c, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, lists[c].size,
                                        lists[c].rank);
    }
    OTF2_GlobalDefWriter_WriteGroup(definitions, 5, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, lists[0].rank);
}

/* ---- calls ---- */

struct caller {
    uint32_t rank;
    OTF2_EvtWriter *events;
};

static struct caller someone_of(struct author *a, uint32_t rank) {
    return (struct caller){rank, maker_events(a->maker, rank, below(a, a->threads))};
}

/* A coarse clock does not move at all: what orders a location's records is where they stand. */
static uint64_t tick(struct author *a) {
    if (a->threads == 1 && a->seed % 3 == 0) return a->now;
    return a->now += below(a, 3) == 0 ? below(a, 5000) : 1;
}

/* A call without a record, or a function of the program's own. */
static void pass(struct author *a, struct caller who, const char *region) {
    maker_enter(a->maker, who.events, tick(a), region);
    maker_leave(a->maker, who.events, tick(a), region);
}

static void enter(struct author *a, struct caller who, const char *call) {
    if (below(a, 8) == 0) pass(a, who, below(a, 2) == 0 ? "MPI_Comm_rank" : "solve");
    maker_enter(a->maker, who.events, tick(a), call);
}

static void leave(struct author *a, struct caller who, const char *call) {
    maker_leave(a->maker, who.events, tick(a), call);
}

static struct pending *new_request(struct author *a, uint32_t rank) {
    struct pending *new = &a->pending[rank][a->pending_count[rank]++];
    *new = (struct pending){.id = ++a->next_request[rank]};
    return new;
}

static void send(struct author *a, struct caller who, uint32_t communicator, uint32_t to,
                 uint32_t tag, uint64_t bytes) {
    uint32_t id = FIRST_COMMUNICATOR + communicator;
    a->messages++;
    a->bytes += bytes;
    if (below(a, 2) == 0) {
        static const char *const calls[] = {"MPI_Send", "MPI_Ssend", "MPI_Bsend"};
        const char *call = calls[below(a, 3)];
        enter(a, who, call);
        OTF2_EvtWriter_MpiSend(who.events, NULL, tick(a), to, id, tag, bytes);
        leave(a, who, call);
        return;
    }
    struct pending *request = new_request(a, who.rank);
    request->kind = PENDING_SEND;
    enter(a, who, "MPI_Isend");
    OTF2_EvtWriter_MpiIsend(who.events, NULL, tick(a), to, id, tag, bytes, request->id);
    leave(a, who, "MPI_Isend");
}

static void begin_receive(struct author *a, struct caller who, uint32_t communicator, uint32_t from,
                          uint32_t tag, uint64_t bytes) {
    struct pending *request = new_request(a, who.rank);
    *request = (struct pending){.id = request->id,
                                .kind = PENDING_RECEIVE,
                                .communicator = FIRST_COMMUNICATOR + communicator,
                                .peer = from,
                                .tag = tag,
                                .bytes = bytes};
    enter(a, who, "MPI_Irecv");
    OTF2_EvtWriter_MpiIrecvRequest(who.events, NULL, tick(a), request->id);
    leave(a, who, "MPI_Irecv");
}

static void receive(struct author *a, struct caller who, uint32_t communicator, uint32_t from,
                    uint32_t tag, uint64_t bytes) {
    OTF2_EvtWriter_MpiRecv(who.events, NULL, tick(a), from, FIRST_COMMUNICATOR + communicator, tag,
                           bytes);
    leave(a, who, "MPI_Recv");
}

/* While one thread of a rank is in MPI_Recv, another one sends to whom the first waits for. */
static void remind(struct author *a, struct caller other, struct caller sender) {
    pass(a, other, "MPI_Iprobe");
    send(a, other, 0, sender.rank, INT32_MAX, 16);
    enter(a, sender, "MPI_Recv");
    receive(a, sender, 0, other.rank, INT32_MAX, 16);
}

/* Both sides. */
static void message(struct author *a) {
    uint32_t c = below(a, a->communicators);
    uint32_t from = below(a, lists[c].size), to = below(a, lists[c].size);
    uint32_t tag = below(a, 3);
    uint64_t bytes = below(a, 4) == 0 ? 0 : below(a, 1u << below(a, 24));
    struct caller sender = someone_of(a, (uint32_t)lists[c].rank[from]);
    struct caller receiver = someone_of(a, (uint32_t)lists[c].rank[to]);
    if (sender.rank == receiver.rank || below(a, 2) == 0) { /* posted before a send can block */
        begin_receive(a, receiver, c, from, tag, bytes);
        send(a, sender, c, to, tag, bytes);
        return;
    }
    bool is_late = below(a, 4) == 0;
    if (!is_late) send(a, sender, c, to, tag, bytes);
    enter(a, receiver, "MPI_Recv");
    if (is_late) {
        struct caller other = {receiver.rank,
                               maker_events(a->maker, receiver.rank, a->threads - 1)};
        if (other.events != receiver.events) remind(a, other, sender);
        send(a, sender, c, to, tag, bytes);
    }
    receive(a, receiver, c, from, tag, bytes);
}

static void collective(struct author *a) {
    static const struct {
        OTF2_CollectiveOp operation;
        const char *calls[2];
    } kinds[] = {
        {OTF2_COLLECTIVE_OP_BARRIER, {"MPI_Barrier", "MPI_Ibarrier"}},
        {OTF2_COLLECTIVE_OP_BCAST, {"MPI_Bcast", "MPI_Ibcast"}},
        {OTF2_COLLECTIVE_OP_ALLREDUCE, {"MPI_Allreduce", "MPI_Iallreduce"}},
        {OTF2_COLLECTIVE_OP_ALLTOALL, {"MPI_Alltoall", "MPI_Ialltoall"}},
    };
    uint32_t c = below(a, a->communicators), kind = below(a, 4), size = lists[c].size;
    bool blocking = below(a, 2) == 0, rooted = kind == 1;
    uint32_t root = rooted ? below(a, size) : OTF2_UNDEFINED_UINT32;
    uint64_t bytes = kind == 0 ? 0 : below(a, 100000);
    const char *call = kinds[kind].calls[!blocking];
    for (uint32_t i = 0; i < size; i++) {
        struct caller who = someone_of(a, (uint32_t)lists[c].rank[i]);
        uint64_t sent = !rooted ? size * bytes : i == root ? size * bytes : 0;
        uint64_t received = rooted ? bytes : size * bytes;
        a->collectives++;
        enter(a, who, call);
        if (blocking) {
            OTF2_EvtWriter_MpiCollectiveBegin(who.events, NULL, tick(a));
            OTF2_EvtWriter_MpiCollectiveEnd(who.events, NULL, tick(a), kinds[kind].operation,
                                            FIRST_COMMUNICATOR + c, root, sent, received);
        } else {
            struct pending *request = new_request(a, who.rank);
            *request = (struct pending){.id = request->id,
                                        .kind = PENDING_COLLECTIVE,
                                        .communicator = FIRST_COMMUNICATOR + c,
                                        .peer = root,
                                        .operation = kinds[kind].operation,
                                        .bytes = sent,
                                        .received = received};
            OTF2_EvtWriter_NonBlockingCollectiveRequest(who.events, NULL, tick(a), request->id);
        }
        leave(a, who, call);
    }
}

static void complete(struct author *a, struct caller who, const struct pending *request) {
    if (request->kind == PENDING_SEND)
        OTF2_EvtWriter_MpiIsendComplete(who.events, NULL, tick(a), request->id);
    else if (request->kind == PENDING_RECEIVE)
        OTF2_EvtWriter_MpiIrecv(who.events, NULL, tick(a), request->peer, request->communicator,
                                request->tag, request->bytes, request->id);
    else
        OTF2_EvtWriter_NonBlockingCollectiveComplete(
            who.events, NULL, tick(a), request->operation, request->communicator, request->peer,
            request->bytes, request->received, request->id);
}

/* Some of a rank's requests, or all, in any order; sends may be freed instead. */
static void wait_for(struct author *a, uint32_t rank, bool all) {
    struct caller who = someone_of(a, rank);
    static const char *const calls[] = {"MPI_Waitall", "MPI_Testsome", "MPI_Waitsome"};
    const char *call = calls[below(a, 3)];
    for (uint32_t polls = below(a, 3); polls > 0; polls--)
        pass(a, who, "MPI_Testsome");
    struct pending *pending = a->pending[rank];
    uint32_t count = a->pending_count[rank];
    enter(a, who, call);
    while (count > 0 && (all || below(a, 3) != 0)) {
        uint32_t chosen = below(a, count);
        bool freed = pending[chosen].kind == PENDING_SEND && below(a, 10) == 0;
        if (!freed) complete(a, who, &pending[chosen]);
        pending[chosen] = pending[--count];
    }
    leave(a, who, call);
    a->pending_count[rank] = count;
}

static void write_program(struct author *a) {
    choose_communicators(a);
    maker_define(a->maker, define);
    for (uint32_t step = 0; step < STEPS; step++) {
        switch (below(a, 8)) {
        case 0:
            collective(a);
            break;
        case 1:
        case 2:
            wait_for(a, below(a, a->ranks), false);
            break;
        default:
            message(a);
        }
    }
    for (uint32_t rank = 0; rank < a->ranks; rank++)
        wait_for(a, rank, true);
    for (uint32_t rank = 0; rank < a->ranks; rank++)
        pass(a, (struct caller){rank, maker_events(a->maker, rank, 0)}, "MPI_Finalize");
}

/* ---- what is read ---- */

static struct program *import(const char *anchor, unsigned threads) {
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    struct traces_config config = {.polling_gap_ps = 1000000};
    if (traces_open(&program, anchor, &config, threads, NULL, NULL, &status) != STATUS_OK ||
        program_check(program, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    return program;
}

static void check_totals(const struct author *a, const struct program *program) {
    struct program_totals totals;
    program_totals_compute(program, &totals);
    uint64_t collectives = 0;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++)
        collectives += totals.collectives[kind][0] + totals.collectives[kind][1];
    assert_int_equal(program->rank_count, a->ranks);
    assert_int_equal(totals.messages, a->messages);
    assert_int_equal(totals.message_bytes, a->bytes);
    assert_int_equal(collectives, a->collectives);
    assert_int_equal(program->unmatched_sends, 0);
    assert_int_equal(program->unmatched_receives, 0);
    for (uint32_t i = 0; i < program->note_count; i++)
        if (!program->notes[i].is_assumed)
            fail_msg("seed %u: %s", (unsigned)a->seed,
                     program_text(program, program->notes[i].what));
}

static void random_archives_are_read_and_replayed(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct author a = {.seed = seed, .now = 1000};
        a.ranks = 1 + below(&a, RANKS);
        a.threads = 1 + below(&a, THREADS);
        a.communicators = 1 + below(&a, COMMUNICATORS);
        a.maker = maker_new(a.ranks, a.threads, 1000000000 + below(&a, 1000000000), 500, true);
        write_program(&a);
        const char *anchor = maker_finish(a.maker);
        struct program *one = import(anchor, 1), *two = import(anchor, 2);
        assert_int_equal(one->content_hash, two->content_hash);
        check_totals(&a, one);
        struct world w;
        world_new(&w, a.ranks);
        w.program = one;
        w.config.eager_threshold_bytes = below(&a, 2) * 4096;
        const struct replay_result *result = world_finish(&w);
        assert_int_equal(result->eager_messages + result->rendezvous_messages, a.messages);
        world_free(&w);
        program_free(two);
        maker_free(a.maker);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_archives_are_read_and_replayed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
