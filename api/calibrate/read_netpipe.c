/*
 * NetPIPE's np.out, versions 3 to 5: rows of bytes, throughput and seconds without a header. The
 * file does not name the unit of the throughput. The throughput must agree with the bytes and
 * seconds in 2^20 bits per second (version 3), 10^6 (4) or 10^9 (5).
 *
 * Source: NetPIPE's documentation (netpipe.cs.ksu.edu): the time is that of a message one way, half
 * of a ping-pong's round trip.
 */
#include "api/calibrate/measurement_reader.h"

#include <stdio.h>

static const double units[] = {1048576, 1e6, 1e9};
enum { UNITS = sizeof units / sizeof *units };

/* Returns whether a printed throughput is the bits per second, within the rounding of its own
 * digits and of the time's digits. */
static bool is_consistent(double bits, double seconds, double seconds_step, double printed,
                          double printed_step, double unit) {
    const double min = bits / (seconds + seconds_step) / unit - printed_step;
    const double max = seconds > seconds_step ? bits / (seconds - seconds_step) / unit : 1e300;
    return printed >= min * 0.999 && printed <= max * 1.001 + printed_step;
}

bool measurement_is_netpipe(struct measurement_reader *reader) {
    if (reader->field_count < 3) return false;
    for (size_t i = 0; i < reader->field_count; i++)
        for (size_t k = 0; k < reader->fields[i].length; k++) {
            const char letter = reader->fields[i].text[k];
            if ((letter < '0' || letter > '9') && letter != '.' && letter != ',' && letter != 'e' &&
                letter != 'E' && letter != '-' && letter != '+')
                return false;
        }
    return true;
}

void read_netpipe(struct measurement_reader *reader) {
    struct measurement about = {.kind = MEASUREMENT_LATENCY, .processes = 2, .pairs = 1};
    snprintf(about.name, sizeof about.name, "NetPIPE");
    const size_t columns = reader->field_count;
    bool possible[UNITS] = {true, true, true};
    measurement_begin_table(reader, &about);
    do {
        uint64_t size_bytes = 0;
        double throughput = 0, step = 0, seconds = 0, seconds_step = 0;
        if (reader->field_count == 0) continue;
        if (!reader->has_ended || reader->field_count != columns) {
            MEASUREMENT_FAULT(reader, reader->line,
                              "this is no row of NetPIPE's np.out: %zu numbers and a line end are "
                              "expected, as in the first row; the file may be cut short",
                              columns);
            continue;
        }
        if (!measurement_read_size(reader, &reader->fields[0], &size_bytes) ||
            !measurement_read_number(reader, &reader->fields[1], &throughput, &step) ||
            !measurement_read_number(reader, &reader->fields[2], &seconds, &seconds_step))
            continue;
        bool any = false;
        for (size_t i = 0; i < UNITS; i++) {
            possible[i] = possible[i] && is_consistent(8.0 * (double)size_bytes, seconds,
                                                       seconds_step, throughput, step, units[i]);
            any = any || possible[i];
        }
        if (!any) {
            MEASUREMENT_FAULT(
                reader, reader->fields[1].text,
                "NetPIPE's rows are bytes, throughput (Mbit/s or Gbit/s, the same in all "
                "rows) and seconds, but this throughput does not follow from the other "
                "two");
            return;
        }
        measurement_add_row(reader, size_bytes, seconds * 1e12, seconds_step * 1e12);
    } while (measurement_next_line(reader));
}
