/* A signal leaves nothing of an output, however often the program begins one; and which signals end
 * a run that defers them. */
#include "cli/interrupt.h"
#include "core/files/output_folder.h"
#include "tests/support/core/scratch_folder.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* Begins and gives up an output again and again. */
static void write_for_ever(const char *path) {
    const struct invocation invocation = {.output = path};
    interrupt_begin(&invocation);
    for (;;) {
        struct output_folder folder;
        FILE *file = NULL;
        if (output_folder_begin(&folder, path, NULL) != STATUS_OK) continue;
        if (output_folder_open(&folder, "file", &file, NULL) == STATUS_OK)
            output_folder_close(&folder, "file", file, NULL);
        output_folder_finish(&folder, STATUS_RUN, NULL);
    }
}

static size_t entries(void) {
    size_t count = 0;
    DIR *folder = opendir(scratch_folder);
    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count - 2; /* . and .. */
}

static void nothing_is_left(void **state) {
    (void)state;
    enum { TIMES = 12 };
    static const int signals[] = {SIGTERM, SIGHUP, SIGINT};
    char path[160];
    snprintf(path, sizeof path, "%s/out", scratch_folder);
    for (int i = 0; i < TIMES; i++) {
        const int number = signals[i % 3];
        const struct timespec wait = {.tv_nsec = 5000000 + i * 100000};
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            signal(number, SIG_DFL);
            write_for_ever(path);
        }
        while (entries() == 0)
            nanosleep(&wait, NULL);
        nanosleep(&wait, NULL);
        int status = 0;
        assert_int_equal(kill(child, number), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), number);
        assert_int_equal(entries(), 0);
    }
}

static void sleep_ms(long ms) {
    const struct timespec length = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&length, NULL);
}

/* Defers the first signal, and never stops. Tells the parent when it is ready. */
static void defer_for_ever(int ready) {
    const struct invocation invocation = {.output = NULL};
    interrupt_begin(&invocation);
    interrupt_defer_long();
    (void)!write(ready, "r", 1);
    for (;;)
        pause();
}

/* A signal soon after the first one belongs to the same request; a later one ends the process. */
static void a_later_signal_ends_a_run_that_does_not_stop(void **state) {
    (void)state;
    int ready[2], status = 0;
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        defer_for_ever(ready[1]);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(kill(child, SIGTERM), 0);
    sleep_ms(50);
    assert_int_equal(kill(child, SIGTERM), 0);
    assert_int_equal(kill(child, SIGHUP), 0);
    sleep_ms(1200);
    assert_int_equal(waitpid(child, &status, WNOHANG), 0);
    assert_int_equal(kill(child, SIGTERM), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    close(ready[0]);
    close(ready[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(a_later_signal_ends_a_run_that_does_not_stop),
    };
    return cmocka_run_group_tests(tests, scratch_folder_set_up, scratch_folder_tear_down);
}
