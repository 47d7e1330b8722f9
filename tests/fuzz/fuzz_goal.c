/*
 * Fuzz target for schedules in GOAL: a text or a binary file is refused with a reason, or becomes a
 * program that passes program_check and comes back from a program file with the same content.
 */
#include "traces/traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[64], file_path[64];

static void remove_files(void) {
    unlink(path);
    unlink(file_path);
}

static void require(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void write_and_read(const struct program *program) {
    struct status status = STATUS_INIT;
    if (program_check_file(program, &status) != STATUS_OK) require(0, status.text);
    require(traces_write_program(program, file_path, true, 1, &status) == STATUS_OK,
            "cannot be written");
    struct program *again = NULL;
    if (traces_read_program(&again, file_path, 1, &status) != STATUS_OK) require(0, status.text);
    require(again->content_hash == program->content_hash, "comes back with another content");
    program_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (path[0] == '\0') {
        snprintf(path, sizeof path, "/tmp/anax-fuzz-%ld.goal", (long)getpid());
        snprintf(file_path, sizeof file_path, "/tmp/anax-fuzz-%ld.anax", (long)getpid());
        atexit(remove_files);
    }
    FILE *file = fopen(path, "wb");
    require(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0, "no file");
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    if (traces_import_goal(&program, path, 1, NULL, NULL, &status) == STATUS_OK) {
        write_and_read(program);
        program_free(program);
    } else {
        require(program == NULL && status.text != NULL, "an error without a text");
    }
    status_clear(&status);
    return 0;
}
