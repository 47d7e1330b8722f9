/* Runs the algorithm of a collective step by step for all members, and follows where each byte of
 * each member goes. */
#include "tests/support/replay/symbolic_collective.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MEMBERS_MAX SYMBOLIC_MEMBERS
#define BYTES_MAX   8192
#define STEPS_MAX   1024

typedef uint64_t members; /* a set */

struct message {
    uint32_t from, tag;
    struct collective_blocks blocks;
    uint64_t bytes, offset;
    members *content; /* of each byte; alltoall: destinations of the blocks of source i */
    bool taken;
    struct message *next; /* to the same receiver */
};

struct world {
    const struct collective_algorithm *algorithm;
    struct collective_choice choice;
    struct collective_call call[MEMBERS_MAX];
    uint32_t count; /* members of all groups */
    uint32_t block; /* bytes of a block, in the forms whose blocks are alike */
    uint32_t total; /* bytes of all data */
    members held[MEMBERS_MAX][BYTES_MAX];
    members result[MEMBERS_MAX]; /* scans */
    uint32_t next[MEMBERS_MAX];
    struct message *inbox[MEMBERS_MAX];
    uint32_t message_count;
    uint32_t crossing; /* messages between nodes */
    struct symbolic_nodes nodes;
    uint64_t message_bytes;
    uint64_t sums[2 * MEMBERS_MAX + 1];
    uint64_t sizes[2 * MEMBERS_MAX];
    struct collective_pairs pairs[2];
};

static members bit(uint32_t member) {
    return (members)1 << member;
}

static members range(uint32_t first, uint32_t count) {
    members set = 0;
    for (uint32_t i = 0; i < count; i++)
        set |= bit(first + i);
    return set;
}

static bool is_personal(const struct world *w) {
    uint32_t kind = w->call[0].kind;
    return kind == PROGRAM_COLLECTIVE_ALLTOALL || kind == PROGRAM_COLLECTIVE_ALLTOALLV ||
           kind == PROGRAM_COLLECTIVE_ALLTOALLW;
}

static bool is_bruck_alltoall(const struct world *w) {
    return w->algorithm->step == collective_bruck_alltoall_step;
}

static bool is_reduction(uint32_t kind) {
    return kind == PROGRAM_COLLECTIVE_REDUCE || kind == PROGRAM_COLLECTIVE_ALLREDUCE ||
           kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER ||
           kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK;
}

static bool is_scan(uint32_t kind) {
    return kind == PROGRAM_COLLECTIVE_SCAN || kind == PROGRAM_COLLECTIVE_EXSCAN;
}

static bool is_signal(uint32_t kind) {
    return kind == PROGRAM_COLLECTIVE_BARRIER || kind == PROGRAM_COLLECTIVE_CREATE_HANDLE ||
           kind == PROGRAM_COLLECTIVE_WINDOW;
}

/* Moves the blocks whose distance to their destination has the step's bit; held[me][source] is the
 * set of destinations. */
static void send_bruck(struct world *w, uint32_t me, const struct collective_step *step,
                       struct message *m) {
    uint32_t distance = (step->to + w->count - me) % w->count, blocks = 0;
    for (uint32_t source = 0; source < w->count; source++) {
        for (uint32_t to = 0; to < w->count; to++) {
            bool here = (w->held[me][source] & bit(to)) != 0;
            uint32_t whole = (to + w->count - source) % w->count;
            if (!here || (whole & distance) == 0) continue;
            w->held[me][source] &= ~bit(to);
            m->content[source] |= bit(to);
            blocks++;
        }
    }
    assert_int_equal(blocks, step->send.count);
}

static void post_send(struct world *w, uint32_t me, const struct collective_step *step) {
    assert_true(step->to < w->count && step->to != me);
    for (const struct message *m = w->inbox[step->to]; m != NULL; m = m->next)
        assert_false(m->from == me && m->tag == step->tag);
    uint64_t bytes = collective_bytes(&w->call[me], step, step->send, me, step->to);
    if (bytes == 0 && collective_skips_empty(step->layout)) return;
    struct message *m = calloc(1, sizeof *m);
    m->content = calloc(w->total + w->count + 1, sizeof *m->content);
    m->from = me;
    m->tag = step->tag;
    m->blocks = step->send;
    m->bytes = bytes;
    m->next = w->inbox[step->to];
    w->inbox[step->to] = m;
    w->message_count++;
    w->message_bytes += m->bytes;
    const struct collective_nodes *nodes = w->call[0].nodes;
    w->crossing += nodes != NULL && nodes->node_of_member[me] != nodes->node_of_member[step->to];
    if (step->is_by_nic)
        assert_true(nodes != NULL && nodes->node_of_member[me] != nodes->node_of_member[step->to]);
    if (is_bruck_alltoall(w)) {
        send_bruck(w, me, step, m);
    } else if (is_personal(w)) {
        assert_int_equal(step->send.first, step->to);
        assert_int_equal(step->send.count, 1);
        m->content[0] = bit(me);
    } else if (is_signal(w->call[me].kind)) {
        m->content[0] = w->held[me][0];
    } else {
        m->offset = collective_offset(&w->call[me], step, step->send);
        for (uint64_t i = 0; i < m->bytes; i++) {
            m->content[i] = w->held[me][(m->offset + i) % w->total];
            assert_true(m->content[i] != 0);
        }
    }
}

static struct message *find(struct world *w, uint32_t me, const struct collective_step *step) {
    for (struct message *m = w->inbox[me]; m != NULL; m = m->next)
        if (m->from == step->from && m->tag == step->tag + step->lead && !m->taken) return m;
    return NULL;
}

static bool is_skipped(const struct world *w, uint32_t me, const struct collective_step *step) {
    return collective_skips_empty(step->layout) &&
           collective_bytes(&w->call[me], step, step->receive, step->from, me) == 0;
}

static void take_data(struct world *w, uint32_t me, const struct collective_step *step,
                      const struct message *m) {
    uint32_t kind = w->call[me].kind;
    if (m->bytes > 0)
        assert_int_equal(m->offset, collective_offset(&w->call[me], step, step->receive));
    for (uint64_t i = 0; i < m->bytes; i++) {
        members *held = &w->held[me][(m->offset + i) % w->total];
        if (step->combine == 0) {
            /* Nothing is lost, and nobody but in the second half of a scatter-allgather gets what
             * it has. */
            bool between = w->call[me].remote_size > 0; /* results are the other group's */
            assert_true((*held & ~m->content[i]) == 0 || kind == PROGRAM_COLLECTIVE_EXSCAN ||
                        between);
            bool twice = is_reduction(kind) || kind == PROGRAM_COLLECTIVE_BCAST || is_scan(kind) ||
                         between || w->algorithm->step == collective_gather_bcast_allgather_step;
            assert_true(twice || *held == 0);
            *held = m->content[i] | (kind == PROGRAM_COLLECTIVE_EXSCAN ? *held : 0);
            continue;
        }
        assert_int_equal(*held & m->content[i], 0);
        *held |= m->content[i];
    }
}

static void take(struct world *w, uint32_t me, const struct collective_step *step) {
    if (is_skipped(w, me, step)) return;
    struct message *m = find(w, me, step);
    m->taken = true;
    assert_int_equal(m->bytes, collective_bytes(&w->call[me], step, step->receive, step->from, me));
    uint32_t kind = w->call[me].kind;
    if (is_signal(kind)) {
        w->held[me][0] |= m->content[0];
    } else if (is_bruck_alltoall(w)) {
        for (uint32_t source = 0; source < w->count; source++) {
            assert_int_equal(w->held[me][source] & m->content[source], 0);
            w->held[me][source] |= m->content[source];
        }
    } else if (is_personal(w)) {
        assert_int_equal(step->receive.first, me);
        assert_int_equal(w->held[me][0] & m->content[0], 0);
        w->held[me][0] |= m->content[0];
    } else {
        take_data(w, me, step, m);
    }
    if (is_scan(kind) && step->from < me) {
        bool doubling = w->algorithm->step == collective_doubling_scan_step;
        unsigned applied = kind == PROGRAM_COLLECTIVE_SCAN || w->result[me] != 0 ? 2 : 1;
        if (doubling) assert_int_equal(step->combine, applied);
        w->result[me] |= m->content[0];
    }
}

/* The steps of a member up to the next that waits; returns their number. */
static uint32_t group_of_steps(const struct world *w, uint32_t me, struct collective_step *steps) {
    uint32_t total = w->algorithm->steps(&w->call[me]), count = 0;
    while (w->next[me] + count < total) {
        assert_true(count < STEPS_MAX);
        collective_describe(w->algorithm, &w->call[me], w->next[me] + count, &steps[count]);
        assert_int_equal(steps[count].is_by_nic, steps[0].is_by_nic);
        if (steps[count++].completes_before_next) break;
    }
    return count;
}

static void follow(struct world *w) {
    static struct collective_step steps[STEPS_MAX];
    bool posted[MEMBERS_MAX] = {false}, progress = true;
    while (progress) {
        progress = false;
        for (uint32_t me = 0; me < w->count; me++) {
            uint32_t count = group_of_steps(w, me, steps);
            if (count == 0) continue;
            for (uint32_t i = 0; i < count && !posted[me]; i++)
                if (steps[i].to != COLLECTIVE_NOBODY) post_send(w, me, &steps[i]);
            progress = progress || !posted[me];
            posted[me] = true;
            bool ready = true;
            for (uint32_t i = 0; i < count; i++)
                ready = ready && (steps[i].from == COLLECTIVE_NOBODY ||
                                  is_skipped(w, me, &steps[i]) || find(w, me, &steps[i]));
            if (!ready) continue;
            for (uint32_t i = 0; i < count; i++)
                if (steps[i].from != COLLECTIVE_NOBODY) take(w, me, &steps[i]);
            w->next[me] += count;
            posted[me] = false;
            progress = true;
        }
    }
    for (uint32_t me = 0; me < w->count; me++) {
        assert_int_equal(w->next[me], w->algorithm->steps(&w->call[me]));
        while (w->inbox[me] != NULL) {
            struct message *m = w->inbox[me];
            assert_true(m->taken);
            w->inbox[me] = m->next;
            free(m->content);
            free(m);
        }
    }
}

/* The bytes of block b are [start, end). */
static uint64_t start_of(const struct world *w, uint32_t b) {
    uint32_t size = w->call[0].size, remote = w->call[0].remote_size;
    if (w->call[0].sums != NULL) return w->sums[b] - w->sums[0];
    bool alike = remote == 0 || w->call[0].kind != PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK;
    if (alike) return w->block * b;
    return b < size ? 2 * remote * b : 2 * remote * size + 2 * size * (b - size);
}

static bool is_blocked(const struct world *w) {
    switch (w->call[0].kind) {
    case PROGRAM_COLLECTIVE_GATHER:
    case PROGRAM_COLLECTIVE_GATHERV:
    case PROGRAM_COLLECTIVE_SCATTER:
    case PROGRAM_COLLECTIVE_SCATTERV:
    case PROGRAM_COLLECTIVE_ALLGATHER:
    case PROGRAM_COLLECTIVE_ALLGATHERV:
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return true;
    default:
        return false;
    }
}

static void begin(struct world *w) {
    w->total = is_blocked(w) ? (uint32_t)start_of(w, w->count)
                             : (uint32_t)collective_vector_bytes(&w->call[0]);
    for (uint32_t m = 0; m < w->count; m++) {
        const struct collective_call *call = &w->call[m];
        bool root = m == call->root;
        for (uint64_t i = 0; i < w->total; i++) {
            if (call->kind == PROGRAM_COLLECTIVE_BCAST ||
                call->kind == PROGRAM_COLLECTIVE_SCATTER ||
                call->kind == PROGRAM_COLLECTIVE_SCATTERV)
                w->held[m][i] = root ? bit(m) : 0;
            else if (is_reduction(call->kind) || is_scan(call->kind))
                w->held[m][i] = bit(m);
            else
                w->held[m][i] = 0;
        }
        bool gathers = is_blocked(w) && !is_reduction(call->kind) &&
                       call->kind != PROGRAM_COLLECTIVE_SCATTER &&
                       call->kind != PROGRAM_COLLECTIVE_SCATTERV;
        for (uint64_t i = start_of(w, m); gathers && i < start_of(w, m + 1); i++)
            w->held[m][i] = bit(m);
        if (is_signal(call->kind)) w->held[m][0] = bit(m);
        if (is_bruck_alltoall(w))
            w->held[m][m] = range(0, w->count) & ~bit(m);
        else if (is_personal(w))
            w->held[m][0] = 0;
        if (call->kind == PROGRAM_COLLECTIVE_SCAN) w->result[m] = bit(m);
    }
}

/* What a member's peers are: everyone, or the other group. */
static members peers_of(const struct world *w, uint32_t m) {
    const struct collective_call *call = &w->call[m];
    if (call->remote_size == 0) return range(0, call->size);
    return m < call->size ? range(call->size, call->remote_size) : range(0, call->size);
}

static void check_block(const struct world *w, uint32_t m, uint32_t block, members expected) {
    for (uint64_t i = start_of(w, block); i < start_of(w, block + 1); i++)
        assert_int_equal(w->held[m][i], expected);
}

static void check_vector(const struct world *w, uint32_t m, members expected) {
    for (uint64_t i = 0; i < w->total; i++)
        assert_int_equal(w->held[m][i], expected);
}

static void check_alltoall(const struct world *w, uint32_t m, members peers) {
    if (!is_bruck_alltoall(w)) {
        for (uint32_t i = 0; i < w->count; i++) {
            uint32_t from = i;
            struct collective_step step = {.layout = w->algorithm->layout};
            struct collective_blocks block = {m, 1};
            bool skipped = collective_skips_empty(step.layout) && from != m &&
                           (peers & bit(from)) != 0 &&
                           collective_bytes(&w->call[m], &step, block, from, m) == 0;
            if (skipped) peers &= ~bit(from);
        }
        assert_int_equal(w->held[m][0], peers & ~bit(m));
        return;
    }
    for (uint32_t source = 0; source < w->count; source++)
        assert_int_equal(w->held[m][source], source == m ? 0 : bit(m));
}

static void check_member(const struct world *w, uint32_t m, uint32_t root) {
    const struct collective_call *call = &w->call[m];
    members peers = peers_of(w, m);
    bool root_is_peer = (peers & bit(root)) != 0;
    switch (call->kind) {
    case PROGRAM_COLLECTIVE_BARRIER:
    case PROGRAM_COLLECTIVE_CREATE_HANDLE:
    case PROGRAM_COLLECTIVE_WINDOW:
        assert_int_equal(w->held[m][0] & peers, peers);
        break;
    case PROGRAM_COLLECTIVE_BCAST:
        if (root_is_peer) check_vector(w, m, bit(root));
        break;
    case PROGRAM_COLLECTIVE_GATHER:
    case PROGRAM_COLLECTIVE_GATHERV:
        for (uint32_t b = 0; b < w->count && m == root; b++)
            if (peers & bit(b)) check_block(w, m, b, bit(b));
        break;
    case PROGRAM_COLLECTIVE_SCATTER:
    case PROGRAM_COLLECTIVE_SCATTERV:
        if (root_is_peer) check_block(w, m, m, bit(root));
        break;
    case PROGRAM_COLLECTIVE_ALLGATHER:
    case PROGRAM_COLLECTIVE_ALLGATHERV:
        for (uint32_t b = 0; b < w->count; b++)
            if (peers & bit(b)) check_block(w, m, b, bit(b));
        break;
    case PROGRAM_COLLECTIVE_ALLTOALL:
    case PROGRAM_COLLECTIVE_ALLTOALLV:
    case PROGRAM_COLLECTIVE_ALLTOALLW:
        check_alltoall(w, m, peers);
        break;
    case PROGRAM_COLLECTIVE_REDUCE:
        if (m == root) check_vector(w, m, peers);
        break;
    case PROGRAM_COLLECTIVE_ALLREDUCE:
        check_vector(w, m, peers);
        break;
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        check_block(w, m, m, peers);
        break;
    case PROGRAM_COLLECTIVE_SCAN:
        assert_int_equal(w->result[m], range(0, m + 1));
        break;
    case PROGRAM_COLLECTIVE_EXSCAN:
        assert_int_equal(w->result[m], range(0, m));
        break;
    default:
        assert_int_equal(call->kind, PROGRAM_COLLECTIVE_DESTROY_HANDLE);
    }
}

bool symbolic_is_rooted(uint32_t kind) {
    return kind == PROGRAM_COLLECTIVE_BCAST || kind == PROGRAM_COLLECTIVE_GATHER ||
           kind == PROGRAM_COLLECTIVE_GATHERV || kind == PROGRAM_COLLECTIVE_SCATTER ||
           kind == PROGRAM_COLLECTIVE_SCATTERV || kind == PROGRAM_COLLECTIVE_REDUCE;
}

/* Sizes of blocks: 0 to 32 bytes in the v-forms, 8 in the others; vectors of 200 bytes, more than
 * members and not a multiple of them. */
static void new_world(struct world *w, uint32_t kind, const struct collective_algorithm *algorithm,
                      uint32_t size, uint32_t remote_size, uint32_t root,
                      const struct collective_choice *choice, uint32_t block) {
    memset(w, 0, offsetof(struct world, held));
    for (uint32_t m = 0; m < MEMBERS_MAX; m++)
        memset(w->held[m], 0, MEMBERS_MAX * sizeof *w->held[m]);
    memset(w->result, 0, sizeof *w - offsetof(struct world, result));
    w->algorithm = algorithm;
    w->choice = *choice;
    w->choice.segment_bytes = 37;
    w->choice.element_bytes = 8;
    w->count = size + remote_size;
    w->block = block;
    for (uint32_t i = 0; i < 2 * w->count; i++)
        w->sizes[i] = 2 * (i % w->count % 5);
    w->sums[0] = 77;
    for (uint32_t i = 0; i < 2 * w->count; i++)
        w->sums[i + 1] = w->sums[i] + w->sizes[i];
    if (algorithm->layout == COLLECTIVE_PAIRED) {
        const uint64_t *columns = w->sizes + w->count;
        uint32_t others = remote_size == 0 ? size : remote_size, skip = remote_size == 0 ? 0 : size;
        assert_int_equal(
            collective_pairs_init(&w->pairs[0], w->sizes, size, columns + skip, others, NULL), 0);
        if (remote_size > 0)
            assert_int_equal(collective_pairs_init(&w->pairs[1], w->sizes + size, remote_size,
                                                   columns, size, NULL),
                             0);
    }
    bool sized = program_collective_is_sized((program_collective_kind)kind);
    for (uint32_t m = 0; m < w->count; m++) {
        bool knows_root = remote_size == 0 || m == root || (m < size) != (root < size);
        bool vector = kind == PROGRAM_COLLECTIVE_BCAST || kind == PROGRAM_COLLECTIVE_REDUCE ||
                      kind == PROGRAM_COLLECTIVE_ALLREDUCE || is_scan(kind);
        uint32_t bytes = vector ? 200 : block;
        if (kind == PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK && remote_size > 0)
            bytes = 2 * (m < size ? remote_size : size); /* both groups' have one sum */
        w->call[m] = (struct collective_call){
            .kind = kind,
            .size = size,
            .remote_size = remote_size,
            .own_member = m,
            .root = symbolic_is_rooted(kind) && knows_root ? root : COLLECTIVE_NOBODY,
            .send_bytes = bytes,
            .receive_bytes = bytes,
            .sums = sized ? w->sums : NULL,
            .pairs = w->pairs,
            .choice = &w->choice};
    }
    begin(w);
}

static struct world followed;

static struct symbolic_cost run(struct world *w, uint32_t root) {
    follow(w);
    for (uint32_t m = 0; m < w->count; m++)
        check_member(w, m, root);
    collective_pairs_clear(&w->pairs[0]);
    collective_pairs_clear(&w->pairs[1]);
    return (struct symbolic_cost){w->message_count, w->message_bytes};
}

struct symbolic_cost symbolic_run(uint32_t kind, const struct collective_algorithm *algorithm,
                                  uint32_t size, uint32_t remote_size, uint32_t root,
                                  const struct collective_choice *choice, uint32_t block_bytes) {
    new_world(&followed, kind, algorithm, size, remote_size, root, choice, block_bytes);
    return run(&followed, root);
}

void symbolic_nodes_of(struct symbolic_nodes *made, uint32_t size, const uint32_t *node_of) {
    uint32_t count = 0, sorted = 0;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t lower = 0;
        while (node_of[lower] != node_of[i])
            lower++;
        made->node_of_member[i] = lower == i ? count++ : made->node_of_member[lower];
    }
    for (uint32_t node = 0; node < count; node++) {
        made->first[node] = sorted;
        for (uint32_t i = 0; i < size; i++) {
            if (made->node_of_member[i] != node) continue;
            made->place_in_node[i] = sorted - made->first[node];
            made->members[sorted++] = i;
        }
    }
    made->first[count] = sorted;
    made->nodes = (struct collective_nodes){count, made->node_of_member, made->place_in_node,
                                            made->first, made->members};
}

struct symbolic_cost symbolic_run_on_nodes(uint32_t kind,
                                           const struct collective_algorithm *algorithm,
                                           uint32_t size, uint32_t root,
                                           const struct collective_choice *choice,
                                           const uint32_t *node_of, uint32_t *crossing) {
    struct world *w = &followed;
    new_world(w, kind, algorithm, size, 0, root, choice, 8);
    symbolic_nodes_of(&w->nodes, size, node_of);
    for (uint32_t m = 0; m < size; m++) {
        w->call[m].nodes = &w->nodes.nodes;
        w->call[m].seed = 7;
    }
    struct symbolic_cost cost = run(w, root);
    *crossing = w->crossing;
    return cost;
}
