/*
 * Programs: checks the program of a trace, writes it as a program file and reads that back, with
 * one thread, by CPU time. The file SCRATCH.anax is removed.
 *
 *   bench_program TRACE SCRATCH.anax
 */
#include "traces/traces.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double cpu_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static status_code measure(const struct program *program, const char *path, struct status *status) {
    struct program *again = NULL;
    double start_s = cpu_s();
    FORWARD_IF_ERROR(program_check(program, status));
    double checked_s = cpu_s();
    FORWARD_IF_ERROR(traces_write_program(program, path, true, 1, status));
    double written_s = cpu_s();
    FORWARD_IF_ERROR(traces_read_program(&again, path, 1, status));
    double read_s = cpu_s();
    uint64_t operations = again->operation_count;
    program_free(again);
    struct stat file;
    RETURN_ERROR_IF(stat(path, &file) != 0 || operations != program->operation_count, status,
                    STATUS_RUN, "%s: has not the operations that were written", path);
    printf("{\"operations\":%llu,\"check_operations_per_s\":%.0f,\"write_operations_per_s\":%.0f,"
           "\"read_operations_per_s\":%.0f,\"bytes_per_operation\":%.3f}\n",
           (unsigned long long)operations, (double)operations / (checked_s - start_s),
           (double)operations / (written_s - checked_s), (double)operations / (read_s - written_s),
           (double)file.st_size / (double)operations);
    return STATUS_OK;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 3) {
        fprintf(stderr, "usage: bench_program TRACE SCRATCH.anax\n");
        return 2;
    }
    struct status status = STATUS_INIT;
    struct traces_config config = {.polling_gap_ps = INT64_C(100000000)};
    struct program *program = NULL;
    status_code code = traces_open(&program, arguments[1], &config, 1, NULL, NULL, &status);
    if (code == STATUS_OK) code = measure(program, arguments[2], &status);
    if (code != STATUS_OK) fprintf(stderr, "bench_program: %s\n", status.text);
    unlink(arguments[2]);
    program_free(program);
    status_clear(&status);
    return code == STATUS_OK ? 0 : 1;
}
