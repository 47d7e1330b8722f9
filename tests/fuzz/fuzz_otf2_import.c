/*
 * Fuzz target: a real archive with one of its files damaged is imported to a sound program, or
 * refused with one line of text; packed while it is read, it gives the same.
 *
 * Byte 0 of the input chooses the file, byte 1 how the rest is used: as the file's content, as its
 * content from some place on, or as patches of three bytes (place, place, value).
 */
#include "traces/traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_FILE = 1 << 16 };
/* Of trace.memory: the archive, which has 1,088 records, is packed while it is read. */
enum { PACKING_BYTES = 1200 * 96 };

struct damaged_file {
    const char *name;
    uint8_t bytes[MAX_FILE];
    size_t size;
};

static struct damaged_file files[] = {{.name = "traces.otf2"},
                                      {.name = "traces.def"},
                                      {.name = "traces/0.def"},
                                      {.name = "traces/0.evt"},
                                      {.name = "traces/3.evt"}};
enum { FILE_COUNT = sizeof files / sizeof files[0] };

static char folder[] = "/tmp/anax_fuzz_XXXXXX";

int LLVMFuzzerInitialize(int *argument_count, char ***arguments);
struct opened {
    status_code code;
    uint64_t hash;
    char text[2048]; /* of an error */
};

/* Opens the archive with so much of trace.memory. */
static struct opened open_archive(int64_t memory_bytes) {
    const struct traces_config config = {
        .polling_gap_ps = 1000, .user_regions = true, .memory_bytes = memory_bytes};
    struct opened opened = {0};
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    opened.code = traces_open(&program, folder, &config, 1, NULL, NULL, &status);
    if (opened.code != STATUS_OK) {
        if (status.text == NULL || strchr(status.text, '\n') != NULL) abort();
        snprintf(opened.text, sizeof opened.text, "%s", status.text);
        status_clear(&status);
    } else if (program_check_file(program, &status) != STATUS_OK) {
        fprintf(stderr, "%s\n", status.text);
        abort();
    }
    if (program != NULL) opened.hash = program->content_hash;
    program_free(program);
    return opened;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);
const char *__asan_default_options(void);

/* libotf2 does not free what it has built up when it refuses a file. */
const char *__lsan_default_suppressions(void) {
    return "leak:libopen-trace-format2\n";
}

/* A damaged record can say that it has 2^32 elements: libotf2 then asks for so much memory before
 * it finds the file too short. That costs addresses, but the sanitizer marks each of them in
 * memory. */
const char *__asan_default_options(void) {
    return "max_allocation_size_mb=1024:allocator_may_return_null=1";
}

static void remove_folder(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) perror("rm");
}

static void write_file(const char *name, const uint8_t *bytes, size_t size) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size) abort();
    fclose(file);
}

int LLVMFuzzerInitialize(int *argument_count, char ***arguments) {
    (void)argument_count, (void)arguments;
    char command[1200], path[256];
    if (mkdtemp(folder) == NULL) abort();
    atexit(remove_folder);
    snprintf(command, sizeof command,
             "cp -r '" ANAX_SOURCE_DIR "/tests/data/otf2/sp_cancel_8/.' '%s' && chmod -R u+w '%s'",
             folder, folder);
    if (system(command) != 0) abort();
    for (size_t i = 0; i < FILE_COUNT; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        FILE *file = fopen(path, "rb");
        if (file == NULL) abort();
        files[i].size = fread(files[i].bytes, 1, MAX_FILE, file);
        fclose(file);
    }
    return 0;
}

static void damage(const struct damaged_file *file, uint8_t mode, const uint8_t *data,
                   size_t size) {
    static uint8_t bytes[2 * MAX_FILE];
    size_t length = file->size;
    memcpy(bytes, file->bytes, length);
    if (mode % 3 == 0) {
        length = size < MAX_FILE ? size : MAX_FILE;
        memcpy(bytes, data, length);
    } else if (mode % 3 == 1 && size >= 2) {
        size_t place = (size_t)(data[0] << 8 | data[1]) % length;
        length = place + (size - 2 < MAX_FILE ? size - 2 : MAX_FILE);
        memcpy(bytes + place, data + 2, length - place);
    } else {
        for (size_t i = 0; i + 3 <= size; i += 3)
            bytes[(size_t)(data[i] << 8 | data[i + 1]) % length] = data[i + 2];
    }
    write_file(file->name, bytes, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    const struct damaged_file *file = &files[data[0] % FILE_COUNT];
    damage(file, data[1], data + 2, size - 2);
    struct opened plain = open_archive(0), packed = open_archive(PACKING_BYTES);
    if (plain.code != packed.code || plain.hash != packed.hash ||
        strcmp(plain.text, packed.text) != 0) {
        fprintf(stderr, "packed, the archive is another: %s, %s\n", plain.text, packed.text);
        abort();
    }
    write_file(file->name, file->bytes, file->size);
    return 0;
}
