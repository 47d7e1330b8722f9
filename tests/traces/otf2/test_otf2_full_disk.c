/* A disk that is full when an archive is written: no archive, and an error. The C library's fclose
 * stands in for the disk: it loses what is written to the file of the chosen name. */
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/random_program.h"
#include "traces/traces.h"

#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *lost_file; /* how its name ends; NULL: none */
static unsigned lost_count;

static bool is_lost(FILE *file) {
    char link[64], path[512];
    if (lost_file == NULL) return false;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(file));
    ssize_t length = readlink(link, path, sizeof path - 1);
    size_t end = strlen(lost_file);
    return length > (ssize_t)end && memcmp(path + length - end, lost_file, end) == 0;
}

__attribute__((visibility("default"))) int fclose(FILE *file) {
    int (*close_file)(FILE *);
    void *found = dlsym(RTLD_NEXT, "fclose");
    memcpy(&close_file, &found, sizeof found);
    if (!is_lost(file) || fflush(file) != 0 || ftruncate(fileno(file), 0) != 0)
        return close_file(file); /* ftruncate: or it is only read */
    lost_count++;
    close_file(file);
    errno = ENOSPC;
    return EOF;
}

/* The library does not free a writer whose file it could not close. */
__attribute__((weak)) void __lsan_disable(void);
__attribute__((weak)) void __lsan_enable(void);

static status_code write_losing(const char *file, const struct program *program,
                                const struct traces_times *times, const char *archive,
                                struct status *status) {
    if (__lsan_disable != NULL) __lsan_disable();
    lost_file = file;
    lost_count = 0;
    status_code code = traces_write_otf2(program, times, archive, status);
    lost_file = NULL;
    if (__lsan_enable != NULL) __lsan_enable();
    return code;
}

static void a_full_disk_leaves_no_archive(void **state) {
    (void)state;
    char folder[SCRATCH_FOLDER_BYTES], archive[128];
    assert_true(scratch_folder_make(folder));
    snprintf(archive, sizeof archive, "%s/archive", folder);
    struct program *program = random_program(3, 3, 20);
    struct status status = STATUS_INIT;
    struct traces_times times;
    assert_int_equal(traces_compute_nominal_times(program, &times, &status), STATUS_OK);
    static const char *const files[] = {"/traces/1.evt", "/traces/2.def", "/traces.def",
                                        "/traces.otf2"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_int_equal(write_losing(files[i], program, &times, archive, &status), STATUS_SYSTEM);
        assert_true(lost_count > 0);
        /* the library looks at more files after the anchor file */
        bool is_last = i + 1 == sizeof files / sizeof *files;
        const char *reason = is_last ? "(is the disk full?" : ": No space left on device";
        assert_non_null(strstr(status.text, reason));
        status_clear(&status);
        struct stat found;
        assert_int_equal(stat(archive, &found), -1);
    }
    assert_int_equal(traces_write_otf2(program, &times, archive, &status), STATUS_OK);
    traces_times_free(&times);
    program_free(program);
    assert_int_equal(scratch_folder_remove(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_full_disk_leaves_no_archive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
