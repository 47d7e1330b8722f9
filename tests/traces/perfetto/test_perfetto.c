/* Traces for Perfetto: what is written is read back field by field, and protoc reads it by a
 * schema. */
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/random_program.h"
#include "traces/perfetto/protobuf.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

static char path[128], raw[128];

static int set_up(void **state) {
    if (scratch_folder_set_up(state) != 0) return -1;
    snprintf(path, sizeof path, "%s/run.pftrace", scratch_folder);
    snprintf(raw, sizeof raw, "%s/run.raw", scratch_folder);
    return 0;
}

/* ---- reading Protocol Buffers ---- */

struct bytes {
    const unsigned char *at, *end;
};

struct field {
    uint64_t number;
    uint64_t value;     /* varint and fixed64 */
    struct bytes bytes; /* length-delimited */
};

static uint64_t read_varint(struct bytes *bytes) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        assert_true(bytes->at < bytes->end && shift < 64);
        value |= (uint64_t)(*bytes->at & 0x7f) << shift;
        if (*bytes->at++ < 0x80) return value;
    }
}

static bool next_field(struct field *field, struct bytes *bytes) {
    if (bytes->at == bytes->end) return false;
    const uint64_t tag = read_varint(bytes);
    *field = (struct field){.number = tag >> 3};
    switch (tag & 7) {
    case 0:
        field->value = read_varint(bytes);
        return true;
    case 1:
        assert_true(bytes->end - bytes->at >= 8);
        for (unsigned i = 0; i < 8; i++)
            field->value |= (uint64_t)*bytes->at++ << 8 * i;
        return true;
    default: {
        assert_int_equal(tag & 7, 2);
        const uint64_t length = read_varint(bytes);
        assert_true(length <= (uint64_t)(bytes->end - bytes->at));
        field->bytes = (struct bytes){bytes->at, bytes->at + length};
        bytes->at += length;
        return true;
    }
    }
}

/* The packets of the file, without compression. The caller frees them. */
static struct bytes read_packets(void) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static unsigned char content[1 << 22];
    const size_t size = fread(content, 1, sizeof content, file);
    assert_true(size < sizeof content);
    fclose(file);
    const size_t max = (size_t)1 << 24;
    unsigned char *packets = malloc(max);
    assert_non_null(packets);
    size_t count = 0;
    struct bytes rest = {content, content + size};
    struct field packet, chunk;
    while (next_field(&packet, &rest)) {
        assert_int_equal(packet.number, 1);
        assert_true(next_field(&chunk, &packet.bytes));
        assert_int_equal(chunk.number, 50);
        assert_true(packet.bytes.at == packet.bytes.end);
        uLongf more = (uLongf)(max - count);
        assert_int_equal(uncompress(packets + count, &more, chunk.bytes.at,
                                    (uLong)(chunk.bytes.end - chunk.bytes.at)),
                         Z_OK);
        assert_true(more < 512000); /* what readers take */
        count += more;
    }
    file = fopen(raw, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(packets, 1, count, file), count);
    fclose(file);
    return (struct bytes){packets, packets + count};
}

/* ---- what a file says ---- */

enum { RANKS_MAX = 8, FLOWS_MAX = 4096 };

struct seen {
    uint64_t tracks, slices, counters, arrows, arrivals;
    uint64_t depth[RANKS_MAX], last_ns[RANKS_MAX], sent_bytes;
    uint64_t arrows_of[FLOWS_MAX], arrivals_of[FLOWS_MAX];
};

static void see_event(struct seen *seen, struct bytes event, uint64_t time_ns) {
    uint64_t type = 0, track = 0;
    struct field field, inner;
    struct bytes all = event;
    while (next_field(&field, &all)) {
        if (field.number == 9) type = field.value;
        if (field.number == 11) track = field.value;
        if (field.number == 47) seen->arrows_of[seen->arrows++] = field.value;
        if (field.number == 48) seen->arrivals_of[seen->arrivals++] = field.value;
        if (field.number == 4) {
            uint64_t name = 0, value = 0;
            while (next_field(&inner, &field.bytes))
                *(inner.number == 1 ? &name : &value) = inner.value;
            if (name == 2) seen->sent_bytes += value;
        }
        assert_true(seen->arrows < FLOWS_MAX && seen->arrivals < FLOWS_MAX);
    }
    if (type == 4) seen->counters++;
    if (type == 1) seen->slices++;
    if (track >> 32 != 1) return;
    const uint64_t rank = track & UINT32_MAX;
    assert_true(rank < RANKS_MAX);
    assert_true(time_ns >= seen->last_ns[rank]);
    seen->last_ns[rank] = time_ns;
    if (type == 1) seen->depth[rank]++;
    if (type == 2) assert_true(seen->depth[rank]-- > 0);
}

static struct seen see(void) {
    struct seen seen = {0};
    struct bytes packets = read_packets(), rest = packets;
    struct field packet, field;
    bool is_first = true;
    while (next_field(&packet, &rest)) {
        uint64_t time_ns = 0, flags = 0;
        struct bytes event = {NULL, NULL};
        while (next_field(&field, &packet.bytes)) {
            if (field.number == 8) time_ns = field.value;
            if (field.number == 11) event = field.bytes;
            if (field.number == 13) flags = field.value;
            if (field.number == 60) seen.tracks++;
        }
        assert_int_equal(flags, is_first ? 1 : 2);
        is_first = false;
        if (event.at != NULL) see_event(&seen, event, time_ns);
    }
    for (size_t r = 0; r < RANKS_MAX; r++)
        assert_int_equal(seen.depth[r], 0);
    free((void *)packets.at);
    return seen;
}

static void write_file(const struct program *program, const struct traces_perfetto *input) {
    struct status status = STATUS_INIT;
    if (traces_write_perfetto(program, input, path, true, &status) != STATUS_OK)
        fail_msg("%s", status.text);
}

static bool is_between(const struct program_operation *operation, uint32_t first, uint32_t count) {
    return operation->message.peer >= first && operation->message.peer < first + count;
}

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* ---- tests ---- */

/* Slices are the calls and regions, and computation; an arrow leaves for each matched message
 * between ranks of the file, and arrives where a rank waits for it. */
static void the_file_holds_the_program(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const uint32_t ranks = 1 + (uint32_t)(seed % 6);
        struct program *program = random_program(seed, ranks, 60);
        struct traces_times times;
        struct status status = STATUS_INIT;
        assert_int_equal(traces_compute_nominal_times(program, &times, &status), STATUS_OK);
        const uint32_t first = seed % 2 == 0 ? 0 : ranks / 3, count = ranks - first;
        struct traces_perfetto input = {.times = &times, .first_rank = first, .rank_count = count};
        write_file(program, &input);
        struct seen seen = see();
        assert_int_equal(seen.tracks, count + 1);
        uint64_t min = 0, computations = 0, arrows = 0, bytes = 0;
        for (uint32_t r = first; r < first + count; r++)
            for (uint64_t i = 0; i < program->ranks[r].count; i++) {
                const struct program_operation *o =
                    &program->operations[program->ranks[r].first + i];
                min += o->kind == OPERATION_CALL || o->kind == OPERATION_ENTER;
                computations += o->kind == OPERATION_COMPUTE;
                if (o->kind != OPERATION_SEND || !program_is_message(program, o)) continue;
                bytes += o->bytes;
                arrows += o->message.match != PROGRAM_NONE && is_between(o, first, count);
            }
        assert_in_range(seen.slices, min, min + computations);
        assert_int_equal(seen.arrows, arrows);
        assert_int_equal(seen.sent_bytes, bytes);
        qsort(seen.arrows_of, seen.arrows, sizeof *seen.arrows_of, compare);
        qsort(seen.arrivals_of, seen.arrivals, sizeof *seen.arrivals_of, compare);
        for (uint64_t i = 1; i < seen.arrows; i++)
            assert_true(seen.arrows_of[i - 1] < seen.arrows_of[i]); /* one per message */
        for (uint64_t i = 0, k = 0; i < seen.arrivals; i++, k++) {  /* of a message that left */
            while (k < seen.arrows && seen.arrows_of[k] < seen.arrivals_of[i])
                k++;
            assert_true(k < seen.arrows && seen.arrows_of[k] == seen.arrivals_of[i]);
        }
        traces_times_free(&times);
        program_free(program);
    }
}

/* Every message of ping-pong leaves and arrives. */
static void all_arrows_of_a_pattern_arrive(void **state) {
    (void)state;
    const struct traces_pattern_config config = {
        .rank_count = 8, .iterations = 5, .size_bytes = 100, .neighbours = 6};
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    struct traces_times times;
    assert_int_equal(traces_generate(&program, "halo3d", &config, NULL), STATUS_OK);
    assert_int_equal(traces_compute_nominal_times(program, &times, &status), STATUS_OK);
    const struct traces_perfetto input = {.times = &times, .rank_count = 8};
    write_file(program, &input);
    struct seen seen = see();
    assert_int_equal(seen.arrows, 5 * 8 * 6);
    assert_int_equal(seen.arrivals, 5 * 8 * 6);
    traces_times_free(&times);
    program_free(program);
}

/* Counters and the critical path have tracks of their own, and protoc reads all by the schema. */
static void protoc_reads_it(void **state) {
    (void)state;
    struct program *program = random_program(3, 4, 60);
    struct traces_times times;
    struct status status = STATUS_INIT;
    assert_int_equal(traces_compute_nominal_times(program, &times, &status), STATUS_OK);
    const int64_t at_ps[] = {0, 5000};
    const int64_t loads[] = {50, 100};
    const struct traces_counter counter = {"local load of group 0", "%", at_ps, loads, 2};
    const char *const names[] = {"computation", "distance"};
    const struct traces_path_step steps[] = {
        {0, 4000, 1, 0}, {4000, 5000, 2, 1}, {5000, 6000, 4, 0}};
    uint32_t io_nodes[] = {71};
    const struct traces_path way = {"critical path", steps, 3, names, 2, io_nodes, 1};
    times.path = &way;
    const struct traces_perfetto input = {
        .times = &times, .rank_count = 4, .counters = &counter, .counter_count = 1};
    write_file(program, &input);
    struct seen seen = see();
    assert_int_equal(seen.tracks, 4 + 1 + 2 + 1);
    assert_int_equal(seen.counters, 2);
    traces_times_free(&times);
    program_free(program);
    if (system("command -v protoc >/dev/null 2>&1") != 0) skip();
    char command[768];
    snprintf(
        command, sizeof command,
        "protoc --proto_path=%s/tests/data --decode=Trace perfetto.proto <%s >%s/text && "
        "! grep -E '^ *[0-9]+:' %s/text && grep -q 'name: \"local load of group 0\"' %s/text && "
        "grep -q 'counter_value: 50' %s/text && grep -q 'name: \"rank 2: distance\"' %s/text && "
        "grep -q 'name: \"I/O node 71: computation\"' %s/text",
        ANAX_SOURCE_DIR, raw, scratch_folder, scratch_folder, scratch_folder, scratch_folder,
        scratch_folder, scratch_folder);
    assert_int_equal(system(command), 0);
}

static void numbers_are_encoded(void **state) {
    (void)state;
    static const struct {
        uint64_t value;
        size_t bytes;
    } cases[] = {{0, 1}, {127, 1}, {128, 2}, {16383, 2}, {16384, 3}, {UINT64_MAX, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct protobuf message = {0};
        struct status status = STATUS_INIT;
        assert_int_equal(protobuf_append_varint(&message, 15, cases[i].value, &status), STATUS_OK);
        assert_int_equal(message.count, 1 + cases[i].bytes);
        assert_int_equal(protobuf_append_fixed64(&message, 16, cases[i].value, &status), STATUS_OK);
        assert_int_equal(message.count, 1 + cases[i].bytes + 2 + 8);
        struct bytes bytes = {message.bytes, message.bytes + message.count};
        struct field field = {0};
        assert_true(next_field(&field, &bytes));
        assert_int_equal(field.number, 15);
        assert_int_equal(field.value, cases[i].value);
        assert_true(next_field(&field, &bytes));
        assert_int_equal(field.number, 16);
        assert_int_equal(field.value, cases[i].value);
        assert_false(next_field(&field, &bytes));
        protobuf_free(&message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_holds_the_program),
        cmocka_unit_test(all_arrows_of_a_pattern_arrive),
        cmocka_unit_test(protoc_reads_it),
        cmocka_unit_test(numbers_are_encoded),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_folder_tear_down);
}
