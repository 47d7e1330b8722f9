/* Fuzz target: configuration files of any bytes are read or refused with a text, and what was read
 * is printed as a file that reads back to the same print. The same bytes as a list of jobs: each
 * item has values within their ranges, and a refused list has set nothing. */
#include "core/settings/config_file.h"
#include "mapping/placement.h"
#include "network/network_config.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ITEMS_MAX = 1000 };

struct item {
    struct placement_config values;
    struct setting_section section;
    struct settings settings;
};

struct item_list {
    struct item *items[ITEMS_MAX];
    size_t count, line;
};

static struct settings *next_item(void *context, size_t line) {
    struct item_list *list = context;
    if (line < list->line) abort();
    list->line = line;
    if (list->count == ITEMS_MAX) return NULL;
    struct item *item = calloc(1, sizeof *item);
    if (item == NULL) abort();
    item->section =
        (struct setting_section){placement_setting_rows, placement_setting_count, &item->values};
    item->settings = (struct settings){&item->section, 1};
    if (settings_set_defaults(&item->settings, NULL) != STATUS_OK) abort();
    list->items[list->count++] = item;
    return &item->settings;
}

/* Values are those that their own texts stand for; or, of a refused list, the defaults. */
static void check_item(struct item *item, const char *untouched, bool read) {
    char *print = settings_yaml(&item->settings);
    struct status status = STATUS_INIT;
    if (!read && strcmp(print, untouched) != 0) abort();
    if (config_text_read(&item->settings, "print", print, strlen(print), &status) != STATUS_OK)
        abort();
    char *again = settings_yaml(&item->settings);
    if (strcmp(print, again) != 0) abort();
    free(print);
    free(again);
    settings_clear(&item->settings);
    free(item);
}

static void read_list(const uint8_t *data, size_t size) {
    static const char key[] = "jobs";
    struct item_list found = {.count = 0};
    const struct config_list list = {key, "job", &found, next_item};
    struct status status = STATUS_INIT;
    bool read =
        config_list_text_read(&list, "fuzz", (const char *)data, size, &status) == STATUS_OK;
    if (!read && (status.text == NULL || strlen(status.text) < 10)) abort();
    status_clear(&status);
    struct item_list fresh = {.count = 0};
    char *untouched = settings_yaml(next_item(&fresh, 0));
    for (size_t i = 0; i < found.count; i++)
        check_item(found.items[i], untouched, read);
    check_item(fresh.items[0], untouched, false);
    free(untouched);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_list(data, size);
    struct network_config config;
    struct setting_section section = {network_setting_rows, network_setting_count, &config};
    struct settings settings = {&section, 1};
    struct status status = STATUS_INIT;
    if (settings_set_defaults(&settings, &status) != STATUS_OK) abort();
    if (config_text_read(&settings, "fuzz", (const char *)data, size, &status) != STATUS_OK) {
        if (status.text == NULL || strlen(status.text) < 10) abort();
        status_clear(&status);
        return 0;
    }
    if (network_config_check(&config, &status) != STATUS_OK) status_clear(&status);
    char *first = settings_yaml(&settings);
    if (config_text_read(&settings, "print", first, strlen(first), &status) != STATUS_OK) abort();
    char *second = settings_yaml(&settings);
    if (strcmp(first, second) != 0) abort();
    free(first);
    free(second);
    return 0;
}
