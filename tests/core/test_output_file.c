/* core/output_file: files appear when they are complete, and replace nothing but files. */
#include "core/output_file.h"

#include "tests/support/scratch_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[SCRATCH_FOLDER_BYTES];

static int make_folder(void **state) {
    (void)state;
    return scratch_folder_make(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder); /* nothing is left behind */
}

static void put(const char *path, const char *text, status_code code) {
    output_file file;
    assert_int_equal(output_file_open(&file, path, NULL), STATUS_OK);
    fputs(text, file.stream);
    assert_int_equal(output_file_finish(&file, code, NULL), code);
}

static void holds(const char *path, const char *text) {
    char found[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, text);
}

static void whole_or_old(void **state) {
    (void)state;
    output_file file;
    assert_int_equal(output_file_open(&file, "a", NULL), STATUS_OK);
    fputs("first", file.stream);
    assert_int_not_equal(access("a", F_OK), 0);
    assert_int_equal(output_file_finish(&file, STATUS_OK, NULL), STATUS_OK);
    holds("a", "first");
    put("a", "failed", STATUS_RUN);
    holds("a", "first");
    put("a", "second", STATUS_OK);
    holds("a", "second");
    assert_int_equal(unlink("a"), 0);
}

static void others_are_written_to(void **state) {
    (void)state;
    put("file", "old", STATUS_OK);
    assert_int_equal(symlink("file", "link"), 0);
    put("link", "new", STATUS_OK);
    holds("file", "new");
    struct stat link;
    assert_int_equal(lstat("link", &link), 0);
    assert_true(S_ISLNK(link.st_mode));
    assert_int_equal(unlink("link"), 0);
    assert_int_equal(unlink("file"), 0);
    put("/dev/null", "away", STATUS_OK);
    struct stat device;
    assert_int_equal(lstat("/dev/null", &device), 0);
    assert_true(S_ISCHR(device.st_mode));
}

static void failures(void **state) {
    (void)state;
    output_file file;
    status status = STATUS_INIT;
    assert_int_equal(output_file_open(&file, folder, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "is a folder"));
    assert_int_equal(output_file_open(&file, "missing/a", &status), STATUS_SYSTEM);
    assert_non_null(strstr(status.text, "missing/a: cannot create it: No such file"));
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(output_file_open(&file, "/dev/full", &status), STATUS_OK);
        fputs("too much", file.stream);
        assert_int_equal(output_file_finish(&file, STATUS_OK, &status), STATUS_SYSTEM);
        assert_non_null(strstr(status.text, "/dev/full: cannot write: No space"));
    }
    status_clear(&status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_or_old),
        cmocka_unit_test(others_are_written_to),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
