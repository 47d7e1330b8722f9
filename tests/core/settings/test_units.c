/* Units: what a user writes is read exactly, what is printed reads back, nonsense is taught. */
#include "core/settings/units.h"
#include "core/simulation/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef status_code (*parser)(const char *, int64_t *, struct status *);
typedef void (*writer)(int64_t, char *, size_t);

static void expect_read(parser parse, const char *text, int64_t expected) {
    int64_t value = -42;
    struct status status = STATUS_INIT;
    if (parse(text, &value, &status) != STATUS_OK) fail_msg("`%s`: %s", text, status.text);
    if (value != expected) fail_msg("`%s` is read as %ld", text, (long)value);
}

static void expect_refusal(parser parse, const char *text, const char *expected) {
    int64_t value = -42;
    struct status status = STATUS_INIT;
    if (parse(text, &value, &status) != STATUS_USAGE) fail_msg("`%s` is accepted", text);
    if (strstr(status.text, expected) == NULL) fail_msg("`%s`: %s", text, status.text);
    assert_int_equal(value, -42);
    status_clear(&status);
}

static void times_are_read_exactly(void **state) {
    (void)state;
    expect_read(units_parse_time, "300ns", 300000);
    expect_read(units_parse_time, " 1.5 us ", 1500000);
    expect_read(units_parse_time, "0", 0);
    expect_read(units_parse_time, "0.000ps", 0);
    expect_read(units_parse_time, "000000000000000000000000000001ps", 1);
    expect_read(units_parse_time, "1.000000000000000000000000000ps", 1);
    expect_read(units_parse_time, "0.000000000001s", 1);
    expect_read(units_parse_time, ".5ns", 500);
    expect_read(units_parse_time, "2min", 120000000000000);
    expect_read(units_parse_time, "0.5h", 1800000000000000);
    expect_read(units_parse_time, "-5ns", -5000);
    expect_read(units_parse_time, "9223372036854775807ps", INT64_MAX);
    expect_read(units_parse_time, "-9223372036854775808ps", INT64_MIN);
    expect_refusal(units_parse_time, "300",
                   "`300` has no unit; a time needs one of ps ns us ms s min h, e.g. 300ns");
    expect_refusal(units_parse_time, "300NS", "did you mean `ns`");
    expect_refusal(units_parse_time, "3 parsec", "a time needs one of ps ns");
    expect_refusal(units_parse_time, "1.5ps", "not a whole number of picoseconds");
    expect_refusal(units_parse_time, "9223372036854775808ps", "too large");
    expect_refusal(units_parse_time, "9999999999999999999999h", "too large");
    expect_refusal(units_parse_time, "10000000000000000000000h", "too many digits");
    expect_refusal(units_parse_time, "", "missing");
    expect_refusal(units_parse_time, "  ", "missing");
    expect_refusal(units_parse_time, "ns", "is not a time");
    expect_refusal(units_parse_time, "5.ns", "unknown unit");
    expect_refusal(units_parse_time, "--5ns", "is not a time");
    expect_refusal(units_parse_time, "1e3ns", "unknown unit");
    expect_refusal(units_parse_time, "5ns5", "unknown unit");
    expect_refusal(units_parse_time, "nan", "is not a time");
}

static void sizes_and_bandwidths_are_read_exactly(void **state) {
    (void)state;
    expect_read(units_parse_size, "2KiB", 2048);
    expect_read(units_parse_size, "2kB", 2000);
    expect_read(units_parse_size, "0.5TiB", INT64_C(1) << 39);
    expect_read(units_parse_size, "64 B", 64);
    expect_refusal(units_parse_size, "-1", "`-1` has no unit; a size needs one, e.g. 2KiB");
    expect_refusal(units_parse_size, "99999999999999999999",
                   "`99999999999999999999` has no unit; a size needs one, e.g. 2KiB");
    expect_refusal(units_parse_size, "4K", "write 4KiB (powers of 1024) or 4kB (of 1000)");
    expect_refusal(units_parse_size, "4G", "write 4GiB (powers of 1024) or 4GB (of 1000)");
    expect_refusal(units_parse_size, "4mb", "did you mean `MB`");
    expect_refusal(units_parse_size, "4KB", "did you mean `kB`");
    expect_refusal(units_parse_size, "64", "e.g. 64KiB");
    expect_refusal(units_parse_size, "0.3KiB", "not a whole number of bytes");
    expect_read(units_parse_bandwidth, "12.5GB/s", 12500000000);
    expect_read(units_parse_bandwidth, "100Gbit/s", 12500000000);
    expect_read(units_parse_bandwidth, "100Gb/s", 12500000000);
    expect_read(units_parse_bandwidth, "12.5GiB/s", 13421772800);
    expect_read(units_parse_bandwidth, "8bit/s", 1);
    expect_refusal(units_parse_bandwidth, "4bit/s", "not a whole number of bytes per second");
    expect_refusal(units_parse_bandwidth, "12.5GB", "a bandwidth needs one of B/s kB/s");
    expect_refusal(units_parse_bandwidth, "12.5GBit/s", "did you mean `Gbit/s`");
}

static void other_quantities_are_read_exactly(void **state) {
    (void)state;
    expect_read(units_parse_length, "1.3m", 1300);
    expect_read(units_parse_length, "57 cm", 570);
    expect_read(units_parse_length, "2km", 2000000);
    expect_read(units_parse_length, "0", 0);
    expect_refusal(units_parse_length, "1.2345m", "not a whole number of millimetres");
    expect_refusal(units_parse_length, "3", "needs one of mm cm m km");
    expect_read(units_parse_byte_hops, "960", 960);
    expect_read(units_parse_byte_hops, "-960", -960);
    expect_read(units_parse_byte_hops, "960B", 960);
    expect_read(units_parse_byte_hops, "2 KiB", 2048);
    expect_refusal(units_parse_byte_hops, "1.5", "not a whole number of bytes times hops");
    expect_refusal(units_parse_byte_hops, "9 hops", "write e.g. 960 or 960B");
    expect_read(units_parse_amount, "12", 12);
    expect_read(units_parse_amount, "1%", -10000);
    expect_read(units_parse_amount, "0.5 %", -5000);
    expect_read(units_parse_amount, "0%", 0);
    expect_read(units_parse_amount, "100%", UNITS_AMOUNT_ALL);
    expect_refusal(units_parse_amount, "-3", "neither a number");
    expect_refusal(units_parse_amount, "101%", "neither a number");
    expect_refusal(units_parse_amount, "0.5", "");
    expect_read(units_parse_share, "9/10", INT64_C(9) << 32 | 10);
    expect_read(units_parse_share, "64/66", INT64_C(32) << 32 | 33);
    expect_read(units_parse_share, "0.9", INT64_C(9) << 32 | 10);
    expect_read(units_parse_share, "68.75%", INT64_C(11) << 32 | 16);
    expect_read(units_parse_share, "1", INT64_C(1) << 32 | 1);
    expect_read(units_parse_share, "1000000/1000000", INT64_C(1) << 32 | 1);
    expect_read(units_parse_share, "999999/1000000", INT64_C(999999) << 32 | 1000000);
    expect_refusal(units_parse_share, "10/9", "not a share of a whole");
    expect_refusal(units_parse_share, "0", "not a share of a whole");
    expect_refusal(units_parse_share, "0/5", "not a share of a whole");
    expect_refusal(units_parse_share, "5/0", "not a share of a whole");
    expect_refusal(units_parse_share, "1.1", "not a share of a whole");
    expect_refusal(units_parse_share, "-1/2", "not a share of a whole");
    expect_refusal(units_parse_share, "1/2/3", "not a share of a whole");
    expect_refusal(units_parse_share, "/2", "not a share of a whole");
    expect_refusal(units_parse_share, "1/", "not a share of a whole");
    expect_refusal(units_parse_share, "1/1000001", "not a share of a whole");
    expect_refusal(units_parse_share, "18446744073709551617/18446744073709551618",
                   "not a share of a whole");
    expect_refusal(units_parse_share, "half", "is not a ratio");
    expect_read(units_parse_ratio, "0.25", 250000);
    expect_read(units_parse_ratio, "25%", 250000);
    expect_read(units_parse_ratio, "12.5 %", 125000);
    expect_read(units_parse_ratio, "1", 1000000);
    expect_read(units_parse_ratio, ".5", 500000);
    expect_read(units_parse_ratio, "0.30000000000000004", 300000);
    expect_read(units_parse_ratio, "0.1234567", 123457);
    expect_read(units_parse_ratio, "-33.33333333%", -333333);
    expect_read(units_parse_ratio, "0.000001", 1);
    expect_refusal(units_parse_ratio, "0.0000009", "not a whole number of millionths");
    expect_refusal(units_parse_ratio, "9223372036854.7758079", "too large");
    expect_refusal(units_parse_ratio, ".", "write e.g. 0.25 or 25%");
    expect_refusal(units_parse_ratio, "1/4", "write e.g. 0.25 or 25%");
    expect_read(units_parse_count, "33", 33);
    expect_refusal(units_parse_count, "1.5", "not a whole number");
    expect_refusal(units_parse_count, "eight", "write e.g. 8");
    expect_refusal(units_parse_count, "0x10", "write e.g. 8");
    expect_read(units_parse_dimensions, "0", 0);
    expect_read(units_parse_dimensions, "96", 96);
    expect_read(units_parse_dimensions, "16x6", 16 + (6 << 16));
    expect_read(units_parse_dimensions, "2x3x65535", 2 + (3 << 16) + (INT64_C(65535) << 32));
    const char *const wrong[] = {"",        "x",     "4x",    "x4", "4x0",
                                 "2x2x2x2", "65536", "4 x 4", "-1", "4X4"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_refusal(units_parse_dimensions, wrong[i], "joined by x, e.g. 16x6");
    char text[UNITS_TEXT_BYTES];
    units_dimensions_text(16 + (6 << 16), text, sizeof text);
    assert_string_equal(text, "16x6");
    units_dimensions_text(0, text, sizeof text);
    assert_string_equal(text, "0");
}

/* Long or strange texts are quoted in part, never trusted. */
static void hostile_texts_are_quoted_in_part(void **state) {
    (void)state;
    char text[4096];
    memset(text, '9', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    expect_refusal(units_parse_size, text, "too many digits");
    text[0] = '1';
    memset(text + 1, 'x', sizeof text - 2);
    expect_refusal(units_parse_bandwidth, text, "unknown unit");
    expect_refusal(units_parse_bandwidth, "200Gbps", "did you mean `200Gbit/s`?");
    expect_refusal(units_parse_bandwidth, "12.5GBps", "did you mean `12.5GB/s`?");
    expect_refusal(units_parse_bandwidth, "1xps", "needs one of");
    memset(text, '0', sizeof text - 1);
    expect_read(units_parse_time, text, 0);
}

static const struct {
    const char *what;
    parser parse;
    writer write;
} families[] = {{"time", units_parse_time, units_time_text},
                {"size", units_parse_size, units_size_text},
                {"bandwidth", units_parse_bandwidth, units_bandwidth_text},
                {"length", units_parse_length, units_length_text},
                {"ratio", units_parse_ratio, units_ratio_text}};

static void round_trip(int64_t value) {
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        char text[UNITS_TEXT_BYTES];
        families[i].write(value, text, sizeof text);
        expect_read(families[i].parse, text, value);
    }
}

static void printed_quantities_read_back(void **state) {
    (void)state;
    int64_t corners[] = {0, 1, 999, 1000, 1001, 1023, 1024, INT64_MAX, INT64_MIN, INT64_MIN + 1};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        round_trip(corners[i]);
        if (corners[i] != INT64_MIN) round_trip(-corners[i]);
    }
    for (uint64_t i = 0; i < 20000; i++) {
        struct random_block draw = random_draw(1, RANDOM_PATTERN, 0, i);
        uint64_t bits = (uint64_t)draw.word[0] << 32 | draw.word[1];
        int64_t value = (int64_t)(bits >> draw.word[2] % 64);
        static const int64_t factors[] = {1, 10, 1000, 1024, 1000000, 1048576};
        int64_t factor = factors[draw.word[3] % 6];
        round_trip(value);
        if (value > 0 && value < INT64_MAX / factor) round_trip(value * factor);
    }
}

static void expect_written(writer write, int64_t value, const char *expected) {
    char text[UNITS_TEXT_BYTES];
    write(value, text, sizeof text);
    assert_string_equal(text, expected);
}

static void quantities_are_printed_exactly(void **state) {
    (void)state;
    expect_written(units_time_text, 300000, "300ns");
    expect_written(units_time_text, 1500, "1.5ns");
    expect_written(units_time_text, 1000001, "1.000001us");
    expect_written(units_time_text, 0, "0");
    expect_written(units_time_text, INT64_MIN, "-9223372.036854775808s");
    expect_written(units_size_text, 2048, "2KiB");
    expect_written(units_size_text, 1000000, "1MB");
    expect_written(units_size_text, 1001, "1001B");
    expect_written(units_size_text, -4096, "-4KiB");
    expect_written(units_bandwidth_text, 12500000000, "12.5GB/s");
    expect_written(units_length_text, 1300, "1.3m");
    expect_written(units_length_text, 570, "570mm");
    expect_written(units_length_text, 0, "0");
    expect_written(units_ratio_text, 250000, "0.25");
    expect_written(units_ratio_text, 2000000, "2");
}

static void expect_written_sum(void (*write)(wide, char *, size_t), wide value, const char *text) {
    char buffer[UNITS_TEXT_BYTES];
    write(value, buffer, sizeof buffer);
    assert_string_equal(buffer, text);
}

static void quantities_for_people_have_four_digits(void **state) {
    (void)state;
    expect_written(units_time_human, 0, "0 ps");
    expect_written(units_time_human, 999, "999 ps");
    expect_written(units_time_human, 1234, "1.234 ns");
    expect_written(units_time_human, 1234567890, "1.235 ms");
    expect_written(units_time_human, 9999600, "10.00 us");
    expect_written(units_time_human, 999960000, "1.000 ms");
    expect_written(units_time_human, 999940000, "999.9 us");
    expect_written(units_time_human, 12345 * INT64_C(1000000000000), "12345 s");
    expect_written(units_time_human, -1234567, "-1.235 us");
    expect_written(units_time_human, INT64_MAX, "9223372 s");
    expect_written(units_time_human, INT64_MIN, "-9223372 s");
    expect_written_sum(units_size_human, 1023, "1023 B");
    expect_written_sum(units_size_human, 12 * (INT64_C(1) << 30) + (INT64_C(1) << 29), "12.50 GiB");
    expect_written_sum(units_size_human, 1023 * 1024 + 1023, "1.000 MiB");
    expect_written_sum(units_size_human, (wide)1 << 80, "1099511627776 TiB");
    expect_written_sum(units_time_sum_human, 0, "0 ps");
    expect_written_sum(units_time_sum_human, 9999600, "10.00 us");
    expect_written_sum(units_time_sum_human, (wide)11796480 * 1000000000000u, "11796480 s");
    expect_written_sum(units_time_sum_human, (wide)INT64_MAX << 40, "10141204801825835211 s");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_read_exactly),
        cmocka_unit_test(sizes_and_bandwidths_are_read_exactly),
        cmocka_unit_test(other_quantities_are_read_exactly),
        cmocka_unit_test(hostile_texts_are_quoted_in_part),
        cmocka_unit_test(printed_quantities_read_back),
        cmocka_unit_test(quantities_are_printed_exactly),
        cmocka_unit_test(quantities_for_people_have_four_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
