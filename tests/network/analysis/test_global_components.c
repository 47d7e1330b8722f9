/* Global connected components: of known wirings, and of what Belka et al. 2017 state of them. */
#include "network/analysis/components_conjecture.h"
#include "network/analysis/global_components.h"
#include "network/analysis/nautilus_components.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct global_components components_of(const char *name, uint32_t a, uint32_t h,
                                              uint32_t g) {
    const struct arrangement *row = arrangements();
    while (strcmp(row->name, name) != 0)
        row++;
    struct arrangement_input input = {{a, h, g}, 1, NULL};
    uint32_t *other = calloc((size_t)a * h * g, sizeof *other);
    assert_non_null(other);
    struct global_components components;
    assert_int_equal(arrangement_wire(row, &input, other, NULL), STATUS_OK);
    assert_int_equal(global_components_find(&components, &input.shape, other, NULL), STATUS_OK);
    free(other);
    return components;
}

static uint32_t count_of(const char *name, uint32_t a, uint32_t h) {
    struct global_components components = components_of(name, a, h, a * h + 1);
    uint32_t count = components.count, routers = 0, sum = 0;
    for (uint32_t i = 0; i < components.size_count; i++) {
        assert_true(i == 0 || components.sizes[i].routers < components.sizes[i - 1].routers);
        routers += components.sizes[i].routers * components.sizes[i].count;
        sum += components.sizes[i].count;
    }
    assert_int_equal(routers, a * (a * h + 1));
    assert_int_equal(sum, count);
    global_components_free(&components);
    return count;
}

/* Section 3: nautilus on (p,4,2) has several, one of them of 3 routers; helix has one on (p,4,2)
 * and (p,3,3). Relative joins router j with a-1-j only, so it has at least a/2 components. */
static void components_are_those_of_the_paper(void **state) {
    (void)state;
    struct global_components components = components_of("nautilus", 4, 2, 9);
    assert_true(components.count > 1);
    bool three = false;
    for (uint32_t i = 0; i < components.size_count; i++)
        three = three || components.sizes[i].routers == 3;
    assert_true(three);
    global_components_free(&components);
    assert_int_equal(count_of("helix", 4, 2), 1);
    assert_int_equal(count_of("helix", 3, 3), 1);
    assert_int_equal(count_of("relative", 4, 2), 2);
    assert_int_equal(count_of("relative", 5, 2), 3);
}

/* Without links, every router is its own component. */
static void without_links_each_router_is_a_component(void **state) {
    (void)state;
    struct global_components components = components_of("absolute", 5, 2, 1);
    assert_int_equal(components.count, 5);
    assert_int_equal(components.size_count, 1);
    assert_int_equal(components.sizes[0].routers, 1);
    global_components_free(&components);
}

/* The theorems of section 4. */
static void the_theorems_of_section_4_hold(void **state) {
    (void)state;
    for (uint32_t h = 3; h <= 8; h++) {
        for (uint32_t a = 1; a <= h; a++)
            assert_int_equal(count_of("nautilus", a, h), 1);
        assert_int_equal(count_of("nautilus", 2 * h, h), 1);
    }
    for (uint32_t h = 4; h <= 7; h++) {
        for (uint32_t a = 1; a <= 12; a++)
            assert_int_equal(count_of("helix", a, h), 1);
    }
}

/* The closed forms count what the wiring has, also where there are several. */
static void closed_forms_count_the_components_of_the_wiring(void **state) {
    (void)state;
    uint32_t several = 0;
    for (uint32_t a = 1; a <= 17; a++) {
        for (uint32_t h = 1; h <= 7; h++) {
            uint32_t count;
            assert_int_equal(nautilus_count_components(a, h, false, &count, NULL), STATUS_OK);
            assert_int_equal(count, count_of("nautilus", a, h));
            several += count > 1;
            assert_int_equal(nautilus_count_components(a, h, true, &count, NULL), STATUS_OK);
            assert_int_equal(count, count_of("nautilus-index", a, h));
        }
    }
    assert_true(several > 17);
    const uint32_t larger[][2] = {{61, 2}, {40, 2}, {61, 9}, {40, 3}, {35, 12}};
    for (size_t n = 0; n < sizeof larger / sizeof *larger; n++) {
        uint32_t a = larger[n][0], h = larger[n][1], count;
        assert_int_equal(nautilus_count_components(a, h, false, &count, NULL), STATUS_OK);
        assert_int_equal(count, count_of("nautilus", a, h));
        assert_int_equal(nautilus_count_components(a, h, true, &count, NULL), STATUS_OK);
        assert_int_equal(count, count_of("nautilus-index", a, h));
    }
}

/* A false conjecture is found out: h = 2 is not what the authors claim of nautilus. */
static void a_false_conjecture_is_found_out(void **state) {
    (void)state;
    const struct components_conjecture too_much = {"nautilus", 2, 3, 1, false, 12, false};
    struct components_verdict verdict;
    assert_int_equal(components_conjecture_verify(&too_much, 2, &verdict, NULL), STATUS_OK);
    assert_int_equal(verdict.machines, 12);
    assert_true(verdict.exceptions > 0 && verdict.components > 1 && verdict.globals == 2);
    assert_int_equal(count_of("nautilus", verdict.routers, 2), verdict.components);
    for (uint32_t a = 1; a < verdict.routers; a++)
        assert_int_equal(count_of("nautilus", a, 2), 1);
    assert_int_equal(components_conjecture_verify(&too_much, 3, &verdict, NULL), STATUS_OK);
    assert_int_equal(verdict.exceptions, 0);
}

/* Each conjecture of the paper holds of its smaller machines. */
static void conjectures_hold_on_smaller_machines(void **state) {
    (void)state;
    uint32_t count = 0;
    for (const struct components_conjecture *row = components_conjectures();
         row->arrangement != NULL; row++) {
        struct components_conjecture small = *row;
        small.max_routers = 24;
        for (uint32_t h = small.min_globals; h <= small.max_globals; h++) {
            struct components_verdict verdict;
            assert_int_equal(components_conjecture_verify(&small, h, &verdict, NULL), STATUS_OK);
            assert_true(verdict.machines > 0);
            assert_int_equal(verdict.exceptions, 0);
        }
        count++;
    }
    assert_int_equal(count, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_those_of_the_paper),
        cmocka_unit_test(without_links_each_router_is_a_component),
        cmocka_unit_test(the_theorems_of_section_4_hold),
        cmocka_unit_test(closed_forms_count_the_components_of_the_wiring),
        cmocka_unit_test(a_false_conjecture_is_found_out),
        cmocka_unit_test(conjectures_hold_on_smaller_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
