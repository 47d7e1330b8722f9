/*
 * One command of a benchmark, run as a process of its own: what it printed and what it cost.
 *
 * Must not know which figures are made of that. Invariant: a command that fails gives no measure.
 */
#ifndef ANAX_BENCH_CHILD_H
#define ANAX_BENCH_CHILD_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

struct child_measure {
    double wall_s;
    double cpu_s; /* user and system, all threads */
    double peak_rss_bytes;
    struct json_object *json; /* what it printed; NULL when that is not JSON */
};

/* Runs a command of words separated by single spaces, without a shell; its standard error stays
 * that of the caller. False, with a message on standard error, when it cannot be run or fails. */
bool child_run(const char *command, struct child_measure *measure);
/* Frees what child_run has measured. */
void child_clear(struct child_measure *measure);

#endif
