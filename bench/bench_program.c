/*
 * How fast programs are made, checked, written and read, and how small their files are:
 *   bench_program [pattern [ranks [iterations]]]
 */
#include "traces/traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double start_s;
static clock_t start_cpu;

/* Says how long it took since the last step. */
static void step(const char *what, status_code code, status *status, uint64_t operations) {
    if (code != STATUS_OK) {
        fprintf(stderr, "%s: %s\n", what, status->text);
        exit(1);
    }
    double took_s = now_s() - start_s;
    double cpu_s = (double)(clock() - start_cpu) / CLOCKS_PER_SEC;
    printf("%-10s %8.3f s %8.3f CPU s %8.1f million operations/CPU s\n", what, took_s, cpu_s,
           (double)operations / cpu_s / 1e6);
    start_s = now_s();
    start_cpu = clock();
}

int main(int count, char **arguments) {
    const char *pattern = count > 1 ? arguments[1] : "halo3d";
    traces_pattern_config config = {
        .rank_count = count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 4096,
        .iterations = count > 3 ? (uint32_t)strtoul(arguments[3], NULL, 10) : 10,
        .size_bytes = 8192,
        .compute_ps = 1000000,
        .neighbours = 26};
    program *program = NULL, *read = NULL;
    status status = STATUS_INIT;
    char path[64];
    snprintf(path, sizeof path, "/tmp/bench-%ld.anax", (long)getpid());
    start_s = now_s();
    start_cpu = clock();
    status_code code = traces_generate(&program, pattern, &config, &status);
    uint64_t operations = program != NULL ? program->operation_count : 0;
    step("generate", code, &status, operations);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    step("check", program_check(program, &status), &status, operations);
    step("write", traces_write_program(program, path, 0, &status), &status, operations);
    step("read", traces_read_program(&read, path, 0, &status), &status, operations);
    struct stat about;
    uint64_t program_bytes = operations * sizeof *program->operations +
                             program->wait_slot_count * sizeof *program->wait_slots;
    if (stat(path, &about) == 0)
        printf(
            "%llu operations in %.1f MiB; file %.1f MiB (1/%.0f); peak while making it %.1f MiB\n",
            (unsigned long long)operations, (double)program_bytes / 1048576.0,
            (double)about.st_size / 1048576.0, (double)program_bytes / (double)about.st_size,
            (double)usage.ru_maxrss / 1024.0);
    unlink(path);
    program_free(program);
    program_free(read);
    return 0;
}
