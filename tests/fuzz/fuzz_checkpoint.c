/* Fuzz target: a description of a checkpoint of any bytes, a state file of any bytes, and a state
 * of any bytes that has the right checksum, are read or refused with a text, without reading beyond
 * what is there. The first byte says which. */
#include "core/checkpoint/checkpoint_files.h"
#include "core/settings/config_file.h"
#include "network/engine/rail_group_checkpoint.h"
#include "tests/support/core/scratch_folder.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[SCRATCH_FOLDER_BYTES];

static void remove_folder(void) {
    scratch_folder_remove(folder);
}

static void write_file(const char *name, const uint8_t *data, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
}

static void check_error(status_code code, struct status *status) {
    if (code != STATUS_OK && (status->text == NULL || strlen(status->text) < 10)) abort();
    status_clear(status);
}

static void read_text(const uint8_t *data, size_t size) {
    struct checkpoint_text text;
    struct status status = STATUS_INIT;
    write_file("checkpoint", data, size);
    check_error(checkpoint_text_read(&text, folder, &status), &status);
    checkpoint_text_clear(&text);
}

static void read_state(const uint8_t *data, size_t size) {
    struct checkpoint_file sums = {.bytes = size};
    const struct checkpoint_text text = {.generation = 1, .file_count = 1, .files = &sums};
    struct checkpoint_stream stream;
    struct checkpoint_head head;
    struct saved_state state = {0};
    struct status status = STATUS_INIT;
    bool is_end = false;
    write_file("state-1-0", data, size);
    status_code code = checkpoint_stream_open(&stream, folder, &text, 0, &status);
    if (code != STATUS_OK) abort();
    while (code == STATUS_OK) {
        code = checkpoint_stream_next(&stream, &head, &is_end, &status);
        if (code != STATUS_OK || is_end) break;
        code = head.part % 2 ? checkpoint_stream_read(&stream, &head, &state, &status)
                             : checkpoint_stream_skip(&stream, &head, &status);
    }
    check_error(code, &status);
    saved_free(&state);
    fclose(stream.file);
    free(stream.path);
}

static void restore(const uint8_t *data, size_t size) {
    struct network_config config = {0};
    struct setting_section section = {network_setting_rows, network_setting_count, &config};
    struct settings settings = {&section, 1};
    struct network *network = NULL;
    const struct network_sink sink = {.is_unordered = true};
    if (settings_set_defaults(&settings, NULL) != STATUS_OK) abort();
    config.nodes_per_router = config.routers_per_group = config.globals_per_router = 1;
    config.groups = 2;
    config.nic_window_bytes = 4096;
    config.acknowledgement = 1;
    if (network_new(&network, &config, 1, &sink, NULL) != STATUS_OK) abort();
    struct saved_state state = {0};
    save_or_restore_bytes(&state, (void *)(uintptr_t)data, size);
    saved_reset(&state, true);
    rail_group_save_or_restore(&state, network_home_of_group(network, 0));
    saved_free(&state);
    network_free(network);
    settings_clear(&settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (folder[0] == '\0') {
        if (!scratch_folder_in_memory(folder)) abort();
        atexit(remove_folder);
    }
    if (size == 0) return 0;
    if (data[0] % 3 == 0)
        read_text(data + 1, size - 1);
    else if (data[0] % 3 == 1)
        read_state(data + 1, size - 1);
    else
        restore(data + 1, size - 1);
    return 0;
}
