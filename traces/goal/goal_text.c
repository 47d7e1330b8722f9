/*
 * The text of GOAL:
 *
 *     num_ranks N
 *     rank R {
 *     LABEL: calc NANOSECONDS [cpu C] [nic N]
 *     LABEL: send BYTESb to RANK [tag T] [cpu C] [nic N]
 *     LABEL: recv BYTESb from RANK [tag T] [cpu C] [nic N]
 *     LABEL requires LABEL          (begins once the other is complete)
 *     LABEL irequires LABEL         (begins once the other has begun)
 *     }
 *
 * Labels may be left out. A statement ends with its line. Comments are those of C++. Must not know
 * what statements mean. Invariant: every fault is reported with its line.
 */
#include "traces/goal/goal.h"

#include "core/memory/memory.h"
#include "traces/program/content_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WORD_BYTES = 64 };

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static const char *at(const struct goal_reader *reader) {
    return reader->bytes + reader->offset;
}

/* Returns an error at the present line. shown: what stands there. */
static status_code fault(const struct goal_reader *reader, const char *wanted,
                         struct status *status) {
    char shown[32];
    size_t length = strcspn(at(reader), " \t\r\n");
    bool ends = reader->offset >= reader->size || length == 0;
    snprintf(shown, sizeof shown, "%.*s", (int)(length < 24 ? length : 24), at(reader));
    for (char *c = shown; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7E) *c = '?';
    const char *before = "`", *after = "`";
    if (ends) {
        before = after = "";
        snprintf(shown, sizeof shown, "%s",
                 reader->offset >= reader->size ? "the end of the file" : "the end of the line");
    }
    return status_set(status, STATUS_INPUT, "%s:%" PRIu64 ": %s is expected, not %s%s%s",
                      reader->path, reader->line, wanted, before, shown, after);
}

/* Skips a comment. Returns false if there is none. STATUS_INPUT in *code: it does not end. */
static bool skip_comment(struct goal_reader *reader, status_code *code, struct status *status) {
    if (strncmp(at(reader), "//", 2) == 0) {
        reader->offset += strcspn(at(reader), "\n");
        return true;
    }
    if (strncmp(at(reader), "/*", 2) != 0) return false;
    uint64_t line = reader->line;
    for (reader->offset += 2; reader->offset < reader->size; reader->offset++) {
        if (strncmp(at(reader), "*/", 2) == 0) {
            reader->offset += 2;
            return true;
        }
        reader->line += *at(reader) == '\n';
    }
    *code = status_set(status, STATUS_INPUT, "%s:%" PRIu64 ": a comment that does not end",
                       reader->path, line);
    return false;
}

/* Skips blanks and comments, and also ends of lines if lines is true. */
static status_code skip(struct goal_reader *reader, bool lines, struct status *status) {
    status_code code = STATUS_OK;
    for (; code == STATUS_OK; reader->offset++) {
        while (skip_comment(reader, &code, status))
            continue;
        char c = *at(reader);
        if (c == '\n' && lines)
            reader->line++;
        else if (c != ' ' && c != '\t' && c != '\r')
            break;
    }
    return code;
}

/* Returns the length of the word of letters, digits and underscores here; 0: there is none. */
static size_t word_length(const struct goal_reader *reader) {
    if (!is_letter(*at(reader))) return 0;
    size_t length = 1;
    while (is_letter(at(reader)[length]) || is_digit(at(reader)[length]))
        length++;
    return length;
}

static bool is_word(const struct goal_reader *reader, const char *word) {
    size_t length = word_length(reader);
    return length == strlen(word) && strncmp(at(reader), word, length) == 0;
}

static bool take_word(struct goal_reader *reader, const char *word) {
    if (!is_word(reader, word)) return false;
    reader->offset += strlen(word);
    return true;
}

static status_code need_word(struct goal_reader *reader, const char *word, struct status *status) {
    FORWARD_IF_ERROR(skip(reader, false, status));
    char wanted[WORD_BYTES];
    snprintf(wanted, sizeof wanted, "`%s`", word);
    return take_word(reader, word) ? STATUS_OK : fault(reader, wanted, status);
}

/* Reads a number of at most `limit` after blanks. */
static status_code number(struct goal_reader *reader, const char *what, uint64_t limit,
                          uint64_t *value, struct status *status) {
    FORWARD_IF_ERROR(skip(reader, false, status));
    if (!is_digit(*at(reader))) return fault(reader, what, status);
    size_t first = reader->offset;
    bool large = false;
    for (*value = 0; is_digit(*at(reader)); reader->offset++)
        large |= __builtin_mul_overflow(*value, 10, value) ||
                 __builtin_add_overflow(*value, (uint64_t)(*at(reader) - '0'), value);
    RETURN_ERROR_IF(large || *value > limit, status, STATUS_INPUT,
                    "%s:%" PRIu64 ": %s is expected, of at most %" PRIu64 ", not %.*s",
                    reader->path, reader->line, what, limit,
                    (int)(reader->offset - first < 24 ? reader->offset - first : 24),
                    reader->bytes + first);
    return STATUS_OK;
}

/* Reads a number or -1, which stands for any. */
static status_code number_or_any(struct goal_reader *reader, const char *what, uint32_t *value,
                                 struct status *status) {
    FORWARD_IF_ERROR(skip(reader, false, status));
    uint64_t read = UINT32_MAX;
    if (strncmp(at(reader), "-1", 2) == 0)
        reader->offset += 2;
    else
        FORWARD_IF_ERROR(number(reader, what, UINT32_MAX, &read, status));
    *value = (uint32_t)read;
    return STATUS_OK;
}

static status_code end_of_line(struct goal_reader *reader, const char *wanted,
                               struct status *status) {
    FORWARD_IF_ERROR(skip(reader, false, status));
    if (*at(reader) == '\n' || *at(reader) == '}' || reader->offset >= reader->size)
        return STATUS_OK;
    return fault(reader, wanted, status);
}

/* ---- labels ---- */

static uint32_t find_label(const struct goal_rank *rank, const char *label, size_t length,
                           uint64_t *hash) {
    *hash = content_hash_add(0, length);
    for (size_t i = 0; i < length; i++)
        *hash = content_hash_add(*hash, (unsigned char)label[i]);
    for (;; ++*hash) {
        uint32_t vertex = key_table_find(&rank->label_index, *hash);
        if (vertex == KEY_TABLE_NONE) return vertex;
        const char *own = rank->labels + rank->vertices[vertex].label;
        if (strlen(own) == length && strncmp(own, label, length) == 0) return vertex;
    }
}

/* Gives the next vertex a label. */
static status_code add_label(const struct goal_reader *reader, struct goal_rank *rank,
                             const char *label, size_t length, uint32_t *offset,
                             struct status *status) {
    uint64_t hash;
    uint32_t other = find_label(rank, label, length, &hash);
    RETURN_ERROR_IF(other != KEY_TABLE_NONE, status, STATUS_INPUT,
                    "%s:%" PRIu64 ": rank %u: %.*s is the label of another operation, in line "
                    "%" PRIu64,
                    reader->path, reader->line, rank->rank, (int)length, label,
                    rank->vertices[other].place);
    FORWARD_IF_ERROR(memory_grow((void **)&rank->labels, &rank->label_capacity,
                                 rank->label_bytes + length + 1, 1, status));
    RETURN_ERROR_IF(rank->label_bytes + length + 1 > UINT32_MAX, status, STATUS_INPUT,
                    "%s: rank %u: more than 4 GiB of labels", reader->path, rank->rank);
    memcpy(rank->labels + rank->label_bytes, label, length);
    rank->labels[rank->label_bytes + length] = '\0';
    *offset = (uint32_t)rank->label_bytes;
    rank->label_bytes += length + 1;
    return key_table_insert(&rank->label_index, hash, (uint32_t)rank->vertex_count, status);
}

/* ---- statements ---- */

/* Reads what a vertex does, from its first word on. */
static status_code read_work(struct goal_reader *reader, struct goal_vertex *vertex,
                             struct status *status) {
    if (take_word(reader, "calc")) {
        vertex->kind = OPERATION_COMPUTE;
        return number(reader, "a number of nanoseconds", UINT64_MAX, &vertex->duration_ns, status);
    }
    vertex->kind = is_word(reader, "send") ? OPERATION_SEND : OPERATION_RECEIVE;
    if (!take_word(reader, "send") && !take_word(reader, "recv"))
        return fault(reader, "`calc`, `send` or `recv`", status);
    FORWARD_IF_ERROR(number(reader, "a number of bytes", UINT64_MAX, &vertex->bytes, status));
    FORWARD_IF_ERROR(need_word(reader, "b", status));
    FORWARD_IF_ERROR(need_word(reader, vertex->kind == OPERATION_SEND ? "to" : "from", status));
    return number_or_any(reader, "the number of a rank", &vertex->peer, status);
}

static status_code read_options(struct goal_reader *reader, struct goal_vertex *vertex,
                                struct status *status) {
    for (bool tag = vertex->kind == OPERATION_COMPUTE, cpu = false, nic = false;;) {
        FORWARD_IF_ERROR(skip(reader, false, status));
        uint64_t value = 0;
        if (!tag && take_word(reader, "tag")) {
            FORWARD_IF_ERROR(number_or_any(reader, "a tag", &vertex->tag, status));
            tag = true;
        } else if (!cpu && take_word(reader, "cpu")) {
            FORWARD_IF_ERROR(number(reader, "a CPU", PROGRAM_CPU_LIMIT - 1, &value, status));
            vertex->cpu = (uint8_t)value;
            cpu = true;
        } else if (!nic && take_word(reader, "nic")) {
            FORWARD_IF_ERROR(number(reader, "a NIC", PROGRAM_CPU_LIMIT - 1, &value, status));
            vertex->nic = (uint8_t)value;
            nic = true;
        } else {
            return end_of_line(reader, "`tag`, `cpu`, `nic` (each once) or the end of the line",
                               status);
        }
    }
}

static status_code read_edge(struct goal_reader *reader, struct goal_rank *rank, const char *label,
                             size_t length, struct status *status) {
    bool only_begun = is_word(reader, "irequires");
    if (!take_word(reader, "irequires") && !take_word(reader, "requires"))
        return fault(reader, "`:`, `requires` or `irequires`", status);
    FORWARD_IF_ERROR(skip(reader, false, status));
    const char *labels[2] = {label, at(reader)};
    size_t lengths[2] = {length, word_length(reader)};
    if (lengths[1] == 0) return fault(reader, "a label", status);
    uint32_t vertices[2];
    for (unsigned i = 0; i < 2; i++) {
        uint64_t hash;
        vertices[i] = find_label(rank, labels[i], lengths[i], &hash);
        RETURN_ERROR_IF(vertices[i] == KEY_TABLE_NONE, status, STATUS_INPUT,
                        "%s:%" PRIu64 ": rank %u: no operation before this line has the label %.*s",
                        reader->path, reader->line, rank->rank,
                        (int)(lengths[i] < 60 ? lengths[i] : 60), labels[i]);
    }
    reader->offset += lengths[1];
    FORWARD_IF_ERROR(
        goal_add_edge(rank, vertices[0], PROGRAM_NEED(vertices[1], only_begun), status));
    return end_of_line(reader, "the end of the line", status);
}

static status_code read_statement(struct goal_reader *reader, struct goal_rank *rank,
                                  struct status *status) {
    struct goal_vertex vertex = {.place = reader->line};
    if (!is_word(reader, "calc") && !is_word(reader, "send") && !is_word(reader, "recv")) {
        const char *label = at(reader);
        size_t length = word_length(reader);
        if (length == 0 || *label == '_') return fault(reader, "a statement or `}`", status);
        reader->offset += length;
        FORWARD_IF_ERROR(skip(reader, false, status));
        if (*at(reader) != ':') return read_edge(reader, rank, label, length, status);
        reader->offset++;
        FORWARD_IF_ERROR(add_label(reader, rank, label, length, &vertex.label, status));
        FORWARD_IF_ERROR(skip(reader, false, status));
    }
    FORWARD_IF_ERROR(read_work(reader, &vertex, status));
    FORWARD_IF_ERROR(read_options(reader, &vertex, status));
    return goal_add_vertex(rank, &vertex, status);
}

status_code goal_text_begin(struct goal_reader *reader, struct status *status) {
    uint64_t ranks = 0;
    reader->offset = 0;
    reader->line = 1;
    FORWARD_IF_ERROR(skip(reader, true, status));
    FORWARD_IF_ERROR(need_word(reader, "num_ranks", status));
    FORWARD_IF_ERROR(number(reader, "a number of ranks", UINT32_MAX - 1, &ranks, status));
    RETURN_ERROR_IF(ranks == 0, status, STATUS_INPUT, "%s:%" PRIu64 ": a schedule of 0 ranks",
                    reader->path, reader->line);
    RETURN_ERROR_IF(ranks > reader->size, status, STATUS_INPUT,
                    "%s:%" PRIu64 ": num_ranks %" PRIu64
                    ", but the file is too short for so many ranks",
                    reader->path, reader->line, ranks);
    reader->rank_count = (uint32_t)ranks;
    return STATUS_OK;
}

status_code goal_text_next(struct goal_reader *reader, struct goal_rank *rank, bool *found,
                           struct status *status) {
    uint64_t value = 0;
    FORWARD_IF_ERROR(skip(reader, true, status));
    *found = reader->offset < reader->size;
    if (!*found) return STATUS_OK;
    if (!take_word(reader, "rank")) return fault(reader, "`rank`", status);
    FORWARD_IF_ERROR(number(reader, "the number of a rank", UINT32_MAX, &value, status));
    RETURN_ERROR_IF(value >= reader->rank_count, status, STATUS_INPUT,
                    "%s:%" PRIu64 ": rank %" PRIu64 ", but num_ranks is %u", reader->path,
                    reader->line, value, reader->rank_count);
    goal_rank_begin(rank, (uint32_t)value);
    FORWARD_IF_ERROR(memory_grow((void **)&rank->labels, &rank->label_capacity, 1, 1, status));
    rank->labels[0] = '\0';
    rank->label_bytes = 1;
    FORWARD_IF_ERROR(skip(reader, true, status));
    if (*at(reader) != '{') return fault(reader, "`{`", status);
    reader->offset++;
    for (;;) {
        FORWARD_IF_ERROR(skip(reader, true, status));
        if (*at(reader) == '}') break;
        if (reader->offset >= reader->size) return fault(reader, "a statement or `}`", status);
        FORWARD_IF_ERROR(read_statement(reader, rank, status));
    }
    reader->offset++;
    return STATUS_OK;
}
