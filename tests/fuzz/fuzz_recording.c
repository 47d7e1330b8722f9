/*
 * Fuzz target for recordings: the input holds the records of one to three ranks, which are read
 * behind the checksum of the header. The first byte says how many ranks there are and how they
 * ended; two bytes with their size stand before the records of a rank. Whatever is read must be a
 * valid program.
 */
#include "tests/support/traces/recording_maker.h"
#include "traces/traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[64];

static void remove_files(void) {
    for (unsigned rank = 0; rank < 3; rank++) {
        char path[96];
        snprintf(path, sizeof path, "%s/rank-%06u.rec", folder, rank);
        unlink(path);
    }
    rmdir(folder);
}

static void require(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void write_ranks(const uint8_t *data, size_t size) {
    unsigned first = size > 0 ? data[0] : 0, ranks = 1 + first % 3;
    const uint8_t *at = data + (size > 0), *end = data + size;
    for (unsigned rank = 0; rank < ranks; rank++) {
        struct recording_header header = recording_maker_header(rank, ranks);
        size_t part = 0;
        if (end - at >= 2) {
            part = (size_t)at[0] | (size_t)at[1] << 8;
            at += 2;
        }
        if (part > (size_t)(end - at)) part = (size_t)(end - at);
        header.state = (1 + first / 3 + rank * (first / 16)) % 4;
        recording_maker_write(folder, header, at, part, 0);
        at += part;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "/tmp/anax-fuzz-recording-%ld", (long)getpid());
        mkdir(folder, 0700);
        atexit(remove_files);
    }
    struct traces_config config = {.polling_gap_ps = 100000000, .user_regions = (size & 1) != 0};
    struct program *program = NULL;
    struct status status = STATUS_INIT;
    write_ranks(data, size);
    if (traces_open(&program, folder, &config, 1, NULL, NULL, &status) == STATUS_OK) {
        require(program_check_file(program, &status) == STATUS_OK, "an unchecked program was read");
        program_free(program);
    } else {
        require(program == NULL && status.text != NULL, "an error without a text");
    }
    status_clear(&status);
    return 0;
}
