/*
 * Reads the files of `replay.compute_factors` and `noise.file`.
 *
 * Invariant: every fault is reported with its line, and a file with a fault has no effect.
 */
#include "api/run/hosts_files.h"

#include "core/memory/memory.h"
#include "core/settings/line_reader.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNSET        INT64_C(-1)
#define FACTOR_LIMIT INT64_C(1000000000000)
#define WORD_BYTES   64

/* Reads a word that is a quantity. Returns false after a fault. */
static bool read_quantity(struct line_reader *file, const char *what, const char *unit,
                          status_code (*parse)(const char *text, int64_t *value,
                                               struct status *status),
                          int64_t limit, int64_t *value) {
    char word[WORD_BYTES], text[WORD_BYTES + 4];
    const char *start = file->cursor;
    if (!line_reader_read_word(file, what, word, sizeof word)) return false;
    bool bare = strspn(word, "0123456789.") == strlen(word);
    snprintf(text, sizeof text, "%s%s", word, bare ? unit : "");
    struct status why = STATUS_INIT;
    bool read = parse(text, value, &why) == STATUS_OK;
    if (!read)
        LINE_FAULT(file, start, "%s", why.text);
    else if (*value < 0 || *value > limit)
        LINE_FAULT(file, start, "`%s` is out of range", word);
    status_clear(&why);
    return read && *value >= 0 && *value <= limit;
}

/* ---- factors ---- */

struct factors {
    struct line_reader file;
    int64_t *of_rank; /* factor of each rank in millionths, or UNSET */
    int64_t *of_node;
    uint32_t rank_count, node_count;
};

static void read_factor(struct factors *factors) {
    struct line_reader *file = &factors->file;
    const char *start = file->cursor;
    char word[WORD_BYTES];
    if (!line_reader_read_word(file, "rank or node", word, sizeof word)) return;
    bool of_rank = strcmp(word, "rank") == 0;
    if (!of_rank && strcmp(word, "node") != 0) {
        LINE_FAULT(file, start, "`%s` is neither rank nor node (rank 3 1.2)", word);
        return;
    }
    int64_t *list = of_rank ? factors->of_rank : factors->of_node, factor;
    uint32_t first, last;
    if (!line_reader_read_range(file, word, of_rank ? factors->rank_count : factors->node_count,
                                &first, &last) ||
        !read_quantity(file, "a factor", "", units_parse_ratio, FACTOR_LIMIT, &factor) ||
        !line_reader_expect_end(file,
                                "rank or node, a number or range, and a factor (node 8-15 0.9)"))
        return;
    for (uint32_t i = first; i <= last; i++) {
        if (list[i] != UNSET) {
            LINE_FAULT(file, start, "%s %" PRIu32 " has a factor already", word, i);
            return;
        }
        list[i] = factor;
    }
}

/* Multiplies each rank's factor by the factor of its node, into of_rank. */
static void multiply(struct factors *factors, const struct placement *placement) {
    for (uint32_t rank = 0; rank < factors->rank_count; rank++) {
        int64_t own = factors->of_rank[rank],
                node = factors->of_node[placement->node_of_rank[rank]];
        __extension__ __int128 product =
            (__int128)(own == UNSET ? 1000000 : own) * (node == UNSET ? 1000000 : node) / 1000000;
        factors->of_rank[rank] = product > INT64_MAX ? INT64_MAX : (int64_t)product;
    }
}

static status_code read_factors(int64_t **of_rank, const char *path,
                                const struct placement *placement, struct status *status) {
    struct factors factors = {.rank_count = placement->rank_count,
                              .node_count = placement->node_count};
    factors.of_rank = memory_new(factors.rank_count, sizeof(int64_t));
    factors.of_node = memory_new(factors.node_count, sizeof(int64_t));
    status_code code = STATUS_OK;
    if (factors.of_rank == NULL || factors.of_node == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for factors");
    if (code == STATUS_OK) code = line_reader_open(&factors.file, path, status);
    if (code == STATUS_OK) {
        memset(factors.of_rank, 0xFF, factors.rank_count * sizeof(int64_t));
        memset(factors.of_node, 0xFF, factors.node_count * sizeof(int64_t));
        while (line_reader_next(&factors.file))
            read_factor(&factors);
        code = line_reader_close(&factors.file, status);
    }
    if (code == STATUS_OK) multiply(&factors, placement);
    free(factors.of_node);
    if (code == STATUS_OK)
        *of_rank = factors.of_rank;
    else
        free(factors.of_rank);
    return code;
}

/* ---- detours ---- */

struct detours {
    struct line_reader file;
    struct hosts_detour *list;
    size_t count, capacity;
    int64_t end_ps; /* end of the last detour, or of the recording */
    bool ended;     /* a line gave the end of the recording */
};

static bool read_time(struct line_reader *file, const char *what, int64_t *time_ps) {
    return read_quantity(file, what, "ns", units_parse_time, INT64_MAX / 8, time_ps);
}

static status_code read_detour(struct detours *detours, struct status *status) {
    struct line_reader *file = &detours->file;
    const char *start = file->cursor;
    struct hosts_detour detour = {0};
    if (!read_time(file, "a time", &detour.start_ps)) return STATUS_OK;
    bool ends = line_reader_at_end(file);
    if (!ends && (!read_time(file, "a duration", &detour.duration_ps) ||
                  !line_reader_expect_end(file, "a time and a duration (1.2ms 5us)")))
        return STATUS_OK;
    if (detours->ended)
        LINE_FAULT(file, start, "a time alone is the end of the recording; nothing follows it");
    else if (detour.start_ps < detours->end_ps)
        LINE_FAULT(file, start, "this is before the end of the detour above it");
    detours->ended = ends;
    detours->end_ps = detour.start_ps + detour.duration_ps;
    if (detour.duration_ps == 0) return STATUS_OK;
    FORWARD_IF_ERROR(memory_grow((void **)&detours->list, &detours->capacity, detours->count + 1,
                                 sizeof *detours->list, status));
    detours->list[detours->count++] = detour;
    return STATUS_OK;
}

static status_code read_detours(struct detours *detours, const char *path, struct status *status) {
    FORWARD_IF_ERROR(line_reader_open(&detours->file, path, status));
    status_code code = STATUS_OK;
    while (code == STATUS_OK && line_reader_next(&detours->file))
        code = read_detour(detours, status);
    status_code read = line_reader_close(&detours->file, code == STATUS_OK ? status : NULL);
    FORWARD_IF_ERROR(code);
    FORWARD_IF_ERROR(read);
    RETURN_ERROR_IF(detours->count == 0, status, STATUS_INPUT,
                    "%s: holds no detours; write a time and a duration (1.2ms 5us) per line", path);
    return STATUS_OK;
}

status_code hosts_read(struct replay_hosts **hosts, const struct hosts_config *config,
                       const struct placement *placement, struct status *status) {
    struct detours detours = {0};
    if (config->noise == HOSTS_NOISE_RECORDED && config->detours_path[0] != '\0') {
        status_code code = read_detours(&detours, config->detours_path, status);
        if (code != STATUS_OK) free(detours.list);
        FORWARD_IF_ERROR(code);
    }
    FORWARD_IF_ERROR(hosts_new(hosts, config, detours.list, detours.count, detours.end_ps, status));
    if (config->factors_path[0] == '\0') return STATUS_OK;
    return read_factors(&(*hosts)->factor_millionths, config->factors_path, placement, status);
}
