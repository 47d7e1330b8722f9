/* core/output_file: files appear when they are complete, and replace nothing but files. */
#include "core/files/output_file.h"

#include "tests/support/core/scratch_folder.h"

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

static void put(const char *path, const char *text, bool replace, status_code code) {
    struct output_file file;
    assert_int_equal(output_file_open(&file, path, replace, NULL), STATUS_OK);
    fputs(text, file.stream);
    assert_int_equal(output_file_finish(&file, code, NULL), code);
}

static void expect_refusal(const char *path) {
    struct status status = STATUS_INIT;
    struct output_file file;
    assert_int_equal(output_file_check(path, false, &status), STATUS_EXISTS);
    assert_non_null(strstr(status.text, "exists already; name another file, or replace it"));
    status_clear(&status);
    assert_int_equal(output_file_open(&file, path, false, &status), STATUS_EXISTS);
    assert_non_null(strstr(status.text, path));
    status_clear(&status);
}

static void expect_content(const char *path, const char *text) {
    char found[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, text);
}

static void a_name_holds_the_whole_file_or_the_old_one(void **state) {
    (void)state;
    struct output_file file;
    assert_int_equal(output_file_check("a", false, NULL), STATUS_OK);
    assert_int_equal(output_file_open(&file, "a", false, NULL), STATUS_OK);
    fputs("first", file.stream);
    assert_int_not_equal(access("a", F_OK), 0);
    assert_int_equal(output_file_finish(&file, STATUS_OK, NULL), STATUS_OK);
    expect_content("a", "first");
    expect_refusal("a");
    put("a", "failed", true, STATUS_RUN);
    expect_content("a", "first");
    put("a", "second", true, STATUS_OK);
    expect_content("a", "second");
    assert_int_equal(unlink("a"), 0);
}

/* A name that was free at the start is taken at the end. */
static void a_file_that_came_since_stays(void **state) {
    (void)state;
    struct output_file file;
    struct status status = STATUS_INIT;
    assert_int_equal(output_file_open(&file, "a", false, NULL), STATUS_OK);
    fputs("mine", file.stream);
    put("a", "theirs", false, STATUS_OK);
    assert_int_equal(output_file_finish(&file, STATUS_OK, &status), STATUS_EXISTS);
    assert_non_null(strstr(status.text, "a: exists already"));
    status_clear(&status);
    expect_content("a", "theirs");
    assert_int_equal(unlink("a"), 0);
}

static void links_stay_links(void **state) {
    (void)state;
    struct stat link;
    assert_int_equal(mkdir("inner", 0777), 0);
    assert_int_equal(symlink("inner/link", "link"), 0);
    assert_int_equal(symlink("file", "inner/link"), 0);
    put("link", "old", false, STATUS_OK);
    expect_content("inner/file", "old");
    expect_refusal("link");
    put("link", "failed", true, STATUS_RUN);
    expect_content("inner/file", "old");
    put("link", "new", true, STATUS_OK);
    expect_content("inner/file", "new");
    assert_int_equal(lstat("link", &link), 0);
    assert_true(S_ISLNK(link.st_mode));
    assert_int_equal(unlink("link"), 0);
    assert_int_equal(unlink("inner/link"), 0);
    assert_int_equal(unlink("inner/file"), 0);
    assert_int_equal(rmdir("inner"), 0);
    assert_int_equal(symlink("link", "link"), 0);
    assert_int_equal(output_file_check("link", true, NULL), STATUS_SYSTEM);
    assert_int_equal(unlink("link"), 0);
}

/* An open file goes on where it is, whatever name of it is given. */
static void devices_and_open_files_are_written_to(void **state) {
    (void)state;
    struct stat device;
    char name[64];
    put("/dev/null", "away", false, STATUS_OK);
    assert_int_equal(lstat("/dev/null", &device), 0);
    assert_true(S_ISCHR(device.st_mode));
    FILE *open_file = fopen("file", "w");
    assert_non_null(open_file);
    fputs("before", open_file);
    assert_int_equal(fflush(open_file), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", fileno(open_file));
    assert_int_equal(output_file_check(name, false, NULL), STATUS_OK);
    put(name, " and after", false, STATUS_OK);
    fclose(open_file);
    expect_content("file", "before and after");
    assert_int_equal(unlink("file"), 0);
    assert_int_equal(output_file_check("/dev/stdout", false, NULL), STATUS_OK);
}

static void names_of_the_greatest_length_work(void **state) {
    (void)state;
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    put(name, "long", false, STATUS_OK);
    expect_content(name, "long");
    assert_int_equal(unlink(name), 0);
}

static void failures_are_told_and_leave_nothing(void **state) {
    (void)state;
    struct output_file file;
    struct status status = STATUS_INIT;
    assert_int_equal(output_file_open(&file, folder, true, &status), STATUS_USAGE);
    assert_non_null(strstr(status.text, "is a folder"));
    assert_int_equal(output_file_open(&file, "missing/a", false, &status), STATUS_SYSTEM);
    assert_non_null(strstr(status.text, "missing/a: cannot create it: No such file"));
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(output_file_open(&file, "/dev/full", false, &status), STATUS_OK);
        fputs("too much", file.stream);
        assert_int_equal(output_file_finish(&file, STATUS_OK, &status), STATUS_SYSTEM);
        assert_non_null(strstr(status.text, "/dev/full: cannot write: No space"));
    }
    status_clear(&status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_holds_the_whole_file_or_the_old_one),
        cmocka_unit_test(a_file_that_came_since_stays),
        cmocka_unit_test(links_stay_links),
        cmocka_unit_test(devices_and_open_files_are_written_to),
        cmocka_unit_test(names_of_the_greatest_length_work),
        cmocka_unit_test(failures_are_told_and_leave_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
