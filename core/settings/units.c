/*
 * Quantities with units, read and written exactly.
 *
 * Must not know which settings exist.
 * Invariant: a text is a decimal mantissa times a unit, which is a fraction of base units. All
 * numbers are 128-bit integers. A text that is not a whole number of base units within int64 is
 * refused, not rounded. Only ratios are rounded, to millionths: 1/3 has no exact form, and scripts
 * write 0.30000000000000004.
 */
#include "core/settings/units.h"

#include "core/base/greatest_common_divisor.h"
#include "core/base/utf8.h"
#include "core/base/wide.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct unit {
    const char *name;
    uint64_t numerator; /* base units per unit, as a fraction */
    uint64_t denominator;
};

/* What a parser accepts: the name of the quantity, its units (ended by a NULL name), and examples
 * for messages. */
struct quantity {
    const char *what;      /* "time" */
    const char *base_name; /* "picoseconds" */
    const struct unit *units;
    const char *example_unit;
    const char *example;
    bool bare_allowed; /* true if a number without a unit means units[0] */
    bool is_rounded;   /* true if values are rounded to base units, but not down to 0 */
};

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define TIB (UINT64_C(1) << 40)
#define K   UINT64_C(1000)
#define M   UINT64_C(1000000)
#define G   UINT64_C(1000000000)
#define T   UINT64_C(1000000000000)

static const struct unit time_units[] = {{"ps", 1, 1},       {"ns", K, 1}, {"us", M, 1},
                                         {"ms", G, 1},       {"s", T, 1},  {"min", 60 * T, 1},
                                         {"h", 3600 * T, 1}, {NULL, 0, 0}};
static const struct unit size_units[] = {
    {"B", 1, 1},     {"kB", K, 1},    {"MB", M, 1},    {"GB", G, 1},    {"TB", T, 1},
    {"KiB", KIB, 1}, {"MiB", MIB, 1}, {"GiB", GIB, 1}, {"TiB", TIB, 1}, {NULL, 0, 0}};
static const struct unit bandwidth_units[] = {
    {"B/s", 1, 1},     {"kB/s", K, 1},    {"MB/s", M, 1},    {"GB/s", G, 1},    {"TB/s", T, 1},
    {"KiB/s", KIB, 1}, {"MiB/s", MIB, 1}, {"GiB/s", GIB, 1}, {"TiB/s", TIB, 1}, {"bit/s", 1, 8},
    {"kbit/s", K, 8},  {"Mbit/s", M, 8},  {"Gbit/s", G, 8},  {"Tbit/s", T, 8},  {"b/s", 1, 8},
    {"kb/s", K, 8},    {"Mb/s", M, 8},    {"Gb/s", G, 8},    {"Tb/s", T, 8},    {NULL, 0, 0}};
static const struct unit length_units[] = {
    {"mm", 1, 1}, {"cm", 10, 1}, {"m", K, 1}, {"km", M, 1}, {NULL, 0, 0}};
static const struct unit byte_hop_units[] = {
    {"", 1, 1},      {"B", 1, 1},     {"kB", K, 1},    {"MB", M, 1},    {"GB", G, 1}, {"TB", T, 1},
    {"KiB", KIB, 1}, {"MiB", MIB, 1}, {"GiB", GIB, 1}, {"TiB", TIB, 1}, {NULL, 0, 0}};
static const struct unit ratio_units[] = {{"", M, 1}, {"%", 10 * K, 1}, {NULL, 0, 0}};
static const struct unit count_units[] = {{"", 1, 1}, {NULL, 0, 0}};

static const struct quantity time_quantity = {.what = "time",
                                              .base_name = "picoseconds",
                                              .units = time_units,
                                              .example_unit = "ns",
                                              .example = "300ns"};
static const struct quantity size_quantity = {.what = "size",
                                              .base_name = "bytes",
                                              .units = size_units,
                                              .example_unit = "KiB",
                                              .example = "2KiB"};
static const struct quantity bandwidth_quantity = {.what = "bandwidth",
                                                   .base_name = "bytes per second",
                                                   .units = bandwidth_units,
                                                   .example_unit = "GB/s",
                                                   .example = "12.5GB/s"};
static const struct quantity length_quantity = {.what = "length",
                                                .base_name = "millimetres",
                                                .units = length_units,
                                                .example_unit = "m",
                                                .example = "1.3m"};
static const struct quantity byte_hops_quantity = {.what = "number of bytes times hops",
                                                   .base_name = "bytes times hops",
                                                   .units = byte_hop_units,
                                                   .example_unit = "",
                                                   .example = "960 or 960B",
                                                   .bare_allowed = true};
static const struct quantity ratio_quantity = {.what = "ratio",
                                               .base_name = "millionths",
                                               .units = ratio_units,
                                               .example_unit = "%",
                                               .example = "0.25 or 25%",
                                               .bare_allowed = true,
                                               .is_rounded = true};
static const struct quantity count_quantity = {.what = "whole number",
                                               .base_name = "units",
                                               .units = count_units,
                                               .example_unit = "",
                                               .example = "8",
                                               .bare_allowed = true};

/* ---------------------------------------------------------------------------- reading */

/* More digits than any quantity needs. With at most this many, mantissa * numerator fits in 128
 * bits. */
#define DIGITS_MAX 22

/* A number as written. Its value is mantissa / scale. */
struct number {
    wide mantissa;
    wide scale;
    bool negative;
    bool too_long;
    size_t length; /* length of its text; 0: there is no number */
};

static size_t count_digits(const char *text) {
    return strspn(text, "0123456789");
}

/* Reads "[-][digits][.digits]" at the start of text. */
static struct number read_number(const char *text) {
    struct number read = {.scale = 1};
    const char *next = text;
    if (*next == '-') {
        read.negative = true;
        next++;
    }
    size_t whole = count_digits(next);
    size_t fraction = next[whole] == '.' ? count_digits(next + whole + 1) : 0;
    if (whole + fraction == 0) return read;
    read.length = (size_t)(next - text) + whole + (fraction > 0 ? 1 + fraction : 0);

    const char *fraction_text = next + whole + 1;
    while (whole > 0 && *next == '0')
        next++, whole--;
    while (fraction > 0 && fraction_text[fraction - 1] == '0')
        fraction--;
    read.too_long = whole > DIGITS_MAX || fraction > DIGITS_MAX - whole;
    if (read.too_long) return read;
    for (size_t i = 0; i < whole; i++)
        read.mantissa = read.mantissa * 10 + (unsigned)(next[i] - '0');
    for (size_t i = 0; i < fraction; i++) {
        read.mantissa = read.mantissa * 10 + (unsigned)(fraction_text[i] - '0');
        read.scale *= 10;
    }
    return read;
}

/* Writes all units with a name, for messages: "ps ns us …". */
static void list_units(const struct quantity *quantity, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (const struct unit *unit = quantity->units; unit->name != NULL && length < size; unit++) {
        if (unit->name[0] == '\0') continue;
        int written =
            snprintf(buffer + length, size - length, "%s%s", length > 0 ? " " : "", unit->name);
        length += (size_t)written;
    }
}

static const struct unit *find_unit(const struct quantity *quantity, const char *name,
                                    size_t length,
                                    int (*compare)(const char *, const char *, size_t)) {
    for (const struct unit *unit = quantity->units; unit->name != NULL; unit++) {
        if (strlen(unit->name) == length && compare(unit->name, name, length) == 0) return unit;
    }
    return NULL;
}

/* Sets the error for a number followed by something that is not a unit of the quantity. */
static status_code unit_error(const struct quantity *quantity, const char *text,
                              size_t number_length, const char *name, size_t length,
                              struct status *status) {
    char names[160];
    list_units(quantity, names, sizeof names);
    int shown = (int)(number_length < 30 ? number_length : 30);
    if (length == 0 && (*text == '-' || number_length > 15)) /* no sensible example has it */
        return status_set(status, STATUS_USAGE, "`%.*s` has no unit; a %s needs one, e.g. %s",
                          UTF8_SHOWN(text, 60), quantity->what, quantity->example);
    if (length == 0)
        return status_set(
            status, STATUS_USAGE, "`%.*s` has no unit; a %s needs one of %s, e.g. %.*s%s",
            UTF8_SHOWN(text, 60), quantity->what, names, shown, text, quantity->example_unit);
    if (quantity->bare_allowed)
        return status_set(status, STATUS_USAGE, "`%.*s` is not a %s; write e.g. %s",
                          UTF8_SHOWN(text, 60), quantity->what, quantity->example);
    const struct unit *near = find_unit(quantity, name, length, strncasecmp);
    if (near != NULL)
        return status_set(status, STATUS_USAGE, "`%.*s` has an unknown unit; did you mean `%s`?",
                          UTF8_SHOWN(text, 60), near->name);
    if (quantity->units == bandwidth_units && length > 2 &&
        strncmp(name + length - 2, "ps", 2) == 0) { /* Gbps, GBps */
        bool bits = name[length - 3] == 'b';
        char meant[16];
        snprintf(meant, sizeof meant, "%.*s%s", (int)(length - (bits ? 3 : 2)), name,
                 bits ? "bit/s" : "/s");
        if (find_unit(quantity, meant, strlen(meant), strncmp) != NULL)
            return status_set(status, STATUS_USAGE,
                              "`%.*s` has an unknown unit; did you mean `%.*s%s`?",
                              UTF8_SHOWN(text, 60), shown, text, meant);
    }
    if (quantity->units == size_units && length == 1 && strchr("kKMGT", *name) != NULL)
        return status_set(
            status, STATUS_USAGE,
            "`%.*s` is ambiguous; write %.*s%ciB (powers of 1024) or %.*s%cB (of 1000)",
            UTF8_SHOWN(text, 60), shown, text, toupper((unsigned char)*name), shown, text,
            *name == 'K' ? 'k' : *name);
    return status_set(status, STATUS_USAGE,
                      "`%.*s` has an unknown unit; a %s needs one of %s, e.g. %s",
                      UTF8_SHOWN(text, 60), quantity->what, names, quantity->example);
}

/* Converts mantissa / scale units to base units. Refuses values outside int64, and values that are
 * not whole unless they are rounded. */
static status_code to_base_units(const struct quantity *quantity, const char *text,
                                 const struct number *read, const struct unit *unit, int64_t *value,
                                 struct status *status) {
    wide numerator = read->mantissa * unit->numerator;
    wide denominator = read->scale * unit->denominator;
    wide limit = (wide)INT64_MAX + (read->negative ? 1 : 0);
    if (quantity->is_rounded && numerator >= denominator)
        numerator = (numerator + denominator / 2) / denominator * denominator;
    RETURN_ERROR_IF(numerator / denominator > limit, status, STATUS_USAGE,
                    "`%.*s` is too large; a %s must stay below 2^63 %s", UTF8_SHOWN(text, 60),
                    quantity->what, quantity->base_name);
    RETURN_ERROR_IF(numerator % denominator != 0, status, STATUS_USAGE,
                    "`%.*s` is not a whole number of %s", UTF8_SHOWN(text, 60),
                    quantity->base_name);
    uint64_t magnitude = (uint64_t)(numerator / denominator);
    *value = read->negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return STATUS_OK;
}

static status_code parse(const struct quantity *quantity, const char *text, int64_t *value,
                         struct status *status) {
    const char *blanks = " \t";
    text += strspn(text, blanks);
    RETURN_ERROR_IF(*text == '\0', status, STATUS_USAGE, "the %s is missing; write e.g. %s",
                    quantity->what, quantity->example);
    struct number read = read_number(text);
    RETURN_ERROR_IF(read.length == 0, status, STATUS_USAGE, "`%.*s` is not a %s; write e.g. %s",
                    UTF8_SHOWN(text, 60), quantity->what, quantity->example);
    RETURN_ERROR_IF(read.too_long, status, STATUS_USAGE,
                    "`%.*s` has too many digits; at most %d are read", UTF8_SHOWN(text, 60),
                    DIGITS_MAX);

    const char *name = text + read.length + strspn(text + read.length, blanks);
    size_t length = strlen(name);
    while (length > 0 && strchr(blanks, name[length - 1]) != NULL)
        length--;
    const struct unit *unit = length == 0 && read.mantissa == 0
                                  ? quantity->units
                                  : find_unit(quantity, name, length, strncmp);
    if (unit == NULL) return unit_error(quantity, text, read.length, name, length, status);
    return to_base_units(quantity, text, &read, unit, value, status);
}

status_code units_parse_time(const char *text, int64_t *time_ps, struct status *status) {
    return parse(&time_quantity, text, time_ps, status);
}

status_code units_parse_size(const char *text, int64_t *size_bytes, struct status *status) {
    return parse(&size_quantity, text, size_bytes, status);
}

status_code units_parse_bandwidth(const char *text, int64_t *bytes_per_second,
                                  struct status *status) {
    return parse(&bandwidth_quantity, text, bytes_per_second, status);
}

status_code units_parse_length(const char *text, int64_t *length_mm, struct status *status) {
    return parse(&length_quantity, text, length_mm, status);
}

status_code units_parse_ratio(const char *text, int64_t *millionths, struct status *status) {
    return parse(&ratio_quantity, text, millionths, status);
}

status_code units_parse_count(const char *text, int64_t *count, struct status *status) {
    return parse(&count_quantity, text, count, status);
}

status_code units_parse_byte_hops(const char *text, int64_t *byte_hops, struct status *status) {
    return parse(&byte_hops_quantity, text, byte_hops, status);
}

status_code units_parse_amount(const char *text, int64_t *amount, struct status *status) {
    int64_t value;
    bool share = strchr(text, '%') != NULL;
    FORWARD_IF_ERROR((share ? units_parse_ratio : units_parse_count)(text, &value, status));
    RETURN_ERROR_IF(
        value < 0 || (share && value > -UNITS_AMOUNT_ALL), status, STATUS_USAGE,
        "`%.*s` is neither a number from 0 nor a share from 0%% to 100%%; write e.g. 12 "
        "or 1%%",
        UTF8_SHOWN(text, 60));
    *amount = share ? -value : value;
    return STATUS_OK;
}

bool units_share_is_valid(int64_t share) {
    int64_t part = units_share_part(share), whole = units_share_whole(share);
    return part > 0 && part <= whole && whole <= UNITS_SHARE_MAX &&
           greatest_common_divisor((uint64_t)part, (uint64_t)whole) == 1;
}

/* Reads digits up to `end`. Returns a number above UNITS_SHARE_MAX if they are none or make
 * one. */
static int64_t read_term(const char *text, const char *end) {
    int64_t number = 0;
    if (text == end) return UNITS_SHARE_MAX + 1;
    for (; text < end; text++) {
        if (!isdigit((unsigned char)*text) || number > UNITS_SHARE_MAX) return UNITS_SHARE_MAX + 1;
        number = 10 * number + (*text - '0');
    }
    return number;
}

status_code units_parse_share(const char *text, int64_t *share, struct status *status) {
    int64_t part, whole = M;
    const char *slash = strchr(text, '/');
    if (slash != NULL) {
        part = read_term(text, slash);
        whole = read_term(slash + 1, text + strlen(text));
    } else {
        FORWARD_IF_ERROR(units_parse_ratio(text, &part, status));
    }
    RETURN_ERROR_IF(part < 1 || part > whole || whole > UNITS_SHARE_MAX, status, STATUS_USAGE,
                    "`%.*s` is not a share of a whole; write a fraction above 0 and up to 1 with "
                    "numbers up to %d, e.g. 9/10, or 0.9 or 90%%",
                    UTF8_SHOWN(text, 60), UNITS_SHARE_MAX);
    int64_t common = (int64_t)greatest_common_divisor((uint64_t)part, (uint64_t)whole);
    *share = part / common << 32 | whole / common;
    return STATUS_OK;
}

status_code units_parse_dimensions(const char *text, int64_t *dimensions, struct status *status) {
    const char *next = text;
    int64_t packed = 0;
    if (strcmp(text, "0") == 0) {
        *dimensions = 0;
        return STATUS_OK;
    }
    for (unsigned i = 0; i < UNITS_DIMENSIONS; i++) {
        int64_t number = 0;
        const char *first = next;
        while (isdigit((unsigned char)*next) && number <= UINT16_MAX)
            number = 10 * number + (*next++ - '0');
        if (next == first || number == 0 || number > UINT16_MAX) break;
        packed |= number << 16 * i;
        if (*next == '\0') {
            *dimensions = packed;
            return STATUS_OK;
        }
        if (*next++ != 'x') break;
    }
    return status_set(status, STATUS_USAGE,
                      "`%.*s` is not a list of dimensions; write up to %d numbers from 1 to 65535 "
                      "joined by x, e.g. 16x6",
                      UTF8_SHOWN(text, 60), UNITS_DIMENSIONS);
}

/* ---------------------------------------------------------------------------- writing */

static uint64_t magnitude_of(int64_t value) {
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Writes value / 10^digits as an exact decimal with a unit; digits is at most 12. */
static void decimal_text(int64_t value, int digits, const char *unit, char *buffer, size_t size) {
    uint64_t power = 1;
    for (int i = 0; i < digits; i++)
        power *= 10;
    uint64_t magnitude = magnitude_of(value);
    uint64_t fraction = magnitude % power;
    while (digits > 0 && fraction % 10 == 0)
        fraction /= 10, digits--;
    const char *sign = value < 0 ? "-" : "";
    if (digits == 0)
        snprintf(buffer, size, "%s%" PRIu64 "%s", sign, magnitude / power, unit);
    else
        snprintf(buffer, size, "%s%" PRIu64 ".%0*" PRIu64 "%s", sign, magnitude / power, digits,
                 fraction, unit);
}

/* Writes a value with the largest of five units, in steps of 1000, that does not exceed the value.
 */
static void thousands_text(int64_t value, const struct unit *units, char *buffer, size_t size) {
    int step = 0;
    while (step < 4 && magnitude_of(value) >= units[step + 1].numerator)
        step++;
    decimal_text(value, 3 * step, value == 0 ? "" : units[step].name, buffer, size);
}

void units_time_text(int64_t time_ps, char *buffer, size_t size) {
    thousands_text(time_ps, time_units, buffer, size);
}

void units_bandwidth_text(int64_t bytes_per_second, char *buffer, size_t size) {
    thousands_text(bytes_per_second, bandwidth_units, buffer, size);
}

void units_length_text(int64_t length_mm, char *buffer, size_t size) {
    bool small = magnitude_of(length_mm) < K;
    decimal_text(length_mm, small ? 0 : 3, length_mm == 0 ? "" : small ? "mm" : "m", buffer, size);
}

void units_ratio_text(int64_t millionths, char *buffer, size_t size) {
    decimal_text(millionths, 6, "", buffer, size);
}

void units_share_text(int64_t share, char *buffer, size_t size) {
    int64_t part = units_share_part(share), whole = units_share_whole(share);
    if (whole == 1)
        snprintf(buffer, size, "%" PRId64, part);
    else
        snprintf(buffer, size, "%" PRId64 "/%" PRId64, part, whole);
}

void units_amount_text(int64_t amount, char *buffer, size_t size) {
    if (amount < 0)
        decimal_text(-amount, 4, "%", buffer, size);
    else
        units_count_text(amount, buffer, size);
}

void units_count_text(int64_t count, char *buffer, size_t size) {
    decimal_text(count, 0, "", buffer, size);
}

void units_dimensions_text(int64_t dimensions, char *buffer, size_t size) {
    size_t length = (size_t)snprintf(buffer, size, "%" PRIu32, units_dimension(dimensions, 0));
    for (unsigned i = 1; i < UNITS_DIMENSIONS && length < size; i++) {
        uint32_t number = units_dimension(dimensions, i);
        if (number > 0)
            length += (size_t)snprintf(buffer + length, size - length, "x%" PRIu32, number);
    }
}

/* Uses the largest power of 1024 that divides the size, else of 1000, else bytes. */
void units_size_text(int64_t size_bytes, char *buffer, size_t size) {
    int last = (int)(sizeof size_units / sizeof *size_units) - 2;
    const struct unit *unit = &size_units[last];
    uint64_t magnitude = magnitude_of(size_bytes);
    while (magnitude % unit->numerator != 0)
        unit--;
    snprintf(buffer, size, "%s%" PRIu64 "%s", size_bytes < 0 ? "-" : "",
             magnitude / unit->numerator, size_bytes == 0 ? "" : unit->name);
}

/* ---------------------------------------------------------------------------- for people */

/* Writes four significant digits in the largest of count units (each `step` times the one before)
 * that leaves at least one digit before the point. If the value is too large for all units, writes
 * all digits before the point. */
static void human_text(const char *sign, wide magnitude, const char *const *names, unsigned count,
                       unsigned step, char *buffer, size_t size) {
    char digits[WIDE_TEXT_BYTES];
    wide scale = 1;
    unsigned index = 0;
    while (index + 1 < count && magnitude / scale >= step)
        scale *= step, index++;
    if (index == 0) {
        snprintf(buffer, size, "%s%s %s", sign, wide_text(magnitude, digits), names[0]);
        return;
    }
    for (;;) {
        int decimals = 3;
        unsigned power = 1000;
        for (wide whole = magnitude / scale; whole >= 10 && decimals > 0; whole /= 10)
            decimals--, power /= 10;
        wide rounded = (magnitude * power + scale / 2) / scale;
        if (rounded >= 10000 && decimals > 0) /* 9.9996 -> 10.00 */
            decimals--, power /= 10, rounded = (magnitude * power + scale / 2) / scale;
        if (rounded / power >= step && index + 1 < count) { /* 999.96 us -> 1.000 ms */
            scale *= step, index++;
            magnitude = scale;
            continue;
        }
        unsigned rest = (unsigned)(rounded % power);
        wide_text(rounded / power, digits);
        if (decimals == 0)
            snprintf(buffer, size, "%s%s %s", sign, digits, names[index]);
        else
            snprintf(buffer, size, "%s%s.%0*u %s", sign, digits, decimals, rest, names[index]);
        return;
    }
}

static void time_human(const char *sign, wide time_ps, char *buffer, size_t size) {
    static const char *const names[] = {"ps", "ns", "us", "ms", "s"};
    human_text(sign, time_ps, names, 5, 1000, buffer, size);
}

void units_time_human(int64_t time_ps, char *buffer, size_t size) {
    time_human(time_ps < 0 ? "-" : "", magnitude_of(time_ps), buffer, size);
}

void units_time_sum_human(wide time_ps, char *buffer, size_t size) {
    time_human("", time_ps, buffer, size);
}

void units_size_human(wide size_bytes, char *buffer, size_t size) {
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    human_text("", size_bytes, names, 5, 1024, buffer, size);
}
