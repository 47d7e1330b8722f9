/*
 * Every collective algorithm, followed with symbolic blocks and without a simulator: everyone ends
 * with the right data, both sides of every message agree, and no message is left over.
 *
 * A block is the set of members whose contribution it holds. Combining must never count one twice.
 */
#include "core/random.h"
#include "replay/collectives.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MOST 33

typedef uint64_t members; /* a set */

typedef struct message {
    uint32_t from, to, tag;
    collective_blocks blocks;
    uint64_t bytes;
    members content[MOST];
    bool taken;
} message;

typedef struct world {
    const collective_algorithm *algorithm;
    collective_call call[MOST];
    uint32_t count; /* members of all groups */
    members held[MOST][MOST];
    members result[MOST]; /* scans */
    uint32_t next[MOST];
    message messages[2 * MOST * MOST];
    uint32_t message_count;
    uint64_t sizes[2 * MOST];
    collective_pairs pairs[2];
} world;

static members bit(uint32_t member) {
    return (members)1 << member;
}

static members range(uint32_t first, uint32_t count) {
    members set = 0;
    for (uint32_t i = 0; i < count; i++)
        set |= bit(first + i);
    return set;
}

static bool is_personal(const world *w) {
    uint32_t kind = w->call[0].kind;
    return kind == PROGRAM_ALLTOALL || kind == PROGRAM_ALLTOALLV || kind == PROGRAM_ALLTOALLW;
}

static bool is_reduction(uint32_t kind) {
    return kind == PROGRAM_REDUCE || kind == PROGRAM_ALLREDUCE || kind == PROGRAM_REDUCE_SCATTER ||
           kind == PROGRAM_REDUCE_SCATTER_BLOCK;
}

static bool is_scan(uint32_t kind) {
    return kind == PROGRAM_SCAN || kind == PROGRAM_EXSCAN;
}

static void post_send(world *w, uint32_t me, const collective_step *step) {
    assert_true(step->to < w->count && step->to != me);
    for (uint32_t i = 0; i < w->message_count; i++) {
        const message *m = &w->messages[i];
        assert_false(m->from == me && m->to == step->to && m->tag == step->tag);
    }
    message *m = &w->messages[w->message_count++];
    assert_true(w->message_count < 2 * MOST * MOST);
    *m = (message){.from = me, .to = step->to, .tag = step->tag, .blocks = step->send};
    m->bytes = collective_bytes(&w->call[me], w->algorithm->layout, step->send, me, step->to);
    if (is_personal(w)) {
        assert_int_equal(step->send.first, step->to);
        assert_int_equal(step->send.count, 1);
        m->content[0] = bit(me);
        return;
    }
    for (uint32_t i = 0; i < step->send.count; i++) {
        m->content[i] = w->held[me][(step->send.first + i) % w->count];
        assert_true(m->content[i] != 0 || w->call[me].kind == PROGRAM_BARRIER);
    }
    if (w->algorithm->layout == COLLECTIVE_EMPTY) m->content[0] = w->held[me][0];
}

static message *find(world *w, uint32_t me, const collective_step *step) {
    for (uint32_t i = 0; i < w->message_count; i++) {
        message *m = &w->messages[i];
        if (m->from == step->from && m->to == me && m->tag == step->tag && !m->taken) return m;
    }
    return NULL;
}

static void take(world *w, uint32_t me, const collective_step *step) {
    message *m = find(w, me, step);
    m->taken = true;
    assert_int_equal(m->bytes, collective_bytes(&w->call[me], w->algorithm->layout, step->receive,
                                                step->from, me));
    uint32_t kind = w->call[me].kind;
    if (w->algorithm->layout == COLLECTIVE_EMPTY) {
        w->held[me][0] |= m->content[0];
        return;
    }
    if (is_personal(w)) {
        assert_int_equal(step->receive.first, me);
        assert_int_equal(w->held[me][0] & m->content[0], 0);
        w->held[me][0] |= m->content[0];
        return;
    }
    assert_int_equal(m->blocks.first, step->receive.first);
    assert_int_equal(m->blocks.count, step->receive.count);
    for (uint32_t i = 0; i < m->blocks.count; i++) {
        members *held = &w->held[me][(m->blocks.first + i) % w->count];
        if (step->combine == 0) {
            /* Nobody gets what it has, but in the second half of a scatter-allgather. */
            bool twice = is_reduction(kind) || w->algorithm->layout == COLLECTIVE_SLICES;
            assert_true(twice || *held == 0);
            *held = m->content[i];
            continue;
        }
        assert_int_equal(*held & m->content[i], 0);
        *held |= m->content[i];
    }
    if (is_scan(kind) && step->from < me) {
        unsigned applied = kind == PROGRAM_SCAN || w->result[me] != 0 ? 2 : 1;
        assert_int_equal(step->combine, applied);
        w->result[me] |= m->content[0];
    }
}

/* The steps of a member up to the next that waits; returns their number. */
static uint32_t group_of_steps(const world *w, uint32_t me, collective_step *steps) {
    uint32_t total = w->algorithm->steps(&w->call[me]), count = 0;
    while (w->next[me] + count < total) {
        collective_describe(w->algorithm, &w->call[me], w->next[me] + count, &steps[count]);
        if (steps[count++].wait) break;
    }
    return count;
}

static void follow(world *w) {
    bool posted[MOST] = {false}, progress = true;
    while (progress) {
        progress = false;
        for (uint32_t me = 0; me < w->count; me++) {
            collective_step steps[2 * MOST];
            uint32_t count = group_of_steps(w, me, steps);
            if (count == 0) continue;
            for (uint32_t i = 0; i < count && !posted[me]; i++)
                if (steps[i].to != COLLECTIVE_NOBODY) post_send(w, me, &steps[i]);
            posted[me] = true;
            bool ready = true;
            for (uint32_t i = 0; i < count; i++)
                ready = ready && (steps[i].from == COLLECTIVE_NOBODY || find(w, me, &steps[i]));
            if (!ready) continue;
            for (uint32_t i = 0; i < count; i++)
                if (steps[i].from != COLLECTIVE_NOBODY) take(w, me, &steps[i]);
            w->next[me] += count;
            posted[me] = false;
            progress = true;
        }
    }
    for (uint32_t me = 0; me < w->count; me++)
        assert_int_equal(w->next[me], w->algorithm->steps(&w->call[me]));
    for (uint32_t i = 0; i < w->message_count; i++)
        assert_true(w->messages[i].taken);
}

static void begin(world *w) {
    for (uint32_t m = 0; m < w->count; m++) {
        const collective_call *call = &w->call[m];
        for (uint32_t b = 0; b < w->count; b++) {
            bool root = m == call->root;
            if (call->kind == PROGRAM_BCAST || call->kind == PROGRAM_SCATTER ||
                call->kind == PROGRAM_SCATTERV)
                w->held[m][b] = root ? bit(m) : 0;
            else if (is_reduction(call->kind) || is_scan(call->kind))
                w->held[m][b] = bit(m);
            else if (is_personal(w))
                w->held[m][b] = 0;
            else
                w->held[m][b] = b == m ? bit(m) : 0;
        }
        if (call->kind == PROGRAM_BARRIER || call->kind == PROGRAM_CREATE_HANDLE)
            w->held[m][0] = bit(m);
        if (call->kind == PROGRAM_SCAN) w->result[m] = bit(m);
    }
}

/* What a member's peers are: everyone, or the other group. */
static members peers_of(const world *w, uint32_t m) {
    const collective_call *call = &w->call[m];
    if (call->remote_size == 0) return range(0, call->size);
    return m < call->size ? range(call->size, call->remote_size) : range(0, call->size);
}

static void check_member(const world *w, uint32_t m, uint32_t root) {
    const collective_call *call = &w->call[m];
    members peers = peers_of(w, m), *held = (members *)w->held[m];
    bool root_is_peer = (peers & bit(root)) != 0;
    uint32_t vector_blocks = w->algorithm->layout == COLLECTIVE_SLICES ? w->count : 1;
    switch (call->kind) {
    case PROGRAM_BARRIER:
    case PROGRAM_CREATE_HANDLE:
        assert_int_equal(held[0] & peers, peers);
        break;
    case PROGRAM_BCAST:
        for (uint32_t b = 0; b < vector_blocks && root_is_peer; b++)
            assert_int_equal(held[b], bit(root));
        break;
    case PROGRAM_GATHER:
    case PROGRAM_GATHERV:
        for (uint32_t b = 0; b < w->count && m == root; b++)
            if (peers & bit(b)) assert_int_equal(held[b], bit(b));
        break;
    case PROGRAM_SCATTER:
    case PROGRAM_SCATTERV:
        if (root_is_peer) assert_int_equal(held[m], bit(root));
        break;
    case PROGRAM_ALLGATHER:
    case PROGRAM_ALLGATHERV:
        for (uint32_t b = 0; b < w->count; b++)
            if (peers & bit(b)) assert_int_equal(held[b], bit(b));
        break;
    case PROGRAM_ALLTOALL:
    case PROGRAM_ALLTOALLV:
    case PROGRAM_ALLTOALLW:
        assert_int_equal(held[0], peers & ~bit(m));
        break;
    case PROGRAM_REDUCE:
        if (m == root) assert_int_equal(held[0], peers);
        break;
    case PROGRAM_ALLREDUCE:
        for (uint32_t b = 0; b < vector_blocks; b++)
            assert_int_equal(held[b], peers);
        break;
    case PROGRAM_REDUCE_SCATTER:
    case PROGRAM_REDUCE_SCATTER_BLOCK:
        assert_int_equal(held[m], peers);
        break;
    case PROGRAM_SCAN:
        assert_int_equal(w->result[m], range(0, m + 1));
        break;
    case PROGRAM_EXSCAN:
        assert_int_equal(w->result[m], range(0, m));
        break;
    default:
        assert_int_equal(call->kind, PROGRAM_DESTROY_HANDLE);
    }
}

static bool is_rooted(uint32_t kind) {
    return kind == PROGRAM_BCAST || kind == PROGRAM_GATHER || kind == PROGRAM_GATHERV ||
           kind == PROGRAM_SCATTER || kind == PROGRAM_SCATTERV || kind == PROGRAM_REDUCE;
}

static void run(uint32_t kind, const collective_algorithm *algorithm, uint32_t size,
                uint32_t remote_size, uint32_t root) {
    static world w;
    memset(&w, 0, sizeof w);
    w.algorithm = algorithm;
    w.count = size + remote_size;
    for (uint32_t i = 0; i < 2 * w.count; i++)
        w.sizes[i] = 8 * (i % w.count % 5);
    if (algorithm->layout == COLLECTIVE_PAIRED) {
        const uint64_t *columns = w.sizes + w.count;
        uint32_t others = remote_size == 0 ? size : remote_size, skip = remote_size == 0 ? 0 : size;
        assert_int_equal(
            collective_pairs_init(&w.pairs[0], w.sizes, size, columns + skip, others, NULL), 0);
        if (remote_size > 0)
            assert_int_equal(collective_pairs_init(&w.pairs[1], w.sizes + size, remote_size,
                                                   columns, size, NULL),
                             0);
    }
    for (uint32_t m = 0; m < w.count; m++) {
        bool knows_root = remote_size == 0 || m == root || (m < size) != (root < size);
        w.call[m] =
            (collective_call){.kind = kind,
                              .size = size,
                              .remote_size = remote_size,
                              .me = m,
                              .root = is_rooted(kind) && knows_root ? root : COLLECTIVE_NOBODY,
                              .send_bytes = 1000,
                              .receive_bytes = 1000,
                              .sizes = w.sizes,
                              .pairs = w.pairs};
    }
    begin(&w);
    follow(&w);
    for (uint32_t m = 0; m < w.count; m++)
        check_member(&w, m, root);
    collective_pairs_clear(&w.pairs[0]);
    collective_pairs_clear(&w.pairs[1]);
}

static void every_algorithm_gives_everyone_the_right_data(void **state) {
    (void)state;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        uint32_t count;
        const collective_algorithm *algorithms = collective_algorithms(kind, &count);
        assert_true(count > 0);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t size = 1; size <= MOST; size++)
                for (uint32_t root = 0; root < (is_rooted(kind) ? size : 1); root++)
                    run(kind, &algorithms[i], size, 0, root);
    }
}

static void intercommunicators_too(void **state) {
    (void)state;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        const collective_algorithm *algorithm = collective_intercommunicator_algorithm(kind);
        if (algorithm == NULL) {
            assert_true(is_scan(kind));
            continue;
        }
        for (uint32_t size = 1; size <= 7; size++)
            for (uint32_t remote = 1; remote <= 7; remote++)
                for (uint32_t root = 0; root < (is_rooted(kind) ? size + remote : 1); root++)
                    run(kind, algorithm, size, remote, root);
    }
}

/* Slices of any vector add up to it; a sum over blocks goes round the end. */
static void slices_add_up(void **state) {
    (void)state;
    for (uint64_t bytes = 0; bytes < 40; bytes++) {
        for (uint32_t size = 1; size <= MOST; size++) {
            collective_call call = {.kind = PROGRAM_ALLREDUCE,
                                    .size = size,
                                    .send_bytes = bytes,
                                    .receive_bytes = bytes};
            uint64_t sum = 0;
            for (uint32_t i = 0; i < size; i++)
                sum += collective_bytes(&call, COLLECTIVE_SLICES, (collective_blocks){i, 1}, 0, 1);
            assert_int_equal(sum, bytes);
            collective_blocks all = {size - 1, size};
            assert_int_equal(collective_bytes(&call, COLLECTIVE_SLICES, all, 0, 1), bytes);
        }
    }
}

static void check_pairs(const uint64_t *rows, uint32_t row_count, const uint64_t *columns,
                        uint32_t column_count, bool exact) {
    collective_pairs pairs;
    uint64_t column_sums[MOST] = {0};
    assert_int_equal(collective_pairs_init(&pairs, rows, row_count, columns, column_count, NULL),
                     STATUS_OK);
    for (uint32_t i = 0; i < row_count; i++) {
        uint64_t row_sum = 0;
        for (uint32_t j = 0; j < column_count; j++) {
            uint64_t bytes = collective_pairs_bytes(&pairs, i, j);
            assert_true(bytes <= rows[i] && bytes <= columns[j]);
            row_sum += bytes;
            column_sums[j] += bytes;
        }
        if (exact) assert_int_equal(row_sum, rows[i]);
        assert_true(row_sum <= rows[i]);
    }
    for (uint32_t j = 0; j < column_count; j++) {
        if (exact) assert_int_equal(column_sums[j], columns[j]);
        assert_true(column_sums[j] <= columns[j]);
    }
    collective_pairs_clear(&pairs);
}

static void message_sizes_keep_both_sums(void **state) {
    (void)state;
    static const uint64_t scales[] = {1, 3, 1000, UINT64_C(1) << 40};
    for (uint32_t round = 0; round < 2000; round++) {
        uint64_t rows[MOST], columns[MOST] = {0};
        random_block draw = random_draw(7, RANDOM_PATTERN, round, 0);
        uint32_t row_count = 1 + random_below(draw.word[0], MOST);
        uint32_t column_count = 1 + random_below(draw.word[1], MOST);
        uint64_t scale = scales[round % 4];
        uint64_t total = 0;
        for (uint32_t i = 0; i < row_count; i++) {
            draw = random_draw(7, RANDOM_PATTERN, round, i + 1);
            rows[i] = random_below(draw.word[0], 10) * scale + draw.word[1] % (scale > 9 ? 9 : 1);
            total += rows[i];
        }
        for (uint32_t j = 0; total > 0; j = (j + 1) % column_count) {
            draw = random_draw(8, RANDOM_PATTERN, round, j);
            uint64_t part = total < 4 ? total : total / (1 + draw.word[0] % 4);
            columns[j] += part;
            total -= part;
        }
        check_pairs(rows, row_count, columns, column_count, true);
        columns[0] += 1 + draw.word[1] % 7; /* sums that differ: nothing above them is sent */
        check_pairs(rows, row_count, columns, column_count, false);
    }
}

static void algorithms_are_listed_by_name(void **state) {
    (void)state;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        uint32_t count, described;
        const collective_algorithm *algorithms = collective_algorithms(kind, &count);
        const replay_algorithm_text *texts =
            replay_algorithms((program_collective_kind)kind, &described);
        const char *const *names = collective_algorithm_names(kind);
        assert_int_equal(count, described);
        for (uint32_t i = 0; i < count; i++) {
            assert_string_equal(algorithms[i].text.name, texts[i].name);
            assert_string_equal(algorithms[i].text.name, names[i]);
            assert_true(strlen(texts[i].help) > 0);
        }
        assert_null(names[count]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_gives_everyone_the_right_data),
        cmocka_unit_test(intercommunicators_too),
        cmocka_unit_test(slices_add_up),
        cmocka_unit_test(message_sizes_keep_both_sums),
        cmocka_unit_test(algorithms_are_listed_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
