/* Starts copies of the test that are connected by sockets. Pairs of processes exchange one after
 * another, in one order for all, so none waits for one that waits for it. */
#include "tests/support/core/process_mesh.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PROCESSES_MAX = 8, PATIENCE_S = 100 };

static struct {
    unsigned number;
    unsigned count;
    int sockets[PROCESSES_MAX];
    char *arrived[PROCESSES_MAX];
    unsigned broken; /* process that gives up */
    unsigned last;   /* in this exchange */
    unsigned exchanges;
    /* The reduction that has begun: */
    char *sum;
    size_t sum_bytes;
    processes_add add;
    void *context;
} mesh;

static int begin(unsigned *number, unsigned *count, unsigned *local, char *error,
                 size_t error_bytes) {
    (void)error, (void)error_bytes;
    *number = mesh.number;
    *count = *local = mesh.count;
    return 0;
}

/* Returns false if the other process has ended. */
static bool transfer(ssize_t (*function)(int, void *, size_t), int socket, void *data,
                     size_t bytes) {
    for (char *at = data; bytes > 0;) {
        ssize_t done = function(socket, at, bytes);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        bytes -= (size_t)done;
    }
    return true;
}

static ssize_t write_some(int socket, void *data, size_t bytes) {
    return send(socket, data, bytes, MSG_NOSIGNAL);
}

static bool send_block(unsigned to, const struct processes_block *block) {
    uint64_t bytes = block->bytes;
    return transfer(write_some, mesh.sockets[to], &bytes, sizeof bytes) &&
           transfer(write_some, mesh.sockets[to], block->data, block->bytes);
}

static bool take_block(unsigned from, struct processes_block *block) {
    uint64_t bytes = 0;
    if (!transfer(read, mesh.sockets[from], &bytes, sizeof bytes)) return false;
    free(mesh.arrived[from]);
    mesh.arrived[from] = malloc(bytes + 1);
    if (mesh.arrived[from] == NULL) return false;
    *block = (struct processes_block){mesh.arrived[from], bytes};
    return transfer(read, mesh.sockets[from], mesh.arrived[from], bytes);
}

static int exchange_pairs(const struct processes_block *sent, struct processes_block *received) {
    bool are_there = true;
    for (unsigned low = 0; low < mesh.count; low++) {
        for (unsigned high = low + 1; high < mesh.count && are_there; high++) {
            if (low == mesh.number)
                are_there = send_block(high, &sent[high]) && take_block(high, &received[high]);
            else if (high == mesh.number)
                are_there = take_block(low, &received[low]) && send_block(low, &sent[low]);
        }
    }
    return !are_there;
}

static int exchange(const struct processes_block *sent, struct processes_block *received,
                    int is_patient) {
    (void)is_patient;
    if (++mesh.exchanges == mesh.last && mesh.number == mesh.broken) return 1;
    return exchange_pairs(sent, received);
}

static void reduce(void *sum, size_t bytes, processes_add add, void *context) {
    mesh.sum = sum;
    mesh.sum_bytes = bytes;
    mesh.add = add;
    mesh.context = context;
}

/* Each process gets the parts of all others and adds them in an order of its own. Which blocks come
 * is told before them; *expected must say the same. */
static int exchange_some(const struct processes_block *sent, struct processes_block *received,
                         const uint32_t *expected, int is_patient) {
    struct processes_block parts[PROCESSES_MAX];
    unsigned arrived = 0;
    for (unsigned i = 0; i < mesh.count; i++)
        parts[i] = (struct processes_block){mesh.sum, mesh.sum_bytes};
    int failed = exchange(parts, received, is_patient);
    for (unsigned i = 1; i < mesh.count && failed == 0; i++)
        mesh.add(mesh.context, mesh.sum, received[(mesh.number + i) % mesh.count].data);
    if (failed == 0) failed = exchange_pairs(sent, received);
    for (unsigned i = 0; i < mesh.count && failed == 0; i++) {
        if (i == mesh.number) continue;
        if (received[i].bytes == 0) received[i].data = NULL; /* it was not sent */
        arrived += received[i].data != NULL;
    }
    return failed != 0 || arrived != *expected;
}

static void end(void) {
    for (unsigned i = 0; i < mesh.count; i++) {
        if (i != mesh.number) close(mesh.sockets[i]);
        free(mesh.arrived[i]);
        mesh.arrived[i] = NULL;
    }
}

/* The others find the sockets closed, and end as well. */
static void end_all(int exit_code) {
    (void)exit_code;
    end();
}

static const struct processes_plugin plugin = {.version = PROCESSES_PLUGIN_VERSION,
                                               .begin = begin,
                                               .exchange = exchange,
                                               .reduce = reduce,
                                               .exchange_some = exchange_some,
                                               .end = end,
                                               .end_all = end_all};

void process_mesh_break(unsigned process, unsigned last) {
    mesh.broken = process;
    mesh.last = last;
}

/* Makes this process one of the mesh: closes the sockets of others. */
static void join(unsigned number, int pairs[PROCESSES_MAX][PROCESSES_MAX]) {
    mesh.number = number;
    mesh.exchanges = 0;
    for (unsigned low = 0; low < mesh.count; low++) {
        for (unsigned high = 0; high < mesh.count; high++) {
            if (low == high) continue;
            if (low == number)
                mesh.sockets[high] = pairs[low][high];
            else
                close(pairs[low][high]);
        }
    }
}

static status_code run_part(status_code (*function)(void *context, struct processes *processes,
                                                    struct status *status),
                            void *context) {
    struct processes *processes = NULL;
    struct status status = STATUS_INIT;
    status_code code = processes_begin_with_plugin(&processes, &plugin, &status);
    if (code == STATUS_OK) code = function(context, processes, &status);
    code = processes_finish(processes, code, &status);
    processes_leave(processes, 0);
    status_clear(&status);
    return code;
}

status_code process_mesh_run(unsigned count,
                             status_code (*function)(void *context, struct processes *processes,
                                                     struct status *status),
                             void *context) {
    int pairs[PROCESSES_MAX][PROCESSES_MAX] = {{0}};
    pid_t children[PROCESSES_MAX] = {0};
    assert_true(count <= PROCESSES_MAX);
    mesh.count = count;
    for (unsigned low = 0; low < count; low++) {
        for (unsigned high = low + 1; high < count; high++) {
            int ends[2];
            assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
            pairs[low][high] = ends[0];
            pairs[high][low] = ends[1];
        }
    }
    fflush(NULL);
    for (unsigned i = 1; i < count; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] > 0) continue;
        alarm(PATIENCE_S);
        join(i, pairs);
        status_code code = run_part(function, context);
#ifdef ANAX_COVERAGE
        exit((int)code); /* writes the counts of executed lines */
#endif
        _exit((int)code);
    }
    join(0, pairs);
    status_code code = run_part(function, context);
    for (unsigned i = 1; i < count; i++) {
        int ended = 0;
        assert_int_equal(waitpid(children[i], &ended, 0), children[i]);
        assert_true(WIFEXITED(ended));
        assert_int_equal(WEXITSTATUS(ended), code);
    }
    return code;
}
