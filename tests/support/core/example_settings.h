/*
 * A table of settings with one of each kind, for tests of what reads such tables.
 */
#ifndef ANAX_TESTS_EXAMPLE_SETTINGS_H
#define ANAX_TESTS_EXAMPLE_SETTINGS_H

#include "core/settings/settings.h"

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

SETTING_CHOICES(delay_words, "usual", "unknown")

static const struct setting_row rows[] = {
    {.name = "shop.door.latency",
     .kind = SETTING_TIME,
     .offset = offsetof(struct example, latency_ps),
     .minimum = 1,
     .maximum = 1000000000000,
     .initial = "300ns",
     .help = "how long"},
    {.name = "shop.size",
     .kind = SETTING_SIZE,
     .offset = offsetof(struct example, size_bytes),
     .maximum = INT64_MAX,
     .initial = "2KiB",
     .help = "size"},
    {.name = "shop.door.bandwidth",
     .kind = SETTING_BANDWIDTH,
     .offset = offsetof(struct example, bandwidth),
     .minimum = 1,
     .maximum = INT64_MAX,
     .initial = "12.5GB/s",
     .help = "how fast"},
    {.name = "shop.count",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct example, count),
     .minimum = 1,
     .maximum = 10,
     .initial = "3",
     .help = "how many"},
    {.name = "shop.share",
     .kind = SETTING_RATIO,
     .offset = offsetof(struct example, share),
     .maximum = 1000000,
     .initial = "25%",
     .help = "share"},
    {.name = "shop.on",
     .kind = SETTING_SWITCH,
     .offset = offsetof(struct example, on),
     .initial = "yes",
     .help = "whether"},
    {.name = "shop.colour",
     .former = "shop.paint",
     .kind = SETTING_CHOICE,
     .offset = offsetof(struct example, colour),
     .initial = "green",
     .choices = colours,
     .help = "which"},
    {.name = "shop.limit",
     .kind = SETTING_SIZE,
     .offset = offsetof(struct example, limit_bytes),
     .maximum = 4096,
     .initial = "green",
     .choices = colours,
     .help = "words in place of a number"},
    {.name = "shop.file",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct example, file),
     .initial = "",
     .help = "from where"},
    {.name = "shop.width",
     .kind = SETTING_LENGTH,
     .offset = offsetof(struct example, width_mm),
     .maximum = 10000,
     .initial = "1.5m",
     .help = "how wide"},
    {.name = "shop.list",
     .kind = SETTING_PATH,
     .offset = offsetof(struct example, list),
     .initial = "",
     .help = "in which file"},
    {.name = "shop.delay",
     .kind = SETTING_TIME_BY_SIZE,
     .offset = offsetof(struct example, delay_ps),
     .maximum = 1000000000000,
     .initial = "5ns/1KiB:7ns",
     .choices = delay_words,
     .help = "how late"},
    {.name = "shop.bias",
     .kind = SETTING_BYTE_HOPS_BY_HOP,
     .offset = offsetof(struct example, bias),
     .minimum = -1000000,
     .maximum = 1000000,
     .initial = "0:5:-7",
     .help = "by hop"},
};

#endif
