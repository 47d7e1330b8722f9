/* Arrays keep their bytes wherever they lie, in memory or in a file, however often their pages
 * go. */
#include "core/memory/paging.h"

#include "tests/support/core/scratch_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fill(uint64_t *array, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        array[i] = i * i;
}

static void check(const uint64_t *array, size_t to) {
    for (size_t i = 0; i < to; i++)
        assert_true(array[i] == i * i);
}

/* An array that grows and shrinks, with so much memory. */
static void grow(uint64_t max_bytes, bool lies_in_file) {
    struct paging *paging = paging_new(scratch_folder, max_bytes, false);
    struct status status = STATUS_INIT;
    uint64_t *array = NULL, *other = NULL;
    size_t capacity = 0;
    for (size_t count = 1; count < 2000000; count = count * 3 + 1) {
        const size_t before = count / 3;
        assert_int_equal(
            paging_grow(paging, (void **)&array, &capacity, count, sizeof *array, &status),
            STATUS_OK);
        assert_true(capacity >= count);
        fill(array, before, count);
        check(array, count);
        paging_evict(paging);
        check(array, count);
    }
    assert_int_equal(paging_resize(paging, (void **)&other, 0, 1000 * sizeof *other, &status),
                     STATUS_OK);
    fill(other, 0, 1000);
    assert_true((paging_file_bytes(paging) > 0) == lies_in_file);
    const uint64_t all = paging_file_bytes(paging);
    assert_int_equal(paging_resize(paging, (void **)&array, 100000 * sizeof *array,
                                   100000 * sizeof *array, &status),
                     STATUS_OK);
    check(array, 100000);
    check(other, 1000);
    assert_true(!lies_in_file || paging_file_bytes(paging) < all);
    paging_free_array(paging, array);
    check(other, 1000);
    paging_free(paging);
}

static void arrays_keep_their_bytes_in_memory_and_in_a_file(void **state) {
    (void)state;
    grow(UINT64_MAX, false);
    grow(1 << 20, true);
    grow(0, true);
}

static void without_a_bound_arrays_stay_in_memory(void **state) {
    struct status status = STATUS_INIT;
    uint64_t *array = NULL;
    (void)state;
    assert_int_equal(paging_resize(NULL, (void **)&array, 0, 800, &status), STATUS_OK);
    fill(array, 0, 100);
    assert_int_equal(paging_resize(NULL, (void **)&array, 800, 80000, &status), STATUS_OK);
    check(array, 100);
    assert_int_equal(paging_file_bytes(NULL), 0);
    paging_evict(NULL);
    paging_free_array(NULL, array);
}

/* Returns whether the mapping of an address is one of which nothing is read around a place: the
 * system shows the flag "rr" of it. */
static bool is_read_at_random(const void *address) {
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    bool is_inside = false, is_random = false;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned long long start, end;
        if (sscanf(line, "%llx-%llx ", &start, &end) == 2)
            is_inside = (uintptr_t)address >= start && (uintptr_t)address < end;
        if (is_inside && strncmp(line, "VmFlags:", 8) == 0) is_random = strstr(line, " rr") != NULL;
    }
    fclose(file);
    return is_random;
}

/* Arrays in files, those that come later, too, are read at random while anyone asks for it. What is
 * fetched are the same bytes. */
static void read_ahead_at_random_fetches_the_same_bytes(void **state) {
    enum { COUNT = 100000 };
    struct paging *paging = paging_new(scratch_folder, 0, false);
    struct status status = STATUS_INIT;
    uint64_t *first = NULL, *second = NULL;
    (void)state;
    assert_int_equal(paging_resize(paging, (void **)&first, 0, COUNT * sizeof *first, &status),
                     STATUS_OK);
    fill(first, 0, COUNT);
    assert_false(is_read_at_random(first));
    paging_advise_random(paging, true);
    paging_advise_random(paging, true);
    assert_int_equal(paging_resize(paging, (void **)&second, 0, COUNT * sizeof *second, &status),
                     STATUS_OK);
    fill(second, 0, COUNT);
    assert_true(is_read_at_random(first) && is_read_at_random(second));
    paging_evict(paging);
    paging_prefetch(first + 1001, (COUNT - 1001) * sizeof *first);
    check(first, COUNT);
    check(second, COUNT);
    paging_advise_random(paging, false);
    assert_true(is_read_at_random(first));
    paging_advise_random(paging, false);
    assert_false(is_read_at_random(first) || is_read_at_random(second));
    paging_free(paging);
    paging_advise_random(NULL, true);
}

/* What lies in memory beside the arrays takes room from them. */
static void memory_beside_the_arrays_takes_room_from_them(void **state) {
    struct paging *paging = paging_new(scratch_folder, 1000, false);
    (void)state;
    assert_int_equal(paging_room_bytes(paging), 1000);
    paging_count_memory(paging, 600);
    assert_int_equal(paging_room_bytes(paging), 400);
    paging_count_memory(paging, 600);
    assert_int_equal(paging_room_bytes(paging), 0);
    paging_count_memory(paging, -1200);
    assert_int_equal(paging_room_bytes(paging), 1000);
    paging_count_memory(NULL, 1);
    paging_free(paging);
}

/* Without a file, the array stays; or lies in memory, where a file is only a wish. */
static void without_a_file_arrays_stay(void **state) {
    struct status status = STATUS_INIT;
    uint64_t *array = malloc(80);
    (void)state;
    fill(array, 0, 10);
    struct paging *strict = paging_new("/nonexistent", 0, false);
    assert_int_equal(paging_resize(strict, (void **)&array, 80, 8000, &status), STATUS_SYSTEM);
    assert_non_null(strstr(status.text, "/nonexistent: cannot make a temporary file"));
    status_clear(&status);
    check(array, 10);
    struct paging *wish = paging_new("/nonexistent", 0, true);
    assert_int_equal(paging_resize(wish, (void **)&array, 80, 8000, &status), STATUS_OK);
    check(array, 10);
    assert_int_equal(paging_file_bytes(wish), 0);
    paging_free_array(wish, array);
    paging_free(wish);
    paging_free(strict);
}

/* A file without a name keeps what is written, in a folder, or in memory if it may. */
static void files_without_a_name_keep_what_is_written(void **state) {
    const struct {
        const char *folder;
        bool may_use_memory;
        status_code code;
    } cases[] = {{scratch_folder, false, STATUS_OK},
                 {"/nonexistent", true, STATUS_OK},
                 {"/nonexistent", false, STATUS_SYSTEM}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct paging *paging = paging_new(cases[i].folder, 1, cases[i].may_use_memory);
        struct status status = STATUS_INIT;
        FILE *file = NULL;
        char text[8] = "";
        assert_int_equal(paging_new_file(paging, &file, &status), cases[i].code);
        if (file != NULL) {
            assert_int_equal(fwrite("packed", 1, 7, file), 7);
            rewind(file);
            assert_int_equal(fread(text, 1, 7, file), 7);
            assert_string_equal(text, "packed");
            fclose(file);
        } else {
            assert_non_null(strstr(status.text, "/nonexistent"));
        }
        status_clear(&status);
        paging_free(paging);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arrays_keep_their_bytes_in_memory_and_in_a_file,
                                        scratch_folder_set_up, scratch_folder_tear_down),
        cmocka_unit_test(without_a_bound_arrays_stay_in_memory),
        cmocka_unit_test_setup_teardown(read_ahead_at_random_fetches_the_same_bytes,
                                        scratch_folder_set_up, scratch_folder_tear_down),
        cmocka_unit_test(memory_beside_the_arrays_takes_room_from_them),
        cmocka_unit_test(without_a_file_arrays_stay),
        cmocka_unit_test_setup_teardown(files_without_a_name_keep_what_is_written,
                                        scratch_folder_set_up, scratch_folder_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
