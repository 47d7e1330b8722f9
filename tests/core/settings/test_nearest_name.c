/* The nearest valid name: what counts as near, and which of several wins. */
#include "core/settings/nearest_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *nearest_of(const char *wrong, const char *first, const char *second) {
    struct nearest_name search = nearest_name_begin(wrong);
    nearest_name_offer(&search, first);
    if (second != NULL) nearest_name_offer(&search, second);
    return search.name;
}

static void expect_near(const char *wrong, const char *candidate) {
    const char *found = nearest_of(wrong, candidate, NULL);
    if (found == NULL) fail_msg("%s is not near to %s", candidate, wrong);
    assert_ptr_equal(found, candidate);
}

static void expect_far(const char *wrong, const char *candidate) {
    if (nearest_of(wrong, candidate, NULL) != NULL) fail_msg("%s is near to %s", candidate, wrong);
}

/* One each of what a slip does. */
static void one_slip_is_near(void **state) {
    (void)state;
    expect_near("latency", "latency");
    expect_near("LATENCY", "latency"); /* case counts for nothing */
    expect_near("ltency", "latency");
    expect_near("lattency", "latency");
    expect_near("latemcy", "latency");
    expect_near("latnecy", "latency");
}

/* A swap of neighbours is one change, not two. */
static void two_changes_are_near_and_three_are_not(void **state) {
    (void)state;
    expect_near("altnecy", "latency"); /* two swaps */
    expect_far("altneyc", "latency");  /* three */
    expect_near("laxxncy", "latency"); /* two changes */
    expect_far("laxxxcy", "latency");  /* three */
    expect_far("lat", "latency");      /* four insertions */
}

/* A quarter of the wrong name's letters, if that is more than two. */
static void long_names_may_be_further(void **state) {
    (void)state;
    expect_near("network.global.latXXX", "network.global.latency"); /* 21 letters: up to five */
    expect_near("network.global.XXXXncy", "network.global.latency");
    expect_far("network.globaXXXXXXXncy", "network.global.latency");
}

/* Else any short name would be near to any other. */
static void a_candidate_keeps_a_letter(void **state) {
    (void)state;
    expect_far("ab", "cd");
    expect_far("a", "b");
    expect_far("abc", "");
    expect_far("", "ab");
    expect_near("ab", "ac");
}

static void the_nearest_wins_and_the_first_of_equals(void **state) {
    (void)state;
    assert_string_equal(nearest_of("rnadom", "rondam", "random"), "random");
    assert_string_equal(nearest_of("rnadom", "random", "rondam"), "random");
    assert_string_equal(nearest_of("bcast", "bcasx", "bcasy"), "bcasx");
}

/* Too long a name is not compared, so it takes no time. */
static void names_beyond_the_limit_are_passed_over(void **state) {
    (void)state;
    char longest[97], longer[98];
    memset(longest, 'a', sizeof longest);
    memset(longer, 'a', sizeof longer);
    longest[95] = '\0';
    longer[96] = '\0';
    expect_near(longest, longest);
    expect_far(longer, longest);
    expect_far(longest, longer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slip_is_near),
        cmocka_unit_test(two_changes_are_near_and_three_are_not),
        cmocka_unit_test(long_names_may_be_further),
        cmocka_unit_test(a_candidate_keeps_a_letter),
        cmocka_unit_test(the_nearest_wins_and_the_first_of_equals),
        cmocka_unit_test(names_beyond_the_limit_are_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
