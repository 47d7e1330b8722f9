/*
 * Times that an archive cannot have: outside the span that it states, backwards, or by a clock that
 * is none. Refused with the place, or counted.
 */
#include "tests/support/traces/archive_world.h"

#include <stdio.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

static const char outer[] = "times outside the stated span";
static const char drifting[] = "clocks corrected by much";

static struct program *finish(struct archive_maker *maker) {
    return archive_finish(maker, &(struct traces_config){0});
}

/* A second from 10 s on, in which rank 0 calls MPI at the times given. */
static struct archive_maker *calls_at(const char *creator, uint64_t first_ticks,
                                      uint64_t last_ticks) {
    struct archive_maker *maker = maker_new(2, 1, SECOND, 10 * SECOND, true);
    if (creator != NULL) maker_creator(maker, creator);
    maker_length(maker, SECOND);
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_call(maker, events, first_ticks, first_ticks, "MPI_Init");
    maker_call(maker, events, last_ticks, last_ticks, "MPI_Finalize");
    events = maker_events(maker, 1, 0);
    maker_call(maker, events, 10 * SECOND, 11 * SECOND, "MPI_Init");
    return maker;
}

static void score_p_states_its_span(void **state) {
    (void)state;
    static const char *const creators[] = {"Score-P 8.4", "anax"};
    for (size_t i = 0; i < 2; i++) {
        const char *creator = creators[i];
        archive_refuse(calls_at(creator, 9 * SECOND, 11 * SECOND),
                       "rank 0, location 0: event 0: its time is 1000 ms before the start");
        archive_refuse(calls_at(creator, 10 * SECOND, 12 * SECOND),
                       "rank 0, location 0: event 2: its time is 1000 ms after the end");
        /* A millisecond may be rounding. */
        struct program *program =
            finish(calls_at(creator, 10 * SECOND - 1000000, 11 * SECOND + 1000000));
        assert_int_equal(archive_noted(program, outer), 4);
        assert_int_equal(program->span_ps, INT64_C(1002000000000));
        program_free(program);
        archive_refuse(calls_at(creator, 10 * SECOND, 11 * SECOND + 1000001), "1 ms after the end");
        program = finish(calls_at(creator, 10 * SECOND, 11 * SECOND));
        assert_int_equal(archive_noted(program, outer), 0);
        program_free(program);
    }
}

/* They state that of one process, or the example's of OTF2's manual. */
static void spans_of_other_tools_are_told(void **state) {
    (void)state;
    static const char *const creators[] = {"TAU", "EZTrace", NULL};
    for (size_t i = 0; i < 3; i++) {
        struct program *program = finish(calls_at(creators[i], 9 * SECOND, 12 * SECOND));
        assert_int_equal(archive_noted(program, outer), 4);
        assert_int_equal(program->span_ps, INT64_C(3000000000000));
        program_free(program);
    }
}

/* A time stamp record: 5 and 8 bytes. */
static void stamp(struct archive_maker *maker, const char *suffix, uint64_t from, uint64_t to) {
    char path[160];
    const char *anchor = maker_finish(maker);
    snprintf(path, sizeof path, "%.*s%s", (int)(strlen(anchor) - strlen(".otf2")), anchor, suffix);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    char bytes[4096];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    size_t place = 0;
    while (place + sizeof from <= size && memcmp(bytes + place, &from, sizeof from) != 0)
        place++;
    assert_true(place + sizeof from <= size);
    assert_int_equal(fseek(file, (long)place, SEEK_SET), 0);
    assert_int_equal(fwrite(&to, sizeof to, 1, file), 1);
    fclose(file);
}

/* OTF2 writes no time before another, whatever the tool. */
static void times_never_run_back(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        const char *creator = i == 0 ? "Score-P 8.4" : NULL;
        struct archive_maker *maker = calls_at(creator, 10 * SECOND, 10 * SECOND + 500000000);
        stamp(maker, "/0.evt", 10 * SECOND, 10 * SECOND + 600000000);
        archive_refuse(maker, "rank 0, location 0: event 2: its time is 100 ms before the time of "
                              "the previous event");
        /* Little steps are no time, and what follows is as long as it was. */
        maker = calls_at(creator, 10 * SECOND, 10 * SECOND + 500000000);
        stamp(maker, "/0.evt", 10 * SECOND, 10 * SECOND + 501000000);
        struct program *program = finish(maker);
        assert_int_equal(archive_noted(program, "times that run backwards"), 2);
        assert_int_equal(program->span_ps, INT64_C(1000000000000));
        program_free(program);
    }
}

/* The time between a damaged stamp and the next is not computed twice: of 900 us from the first
 * call to the last, those up to the damaged one are none. */
static void steps_back_are_no_time(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(1, 1, SECOND, 10 * SECOND, true);
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    for (uint64_t i = 0; i < 4; i++)
        maker_call(maker, events, 10 * SECOND + 300000 * i, 10 * SECOND + 300000 * i, "MPI_Init");
    stamp(maker, "/0.evt", 10 * SECOND + 600000, 10 * SECOND - 400000);
    struct program *program = finish(maker);
    struct program_totals totals;
    program_totals_compute(program, &totals);
    assert_int_equal(totals.compute_ps, INT64_C(900000000));
    assert_int_equal(archive_noted(program, "times that run backwards"), 2);
    program_free(program);
}

static struct archive_maker *flush_until(uint64_t ticks) {
    struct archive_maker *maker = maker_new(1, 1, SECOND, 10 * SECOND, true);
    maker_creator(maker, "Score-P 8.4");
    maker_length(maker, SECOND);
    OTF2_EvtWriter *events = maker_events(maker, 0, 0);
    maker_call(maker, events, 10 * SECOND, 10 * SECOND + 1000, "MPI_Init");
    OTF2_EvtWriter_BufferFlush(events, NULL, 10 * SECOND + 2000, ticks);
    /* It was on its way when the buffer was full. */
    maker_call(maker, events, 10 * SECOND + 2000, 11 * SECOND, "MPI_Finalize");
    return maker;
}

static void flushes_end_within_the_span(void **state) {
    (void)state;
    archive_refuse(flush_until(20 * SECOND), "event 2: its time is 9000 ms after the end");
    archive_refuse(flush_until(9 * SECOND),
                   "event 2: its time is 1000 ms before the time of the previous");
    struct program *program = finish(flush_until(10 * SECOND + 500000000));
    assert_int_equal(archive_noted(program, "trace buffer flushed"), 1);
    assert_int_equal(archive_noted(program, outer), 0);
    program_free(program);
}

static struct archive_maker *with_offsets(uint64_t ticks, int64_t first, int64_t second) {
    struct archive_maker *maker = calls_at("Score-P 8.4", 10 * SECOND, 11 * SECOND);
    maker_clock_offset(maker, 0, 10 * SECOND, first);
    maker_clock_offset(maker, 0, ticks, second);
    return maker;
}

static void clocks_are_corrected_forwards(void **state) {
    (void)state;
    static const char damaged[] = "rank 0, location 0: the offset of its clock changes by";
    archive_refuse(with_offsets(11 * SECOND, 0, -(int64_t)SECOND), damaged);
    archive_refuse(with_offsets(10 * SECOND, 0, 0), "0.def: damaged");
    archive_refuse(with_offsets(11 * SECOND, 0, 20000000), "20 ms after the end");
    struct program *program = finish(with_offsets(11 * SECOND, 0, -10000001));
    assert_int_equal(archive_noted(program, drifting), 1);
    program_free(program);
    program = finish(with_offsets(11 * SECOND, 0, -10000000));
    assert_int_equal(archive_noted(program, drifting), 0);
    program_free(program);
}

static struct archive_maker *with_clock(const char *creator, uint64_t ticks_per_second,
                                        uint64_t offset, uint64_t length) {
    struct archive_maker *maker = maker_new(1, 1, ticks_per_second, offset, true);
    if (creator != NULL) maker_creator(maker, creator);
    maker_length(maker, length);
    maker_call(maker, maker_events(maker, 0, 0), offset, offset + 1, "MPI_Init");
    return maker;
}

static void clocks_of_impossible_rates_are_refused(void **state) {
    (void)state;
    archive_refuse(with_clock(NULL, UINT64_C(1000000000001), 0, 1), "ticks per second");
    archive_refuse(with_clock("Score-P 8.4", 99999, 0, 1), "99999 ticks per second");
    archive_refuse(with_clock("Score-P 8.4", SECOND, 10, UINT64_MAX - 9),
                   "begins at clock tick 10 and is 18446744073709551606 ticks long");
    program_free(finish(with_clock(NULL, 1, 0, 2))); /* the manual's example */
    struct program *program = finish(with_clock(NULL, SECOND, 10, UINT64_MAX));
    assert_int_equal(archive_noted(program, outer), 0);
    program_free(program);
}

static void one_changed_byte_is_refused_with_its_place(void **state) {
    (void)state;
    static const char path[] = ANAX_SHARED "/traces/found/rank-second-sums/one-byte-changed";
    if (access(path, R_OK) != 0) skip();
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    struct traces_config config = {0};
    assert_int_equal(traces_open(&program, path, &config, 2, NULL, NULL, &status), STATUS_INPUT);
    assert_non_null(strstr(status.text, "rank 7, location 7: event 7: its time is"));
    status_clear(&status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(score_p_states_its_span),
        cmocka_unit_test(spans_of_other_tools_are_told),
        cmocka_unit_test(times_never_run_back),
        cmocka_unit_test(steps_back_are_no_time),
        cmocka_unit_test(flushes_end_within_the_span),
        cmocka_unit_test(clocks_are_corrected_forwards),
        cmocka_unit_test(clocks_of_impossible_rates_are_refused),
        cmocka_unit_test(one_changed_byte_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
