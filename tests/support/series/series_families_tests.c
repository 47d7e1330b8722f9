/*
 * Families of programs that test requests (MPI_Testall) before they wait for them: which tests find
 * them complete depends on timing.
 */
#include "tests/support/series/series_family_rank.h"

#include <stddef.h>
#include <stdint.h>

enum { MOST_REQUESTS = 16 }; /* in flight */

/* Starts a message to a rank and one from it, with requests that follow *request. */
static void start(struct family_rank *at, uint32_t other, uint64_t bytes, uint64_t *request) {
    call(at, at->post);
    builder_send(at->builder, at->rank, at->world, other, at->tag, bytes, 0, ++*request,
                 at->status);
    end(at);
    call(at, at->post);
    builder_receive(at->builder, at->rank, at->world, other, at->tag, bytes, 0, ++*request,
                    at->status);
    end(at);
}

/* Lists the requests from first + 1 to last, and returns their number. */
static uint32_t list(uint64_t first, uint64_t last, uint64_t requests[MOST_REQUESTS]) {
    uint32_t count = 0;
    for (; first + count < last; count++)
        requests[count] = first + count + 1;
    return count;
}

static void wait_for(struct family_rank *at, uint64_t first, uint64_t last) {
    uint64_t requests[MOST_REQUESTS];
    const uint32_t count = list(first, last, requests);
    call(at, at->wait);
    builder_wait(at->builder, at->rank, requests, count, at->status);
    end(at);
}

/* A test finds the requests complete. */
static void test_for(struct family_rank *at, uint64_t first, uint64_t last) {
    uint64_t requests[MOST_REQUESTS], given = 0;
    const uint32_t count = list(first, last, requests);
    call(at, at->test);
    builder_wait_tested(at->builder, at->rank, requests, count, &given, at->status);
    end(at);
}

/* Returns whether a test finds the requests of an iteration complete. 64 ranks and more take so
 * long that none does. */
static bool is_complete(uint32_t rank, uint32_t ranks, uint32_t iteration) {
    const uint32_t number = (rank * 64 + iteration) * 2654435761u + ranks * 40503u;
    return ranks < 64 && (number ^ number >> 15) % 3 == 0;
}

/* Starts the messages to the neighbours in a row of a plane without ends, or in a column. */
static void start_along(struct family_rank *at, uint32_t r, uint32_t n, uint32_t dimension,
                        uint64_t *request) {
    uint32_t e[2];
    plane(n, e);
    const uint32_t c = dimension == 0 ? r % e[0] : r / e[0], step = dimension == 0 ? 1 : e[0];
    at->tag = (int32_t)dimension;
    if (c > 0) start(at, r - step, 2048, request);
    if (c + 1 < e[dimension]) start(at, r + step, 2048, request);
}

/* The messages of a row may be complete before those of a column start (TeaLeaf). */
static void test_of_rows(struct family_rank *at, uint32_t r, uint32_t n) {
    uint64_t request = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t first = request;
        start_along(at, r, n, 0, &request);
        const uint64_t rows = request;
        if (is_complete(r, n, i)) test_for(at, first, rows);
        start_along(at, r, n, 1, &request);
        compute(at, 3000000);
        if (!is_complete(r, n, i)) wait_for(at, first, rows);
        wait_for(at, rows, request);
        sum(at);
    }
}

/* A test comes before a computation, and a wait behind it if the test has failed. */
static void test_or_wait(struct family_rank *at, uint32_t r, uint32_t n) {
    uint64_t request = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t first = request;
        start(at, (r + 1) % n, 1024, &request);
        start(at, (r + n - 1) % n, 1024, &request);
        if (is_complete(r, n, i)) test_for(at, first, request);
        compute(at, 3000000);
        if (!is_complete(r, n, i)) wait_for(at, first, request);
        sum(at);
    }
}

/* The messages of a row are tested, and a call waits for all that are not complete. */
static void test_of_some(struct family_rank *at, uint32_t r, uint32_t n) {
    uint64_t request = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t first = request;
        start_along(at, r, n, 0, &request);
        const uint64_t rows = request;
        start_along(at, r, n, 1, &request);
        if (is_complete(r, n, i)) test_for(at, first, rows);
        compute(at, 3000000);
        wait_for(at, is_complete(r, n, i) ? rows : first, request);
        sum(at);
    }
}

/* Two tests find one message complete each, one before another message starts and one behind it, or
 * one test finds both. No rank waits for them. */
static void tests_alone(struct family_rank *at, uint32_t r, uint32_t n) {
    uint64_t request = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t first = request, half = first + 2;
        start(at, (r + 1) % n, 1024, &request);
        start(at, (r + n - 1) % n, 1024, &request);
        const uint64_t both = request;
        if (is_complete(r, n, i)) test_for(at, first, half);
        start(at, n - 1 - r, 1024, &request);
        test_for(at, is_complete(r, n, i) ? half : first, both);
        wait_for(at, both, request);
    }
}

/* A row of a table of families that post requests. */
#define FAMILY_OF_REQUESTS(name)                                                                   \
    { #name, name, NULL, 0, true }

const struct series_family_pattern series_families_of_tests[] = {
    FAMILY_OF_REQUESTS(test_of_rows), FAMILY_OF_REQUESTS(test_or_wait),
    FAMILY_OF_REQUESTS(test_of_some), FAMILY_OF_REQUESTS(tests_alone),
    {NULL, NULL, NULL, 0, false},
};
