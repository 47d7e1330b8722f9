/*
 * Archives that cannot be written: nothing is written over, and neither a failure nor a signal
 * leaves a part of an archive behind.
 */
#include "core/files/abandon_output.h"
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/random_program.h"
#include "traces/traces.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char archive[128];

static int set_up(void **state) {
    if (scratch_folder_set_up(state) != 0) return -1;
    snprintf(archive, sizeof archive, "%s/archive", scratch_folder);
    return 0;
}

/* A program with its nominal times, and no archive. */
struct writing {
    struct program *program;
    struct traces_times times;
    struct status status;
};

static struct writing writing_of(struct program *program) {
    struct writing w = {.program = program, .status = STATUS_INIT};
    assert_int_equal(traces_compute_nominal_times(program, &w.times, &w.status), STATUS_OK);
    scratch_folder_remove(archive);
    return w;
}

/* Writing to path fails with this code and a text that has these words. */
static void expect_failure(struct writing *w, const char *path, status_code code,
                           const char *words) {
    assert_int_equal(traces_write_otf2(w->program, &w->times, path, &w->status), code);
    if (strstr(w->status.text, words) == NULL)
        fail_msg("`%s` is not in:\n%s", words, w->status.text);
    status_clear(&w->status);
}

static void writing_free(struct writing *w) {
    traces_times_free(&w->times);
    program_free(w->program);
}

static void nothing_is_written_over(void **state) {
    (void)state;
    struct writing w = writing_of(random_program(3, 3, 20));
    assert_int_equal(mkdir(archive, 0700), 0);
    expect_failure(&w, archive, STATUS_EXISTS, "exists already");
    assert_int_equal(rmdir(archive), 0); /* still there, still empty */
    writing_free(&w);
}

static void folders_that_cannot_be_made_are_named(void **state) {
    (void)state;
    struct writing w = writing_of(random_program(3, 3, 20));
    expect_failure(&w, "/nonexistent/archive", STATUS_SYSTEM,
                   "/nonexistent/archive: cannot create the folder: No such file");
    writing_free(&w);
}

/* The scratch folder is empty: no part of an archive is in it under any name. */
static void expect_nothing_left(void) {
    assert_int_equal(rmdir(scratch_folder), 0);
    assert_int_equal(mkdir(scratch_folder, 0700), 0);
}

/* A failure in the middle leaves no folder behind. */
static void failures_leave_nothing(void **state) {
    (void)state;
    struct program *program = random_program(4, 2, 60);
    for (uint64_t i = 0; i < program->operation_count; i++) {
        struct program_operation *operation = &program->operations[i];
        if (operation->kind != OPERATION_SEND) continue;
        /* A communicator of the second rank alone: the message's peer is not in it. */
        program->envelopes[operation->message.envelope].communicator = 1;
    }
    program->communicator_members[program->communicators[1].members] = 1;
    struct writing w = writing_of(program);
    expect_failure(&w, archive, STATUS_INPUT, "is not in the communicator");
    assert_int_not_equal(access(archive, F_OK), 0);
    expect_nothing_left();
    writing_free(&w);
}

static const char *abandoned; /* once its folder is made; NULL: none */

/* The C library's function, and what a signal does at the same time. */
__attribute__((visibility("default"))) int mkdir(const char *path, mode_t mode) {
    int (*make_folder_of)(const char *, mode_t);
    void *found = dlsym(RTLD_NEXT, "mkdir");
    memcpy(&make_folder_of, &found, sizeof found);
    int result = make_folder_of(path, mode);
    const char *now = abandoned;
    abandoned = NULL;
    if (now != NULL) abandon_output(now);
    return result;
}

/* An archive that a signal has removed is not begun again. */
static void abandoned_archives_stay_removed(void **state) {
    (void)state;
    struct writing w = writing_of(random_program(5, 2, 10));
    abandoned = archive;
    expect_failure(&w, archive, STATUS_SYSTEM, "cannot open the folder: No such file");
    assert_null(abandoned);
    expect_nothing_left();
    writing_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_written_over),
        cmocka_unit_test(folders_that_cannot_be_made_are_named),
        cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(abandoned_archives_stay_removed),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_folder_tear_down);
}
