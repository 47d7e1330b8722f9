/*
 * Factors on computation by region: the innermost named region counts, nothing else changes, and
 * what cannot be read is refused before anything has changed.
 */
#include "traces/program/builder/program_builder.h"
#include "traces/program/edit/program_scale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* One rank computes 1000 outside, 200 in main, 30 in main/fft<2, 3>, 4 in main/fft/copy, and again
 * 200 in main. */
static struct program *nested(void) {
    struct status status = STATUS_INIT;
    struct program_builder *b = builder_new(1, &status);
    uint32_t main = builder_define_region(b, "main", false),
             copy = builder_define_region(b, "a::copy", false),
             fft = builder_define_region(b, "fft<2, 3>", false);
    builder_define_region(b, "MPI_Send", true);
    builder_compute(b, 0, 1000, &status);
    builder_enter(b, 0, main, 1, &status);
    builder_compute(b, 0, 200, &status);
    builder_enter(b, 0, fft, 2, &status);
    builder_compute(b, 0, 30, &status);
    builder_enter(b, 0, copy, 3, &status);
    builder_compute(b, 0, 4, &status);
    builder_leave(b, 0, 4, &status);
    builder_leave(b, 0, 5, &status);
    builder_compute(b, 0, 200, &status);
    builder_leave(b, 0, 6, &status);
    builder_set_source(b, "here", "test", 1, 1, 1);
    struct program *program = NULL;
    if (builder_seal(b, 1, &program, &status) != STATUS_OK) fail_msg("%s", status.text);
    builder_free(b);
    return program;
}

static void expect(const char *scales, const int64_t *durations_ps) {
    struct status status = STATUS_INIT;
    struct program *program = nested();
    uint64_t hash = program->content_hash;
    if (program_scale(program, scales, 1, &status) != STATUS_OK) fail_msg("%s", status.text);
    if (program_check(program, &status) != STATUS_OK) fail_msg("%s", status.text);
    for (uint64_t i = 0; i < program->operation_count; i++)
        if (program->operations[i].kind == OPERATION_COMPUTE)
            assert_int_equal(program->operations[i].compute.duration_ps, *durations_ps++);
    assert_true(program->content_hash != hash);
    assert_non_null(strstr(program_text(program, program->source), scales));
    program_free(program);
}

static void the_innermost_named_region_is_scaled(void **state) {
    (void)state;
    expect("main:0.5", (const int64_t[]){1000, 100, 15, 2, 100});
    expect("main:0.5,fft<2, 3>:2", (const int64_t[]){1000, 100, 60, 8, 100});
    expect("a::copy:300%, main : 10%", (const int64_t[]){1000, 20, 3, 12, 20});
    expect("fft<2, 3>:0", (const int64_t[]){1000, 200, 1, 1, 200}); /* a computation stays one */
    expect("a::copy:0.3", (const int64_t[]){1000, 200, 30, 1, 200});
}

static void refused(const char *scales, const char *why) {
    struct status status = STATUS_INIT;
    struct program *program = nested();
    uint64_t hash = program->content_hash;
    assert_int_not_equal(program_scale(program, scales, 1, &status), STATUS_OK);
    if (strstr(status.text, why) == NULL) fail_msg("no `%s` in: %s", why, status.text);
    assert_true(program->content_hash == hash);
    assert_int_equal(program->operations[0].compute.duration_ps, 1000);
    status_clear(&status);
    program_free(program);
}

static void factors_that_cannot_be_read_are_refused(void **state) {
    (void)state;
    refused("main", "`main` is not REGION:FACTOR");
    refused(":2", "is not REGION:FACTOR");
    refused("main:2,", "ends with a comma");
    refused("main:2,fft", "`fft` is not REGION:FACTOR");
    refused("main:1.2.3", "1.2.3");
    refused("man:2", "did you mean `main`?");
    refused("MPI_Send:2", "MPI call");
    refused("main:2,main:3", "two factors");
    refused("main:1000001", "at most 1000000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_innermost_named_region_is_scaled),
        cmocka_unit_test(factors_that_cannot_be_read_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
