/*
 * Quantities with units: converts texts to integers in base units (picoseconds, bytes, bytes per
 * second, millimetres, millionths) and back. Exact decimal arithmetic, no floating point. Knows
 * only core/base/status.h and wide.h.
 *
 * Times: ps ns us ms s min h. Sizes: B kB MB GB TB (powers of 1000), KiB MiB GiB TiB (powers of
 * 1024); K, M, G and T alone are refused as ambiguous. Bandwidths: a size with "/s", or bit/s,
 * kbit/s, Mbit/s, Gbit/s, Tbit/s (also "Gb/s"). Lengths: mm cm m km. Ratios: "0.25", "25%". Bytes
 * times hops: a number or a size. A number without a unit is refused where a unit is needed, except
 * 0. Fractions that are not a whole number of base units are refused. Negative quantities are
 * accepted: the caller checks the range. Blanks may stand around the text and before the unit.
 * Errors are STATUS_USAGE and say what would be right; *value is set only on success.
 */
#ifndef ANAX_CORE_UNITS_H
#define ANAX_CORE_UNITS_H

#include "core/base/status.h"
#include "core/base/wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a time in picoseconds, such as "300ns". */
status_code units_parse_time(const char *text, int64_t *time_ps, struct status *status);

/* Reads a size in bytes, such as "2KiB". */
status_code units_parse_size(const char *text, int64_t *size_bytes, struct status *status);

/* Reads a bandwidth in bytes per second, such as "12.5GB/s". */
status_code units_parse_bandwidth(const char *text, int64_t *bytes_per_second,
                                  struct status *status);

/* Reads a length in millimetres, such as "2.5m". */
status_code units_parse_length(const char *text, int64_t *length_mm, struct status *status);

/* Reads a ratio in millionths, such as "0.25" or "25%". */
status_code units_parse_ratio(const char *text, int64_t *millionths, struct status *status);

/* Reads a whole number. */
status_code units_parse_count(const char *text, int64_t *count, struct status *status);

/* Reads bytes times hops, which UGAL compares: "960", or "960B" for the bytes of one hop. */
status_code units_parse_byte_hops(const char *text, int64_t *byte_hops, struct status *status);

/* Reads up to three whole numbers from 1 to 65535 joined by x, such as 16x6, into one integer:
 * number i has the bits from 16·i on. "0" means none. */
status_code units_parse_dimensions(const char *text, int64_t *dimensions, struct status *status);

/* Reads a number or a share of all: "12" gives 12, "1%" gives the negative number of millionths,
 * -10000. */
#define UNITS_AMOUNT_ALL (-1000000)
status_code units_parse_amount(const char *text, int64_t *amount, struct status *status);

/* Reads a share of a whole, more than 0 and at most 1, as an exact fraction: "9/10", "0.9" or
 * "90%". The fraction is packed into one integer in its lowest terms: the part has the upper 32
 * bits, the whole the lower ones. */
status_code units_parse_share(const char *text, int64_t *share, struct status *status);
#define UNITS_SHARE_MAX 1000000 /* the largest whole */
/* Returns the numerator of a packed share. */
static inline int64_t units_share_part(int64_t share) {
    return share >> 32;
}
/* Returns the denominator of a packed share, 1 … UNITS_SHARE_MAX. */
static inline int64_t units_share_whole(int64_t share) {
    return share & UINT32_MAX;
}
/* Returns whether an integer is a share as units_parse_share packs it. */
bool units_share_is_valid(int64_t share);

/* The functions NAME_text write exact texts, which the function of the same quantity reads back to
 * the same value: units_time_text writes what units_parse_time reads, and so on. The text is cut if
 * `size` is too small; UNITS_TEXT_BYTES suffice. */
void units_time_text(int64_t time_ps, char *buffer, size_t size);
void units_size_text(int64_t size_bytes, char *buffer, size_t size);
void units_bandwidth_text(int64_t bytes_per_second, char *buffer, size_t size);
void units_length_text(int64_t length_mm, char *buffer, size_t size);
void units_ratio_text(int64_t millionths, char *buffer, size_t size);
void units_share_text(int64_t share, char *buffer, size_t size);
void units_amount_text(int64_t amount, char *buffer, size_t size);
void units_count_text(int64_t count, char *buffer, size_t size);
void units_dimensions_text(int64_t dimensions, char *buffer, size_t size);

#define UNITS_DIMENSIONS 3
/* Returns number i of dimensions, i below UNITS_DIMENSIONS; 0: there is none. */
static inline uint32_t units_dimension(int64_t dimensions, unsigned i) {
    return (uint32_t)(dimensions >> 16 * i & 0xffff);
}
/* Returns how many dimensions there are, 0 … UNITS_DIMENSIONS. */
static inline unsigned units_dimensions_count(int64_t dimensions) {
    unsigned count = 0;
    while (count < UNITS_DIMENSIONS && units_dimension(dimensions, count) > 0)
        count++;
    return count;
}

/* The size of a buffer for any text of this file. */
#define UNITS_TEXT_BYTES 32

/* Writes a time for users, rounded to four significant digits: "1.234 ms". units_parse_time does
 * not read it back to the same value. */
void units_time_human(int64_t time_ps, char *buffer, size_t size);

/* Does the same for a sum of times. */
void units_time_sum_human(wide time_ps, char *buffer, size_t size);

/* Writes a size for users, rounded to four significant digits: "12.50 GiB". */
void units_size_human(wide size_bytes, char *buffer, size_t size);

#endif
