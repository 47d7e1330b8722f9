/*
 * Reads lines, words and numbers of benchmark outputs. Must not know any benchmark. See
 * measurement_reader.h for the invariant.
 */
#include "api/calibrate/measurement_reader.h"

#include "core/memory/memory.h"

#include <string.h>

#define MESSAGE_BYTES_MAX (UINT64_C(1) << 40)
#define TIME_MAX_PS       1e18 /* 11 days */

bool measurement_next_line(struct measurement_reader *reader) {
    if (reader->next >= reader->end || source_report_full(&reader->report) ||
        reader->code != STATUS_OK)
        return false;
    const char *feed = memchr(reader->next, '\n', (size_t)(reader->end - reader->next));
    const char *end = feed != NULL ? feed : reader->end;
    reader->line = reader->next;
    reader->length = (size_t)(end - reader->line);
    if (reader->length > 0 && reader->line[reader->length - 1] == '\r') reader->length--;
    reader->has_ended = feed != NULL;
    reader->next = feed != NULL ? feed + 1 : reader->end;
    reader->line_number++;
    measurement_split(reader, false);
    return true;
}

void measurement_read_lines(struct measurement_reader *reader, void (*comment)(void *reading),
                            void (*row)(void *reading), void *reading) {
    do {
        if (reader->field_count == 0) continue;
        if (!reader->has_ended)
            MEASUREMENT_FAULT(
                reader, reader->line,
                "the file ends within this line; it may be cut short (if it is complete, "
                "end the line)");
        else if (reader->fields[0].text[0] == '#')
            comment(reading);
        else
            row(reading);
    } while (measurement_next_line(reader));
}

static bool is_blank(char letter) {
    return letter == ' ' || letter == '\t';
}

/* Returns whether a word ends before the character at `at`. */
static bool ends_word(const struct measurement_reader *reader, size_t at, bool wide) {
    if (!is_blank(reader->line[at])) return false;
    return !wide || reader->line[at] == '\t' || at + 1 >= reader->length ||
           is_blank(reader->line[at + 1]);
}

void measurement_split(struct measurement_reader *reader, bool wide) {
    reader->field_count = 0;
    for (size_t at = 0; reader->field_count < MEASUREMENT_FIELDS;) {
        while (at < reader->length && is_blank(reader->line[at]))
            at++;
        if (at >= reader->length) break;
        const size_t start = at;
        while (at < reader->length && !ends_word(reader, at, wide))
            at++;
        reader->fields[reader->field_count++] =
            (struct measurement_field){reader->line + start, at - start};
    }
}

bool measurement_starts_with(const struct measurement_reader *reader, const char *text) {
    const size_t length = strlen(text);
    return reader->length >= length && memcmp(reader->line, text, length) == 0;
}

bool measurement_field_is(const struct measurement_field *field, const char *text) {
    return field->length == strlen(text) && memcmp(field->text, text, field->length) == 0;
}

static const char *find_text(const char *text, size_t length, const char *wanted) {
    const size_t size = strlen(wanted);
    for (size_t i = 0; i + size <= length; i++)
        if (memcmp(text + i, wanted, size) == 0) return text + i;
    return NULL;
}

bool measurement_field_contains(const struct measurement_field *field, const char *text) {
    return find_text(field->text, field->length, text) != NULL;
}

static double power_of_ten(int exponent) {
    double power = 1;
    for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--)
        power *= 10;
    return power;
}

/* Returns 10^exponent times a value. Division by an exact power of ten rounds only once. */
static double scaled(double value, int exponent) {
    return exponent < 0 ? value / power_of_ten(exponent) : value * power_of_ten(exponent);
}

static bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

/* Reads an exponent, [eE][+-]digits, from `at` on. Returns the position after it; `at` if there is
 * none. */
static size_t read_exponent(const struct measurement_field *field, size_t at, int *exponent) {
    size_t next = at;
    if (next >= field->length || (field->text[next] != 'e' && field->text[next] != 'E')) return at;
    next++;
    const bool minus = next < field->length && field->text[next] == '-';
    if (next < field->length && (minus || field->text[next] == '+')) next++;
    int value = 0;
    const size_t digits = next;
    for (; next < field->length && is_digit(field->text[next]) && value < 100; next++)
        value = value * 10 + (field->text[next] - '0');
    if (next == digits) return at;
    *exponent += minus ? -value : value;
    return next;
}

bool measurement_read_number(struct measurement_reader *reader,
                             const struct measurement_field *field, double *value,
                             double *resolution) {
    enum { DIGITS = 18, EXPONENT = 60 }; /* what no measurement exceeds */
    double mantissa = 0;
    int exponent = 0, digits = 0;
    bool point = false;
    size_t at = 0;
    for (; at < field->length; at++) {
        const char letter = field->text[at];
        if (letter == '.' && !point) {
            point = true;
        } else if (is_digit(letter) && digits < DIGITS) {
            mantissa = mantissa * 10 + (letter - '0');
            digits += mantissa > 0 || point;
            exponent -= point;
        } else {
            break;
        }
    }
    const bool any = at > (point ? 1 : 0);
    if (any) at = read_exponent(field, at, &exponent);
    if (any && at == field->length && exponent > -EXPONENT && exponent < EXPONENT) {
        *value = scaled(mantissa, exponent);
        *resolution = scaled(1, exponent);
        return true;
    }
    const char *where = field->text + (at < field->length ? at : 0);
    const int length = field->length < 40 ? (int)field->length : 40;
    if (any && at < field->length && *where == ',')
        MEASUREMENT_FAULT(
            reader, where,
            "`%.*s` has a decimal comma; run the benchmark with LC_ALL=C, so that numbers "
            "have a point",
            length, field->text);
    else if (field->text[0] == '-')
        MEASUREMENT_FAULT(reader, field->text, "`%.*s` is negative", length, field->text);
    else
        MEASUREMENT_FAULT(reader, field->text, "a number is expected here, not `%.*s`", length,
                          field->text);
    return false;
}

bool measurement_read_size(struct measurement_reader *reader, const struct measurement_field *field,
                           uint64_t *size_bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < field->length; i++) {
        if (!is_digit(field->text[i]) || value > MESSAGE_BYTES_MAX) {
            MEASUREMENT_FAULT(reader, field->text,
                              "a message size in bytes, up to 2^40, is expected here, not `%.*s`",
                              field->length < 40 ? (int)field->length : 40, field->text);
            return false;
        }
        value = value * 10 + (uint64_t)(field->text[i] - '0');
    }
    *size_bytes = value;
    if (value <= MESSAGE_BYTES_MAX) return true;
    MEASUREMENT_FAULT(reader, field->text, "this message size is larger than 2^40 bytes");
    return false;
}

bool measurement_read_number_after(const struct measurement_reader *reader, const char *text,
                                   uint32_t *value) {
    const char *place = find_text(reader->line, reader->length, text);
    if (place == NULL) return false;
    const char *end = reader->line + reader->length;
    place += strlen(text);
    while (place < end && (is_blank(*place) || *place == '=' || *place == ':'))
        place++;
    if (place >= end || !is_digit(*place)) return false;
    uint64_t number = 0;
    for (; place < end && is_digit(*place); place++)
        if (number < UINT32_MAX) number = number * 10 + (uint64_t)(*place - '0');
    *value = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    return true;
}

void measurement_end_table(struct measurement_reader *reader) {
    if (reader->table == NULL) return;
    if (reader->table->count == 0 && reader->table->kind != MEASUREMENT_OTHER)
        source_report_fault(
            &reader->report, reader->table->line, 0, NULL,
            "the table of %s that begins here has no rows; the file may be cut short",
            reader->table->name);
    reader->table = NULL;
}

struct measurement measurement_begin_output(struct measurement_reader *reader) {
    measurement_end_table(reader);
    return (struct measurement){.kind = MEASUREMENT_OTHER, .pairs = 1};
}

bool measurement_is_row(struct measurement_reader *reader, const char *benchmark, size_t columns) {
    if (reader->field_count == columns) return true;
    MEASUREMENT_FAULT(
        reader, reader->line,
        "this is no row of %s: %zu fields are expected here, as the header names; the line "
        "may be cut short, or printed by another program",
        benchmark, columns);
    return false;
}

void measurement_begin_table(struct measurement_reader *reader, const struct measurement *table) {
    struct measurement_list *list = reader->list;
    measurement_end_table(reader);
    if (reader->code == STATUS_OK)
        reader->code = memory_grow((void **)&list->tables, &list->capacity, list->count + 1,
                                   sizeof *list->tables, reader->status);
    if (reader->code != STATUS_OK) return;
    reader->table = &list->tables[list->count++];
    *reader->table = *table;
    reader->table->file = reader->report.name;
    reader->table->line = reader->line_number;
    reader->table->rows = NULL;
    reader->table->count = reader->table->capacity = 0;
}

void measurement_add_row(struct measurement_reader *reader, uint64_t size_bytes, double time_ps,
                         double resolution_ps) {
    struct measurement *table = reader->table;
    if (table == NULL || reader->code != STATUS_OK) return;
    const struct measurement_row *last = table->count > 0 ? &table->rows[table->count - 1] : NULL;
    if (last != NULL && size_bytes <= last->size_bytes) {
        MEASUREMENT_FAULT(reader, reader->fields[0].text,
                          "sizes must ascend, but the one before, in line %zu, is not smaller",
                          last->line);
        return;
    }
    if (!(time_ps > 0) || time_ps > TIME_MAX_PS) {
        MEASUREMENT_FAULT(reader, reader->fields[0].text,
                          "this row's time is %s, so it says nothing about the machine",
                          time_ps > 0 ? "longer than 11 days" : "0");
        return;
    }
    reader->code = memory_grow((void **)&table->rows, &table->capacity, table->count + 1,
                               sizeof *table->rows, reader->status);
    if (reader->code == STATUS_OK)
        table->rows[table->count++] =
            (struct measurement_row){size_bytes, time_ps, resolution_ps, reader->line_number};
}

void measurement_add_time(struct measurement_reader *reader, uint64_t size_bytes, double value,
                          double resolution) {
    measurement_add_row(reader, size_bytes, value * 1e6, resolution * 1e6);
}

void measurement_add_rate(struct measurement_reader *reader, uint64_t size_bytes, double rate_ps,
                          double value, double resolution) {
    const double time_ps = value > 0 ? rate_ps / value : 0;
    measurement_add_row(reader, size_bytes, time_ps, value > 0 ? time_ps * resolution / value : 0);
}
