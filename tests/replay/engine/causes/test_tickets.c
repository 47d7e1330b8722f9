/* Tickets: every number is given once at a time, and none is the one that stands for no ticket. */
#include "replay/engine/causes/tickets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 6 * TICKETS_IN_CHUNK, OWNS = 2 };

static void numbers_in_use_differ(void **state) {
    (void)state;
    static bool is_out[2 * COUNT];
    static struct ticket *taken[COUNT];
    struct tickets tickets;
    struct tickets_own own[OWNS] = {{0}};
    struct chain_store store;
    chain_store_new(&store);
    assert_true(tickets_new(&tickets, &store));
    for (unsigned round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            struct ticket *ticket = taken[i] = ticket_take(&tickets, &own[(i + round) % OWNS]);
            assert_non_null(ticket);
            assert_int_not_equal(ticket->ticket_number, TICKETS_NONE);
            assert_true(ticket->ticket_number < 2 * COUNT);
            assert_ptr_equal(ticket_at(&tickets, ticket->ticket_number), ticket);
            assert_false(is_out[ticket->ticket_number]);
            is_out[ticket->ticket_number] = true;
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            is_out[taken[i]->ticket_number] = false;
            ticket_give(&tickets, &own[round % OWNS], taken[i]);
        }
    }
    tickets_free(&tickets);
    chain_store_free(&store);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_in_use_differ)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
