/*
 * A table of settings with one of each kind, for tests of what reads such tables.
 */
#ifndef ANAX_TESTS_EXAMPLE_SETTINGS_H
#define ANAX_TESTS_EXAMPLE_SETTINGS_H

#include "core/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct example {
    int64_t latency_ps, size_bytes, bandwidth, count, share, limit_bytes;
    bool on;
    int32_t colour;
    char *file;
    int64_t width_mm;
    char list[SETTING_PATH_BYTES];
    struct by_size delay_ps;
    struct by_hop bias;
};

static const char *const *colours(void) {
    static const char *const names[] = {"red", "green", "blue", NULL};
    return names;
}

static const struct setting_row rows[] = {
    {"shop.door.latency", SETTING_TIME, offsetof(struct example, latency_ps), 1, 1000000000000,
     "300ns", NULL, "how long"},
    {"shop.size", SETTING_SIZE, offsetof(struct example, size_bytes), 0, INT64_MAX, "2KiB", NULL,
     "size"},
    {"shop.door.bandwidth", SETTING_BANDWIDTH, offsetof(struct example, bandwidth), 1, INT64_MAX,
     "12.5GB/s", NULL, "how fast"},
    {"shop.count", SETTING_COUNT, offsetof(struct example, count), 1, 10, "3", NULL, "how many"},
    {"shop.share", SETTING_RATIO, offsetof(struct example, share), 0, 1000000, "25%", NULL,
     "share"},
    {"shop.on", SETTING_SWITCH, offsetof(struct example, on), 0, 0, "yes", NULL, "whether"},
    {"shop.colour", SETTING_CHOICE, offsetof(struct example, colour), 0, 0, "green", colours,
     "which"},
    {"shop.limit", SETTING_SIZE, offsetof(struct example, limit_bytes), 0, 4096, "green", colours,
     "words in place of a number"},
    {"shop.file", SETTING_TEXT, offsetof(struct example, file), 0, 0, "", NULL, "from where"},
    {"shop.width", SETTING_LENGTH, offsetof(struct example, width_mm), 0, 10000, "1.5m", NULL,
     "how wide"},
    {"shop.list", SETTING_PATH, offsetof(struct example, list), 0, 0, "", NULL, "in which file"},
    {"shop.delay", SETTING_TIME_BY_SIZE, offsetof(struct example, delay_ps), 0, 1000000000000,
     "5ns/1KiB:7ns", NULL, "how late"},
    {"shop.bias", SETTING_BYTE_HOPS_BY_HOP, offsetof(struct example, bias), -1000000, 1000000,
     "0:5:-7", NULL, "by hop"},
};

#endif
