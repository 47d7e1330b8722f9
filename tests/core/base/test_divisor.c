/* Division by multiplication against division. */
#include "core/base/divisor.h"

#include "core/simulation/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check(uint32_t by, uint32_t number) {
    if (divisor_quotient(divisor_of(by), number) != number / by) fail_msg("%u / %u", number, by);
}

/* Quotients change at multiples of the divisor. */
static void check_around(uint32_t by, uint32_t number) {
    uint32_t multiple = number - number % by;
    check(by, number);
    check(by, multiple);
    check(by, multiple > 0 ? multiple - 1 : 0);
    check(by, multiple <= UINT32_MAX - by ? multiple + by : UINT32_MAX);
    check(by, UINT32_MAX);
}

static void small_divisors_divide_small_numbers(void **state) {
    (void)state;
    for (uint32_t by = 1; by <= 300; by++) {
        for (uint32_t number = 0; number <= 3000; number++)
            check(by, number);
        check_around(by, UINT32_MAX - 5);
    }
}

static void random_divisors_divide_random_numbers(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 200000; i++) {
        struct random_block block = random_draw(7, RANDOM_NOISE, 1, i);
        uint32_t by = block.word[0] >> (block.word[2] % 32);
        check_around(by > 0 ? by : 1, block.word[1]);
    }
    check_around(UINT32_MAX, UINT32_MAX);
    check_around(UINT32_MAX - 1, UINT32_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_divisors_divide_small_numbers),
                                       cmocka_unit_test(random_divisors_divide_random_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
