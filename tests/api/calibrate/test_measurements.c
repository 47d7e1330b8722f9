/* Reading the outputs of the OSU micro-benchmarks, the Intel MPI Benchmarks and NetPIPE. */
#include "api/calibrate/measurement.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct measurement_list read_right(const char *text) {
    struct measurement_list list = {0};
    struct status status = STATUS_INIT;
    if (measurements_read_text(&list, "file", text, strlen(text), &status) != STATUS_OK)
        fail_msg("%s", status.text);
    return list;
}

static void expect_row(const struct measurement *table, size_t row, uint64_t size_bytes,
                       double time_ps) {
    assert_true(row < table->count);
    assert_int_equal(table->rows[row].size_bytes, size_bytes);
    if (fabs(table->rows[row].time_ps / time_ps - 1) > 1e-12)
        fail_msg("row %zu: %.6f ps, not %.6f", row, table->rows[row].time_ps, time_ps);
}

static void expect_fault(const char *text, const char *place, const char *what) {
    struct measurement_list list = {0};
    struct status status = STATUS_INIT;
    if (measurements_read_text(&list, "file", text, strlen(text), &status) != STATUS_INPUT)
        fail_msg("this was read:\n%s", text);
    if (strstr(status.text, place) == NULL || strstr(status.text, what) == NULL)
        fail_msg("`%s` and `%s` are not in:\n%s", place, what, status.text);
    assert_int_equal(list.count, 0);
    status_clear(&status);
    measurements_free(&list);
}

static void osu_latency_of_all_versions(void **state) {
    (void)state;
    static const char *const texts[] = {
        "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n0   1.20\n8   1.25\n",
        "# OSU MPI Latency Test v7.1\n# Size          Latency (us)\n# Datatype: MPI_CHAR.\n"
        "0                       1.20\n8                       1.25\n",
        "Warning: Permanently added 'node'\n\n# OSU MPI Latency Test v7.5\n"
        "# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)        Validation\n"
        "0                       1.20              Pass\n"
        "8                       1.25              Pass\n",
        "# OSU MPI-CUDA Latency Test v5.9\n# Send Buffer on HOST (H) and Receive Buffer on HOST "
        "(H)\n# Size          Latency (us)\r\n0   1.20\r\n8   1.25\r\n",
        "\xef\xbb\xbf# OSU MPI Latency Test v7.4\n# Size\tAvg Latency(us)\tP50 Tail Lat(us)\n"
        "0\t1.20\t1.1\n8\t1.25\t1.2\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct measurement_list list = read_right(texts[i]);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.tables[0].kind, MEASUREMENT_LATENCY);
        assert_string_equal(list.tables[0].name, "osu_latency");
        assert_int_equal(list.tables[0].count, 2);
        expect_row(&list.tables[0], 0, 0, 1.20e6);
        expect_row(&list.tables[0], 1, 8, 1.25e6);
        assert_true(fabs(list.tables[0].rows[1].resolution_ps - 1e4) < 1e-6);
        measurements_free(&list);
    }
}

static void osu_bandwidths_become_times(void **state) {
    (void)state;
    struct measurement_list list = read_right(
        "# OSU MPI Bandwidth Test v5.6\n# Size      Bandwidth (MB/s)\n1 2.00\n1024 2048.00\n"
        "\n# OSU MPI Bi-Directional Bandwidth Test v7.0\n# Size      Bandwidth (MB/s)\n1024 "
        "4096.00\n"
        "# OSU MPI Multiple Bandwidth / Message Rate Test v5.7\n# [ pairs: 15 ] [ window size: 32 "
        "]\n# Size                  MB/s        Messages/s\n1    6.39      6000000.00\n"
        "# OSU MPI Allreduce Latency Test v5.7\n# Size       Avg Latency(us)   Min Latency(us)   "
        "Max Latency(us)  Iterations\n4  3.5  3.1  3.9  1000\n");
    assert_int_equal(list.count, 4);
    assert_int_equal(list.tables[0].kind, MEASUREMENT_STREAM);
    assert_int_equal(list.tables[0].window, 0); /* the output does not say it */
    expect_row(&list.tables[0], 0, 1, 500e3);
    expect_row(&list.tables[0], 1, 1024, 500e3);
    assert_true(fabs(list.tables[0].rows[0].resolution_ps - 2500) < 1e-6);
    assert_int_equal(list.tables[1].kind, MEASUREMENT_BISTREAM);
    expect_row(&list.tables[1], 0, 1024, 500e3);
    assert_int_equal(list.tables[2].kind, MEASUREMENT_STREAM);
    assert_int_equal(list.tables[2].pairs, 15);
    assert_int_equal(list.tables[2].window, 32);
    expect_row(&list.tables[2], 0, 1, 2.5e6);
    assert_int_equal(list.tables[3].kind, MEASUREMENT_ALLREDUCE);
    expect_row(&list.tables[3], 0, 4, 3.5e6);
    measurements_free(&list);
}

static void osu_data_types_are_tables_of_their_own(void **state) {
    (void)state;
    struct measurement_list list =
        read_right("# OSU MPI Latency Test v7.3\n# Size          Latency (us)\n# Datatype: "
                   "MPI_CHAR.\n1 1.0\n8 2.0\n# Datatype: MPI_INT.\n4 1.0\n");
    assert_int_equal(list.count, 2);
    assert_int_equal(list.tables[0].count, 2);
    assert_int_equal(list.tables[1].count, 1);
    measurements_free(&list);
}

static const char imb[] =
    "#------------------------------------------------------------\n"
    "#    Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part\n"
    "#------------------------------------------------------------\n"
    "# Date                  : Mon Nov 23 00:00:00 2026\n"
    "# Minimum message length in bytes:   0\n"
    "#---------------------------------------------------\n"
    "# Benchmarking PingPong \n# #processes = 2 \n"
    "# ( 6 additional processes waiting in MPI_Barrier)\n"
    "#---------------------------------------------------\n"
    "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
    "            0         1000         0.49         0.00\n"
    "            1         1000         0.52         1.91\n"
    "      2097152 time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use "
    "\"-time X\"\n"
    "      4194304 out-of-mem.; needed X=  2.266 GB; use flag \"-mem X\"\n"
    "\n# Benchmarking Sendrecv \n# #processes = 4 \n"
    "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
    "            0         1000         0.60         0.64         0.62         0.00\n"
    "# Benchmarking PingPing \n# #processes = 2 \n"
    "       #bytes #repetitions      t[usec]   Mbytes/sec      defects\n"
    "            1         1000         0.52         1.91         0.00\n"
    "# Benchmarking Uniband \n# #processes = 4 \n"
    "       #bytes #repetitions   Mbytes/sec      Msg/sec\n"
    "            0         1000         0.00      4000000\n"
    "# Benchmarking Barrier \n# #processes = 2 \n"
    " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
    "         1000         0.60         0.64         0.62\n"
    "# Benchmarking Allreduce \n# #processes = 8 \n"
    "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
    "            4         1000         1.60         1.64         1.62\n"
    "# All processes entering MPI_Finalize\n";

static void imb_benchmarks_are_told_apart(void **state) {
    (void)state;
    struct measurement_list list = read_right(imb);
    assert_int_equal(list.count, 5);
    assert_string_equal(list.tables[0].name, "IMB PingPong");
    assert_int_equal(list.tables[0].kind, MEASUREMENT_LATENCY);
    assert_int_equal(list.tables[0].count, 2);
    expect_row(&list.tables[0], 1, 1, 0.52e6);
    assert_int_equal(list.tables[1].kind, MEASUREMENT_OTHER); /* a ring of four */
    assert_int_equal(list.tables[2].kind, MEASUREMENT_SENDRECV);
    assert_int_equal(list.tables[2].count, 1); /* a check that found no defects */
    assert_int_equal(list.tables[3].kind, MEASUREMENT_STREAM);
    assert_int_equal(list.tables[3].pairs, 2);
    assert_int_equal(list.tables[3].window, 64);
    expect_row(&list.tables[3], 0, 0, 0.5e6);
    assert_int_equal(list.tables[4].kind, MEASUREMENT_ALLREDUCE);
    assert_int_equal(list.tables[4].processes, 8);
    measurements_free(&list);
}

static void netpipe_in_each_unit(void **state) {
    (void)state;
    static const char *const texts[] = {
        "       1 3.814697   0.00000200\n    1024 976.562500   0.00000800\n",
        "1 4.000 0.00000200\n1024 1024.000 0.00000800\n",
        "1 0.004 0.00000200 0.1 0.2\n1024 1.024 0.00000800 0.1 0.2\n",
    };
    for (size_t i = 0; i < 3; i++) {
        struct measurement_list list = read_right(texts[i]);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.tables[0].kind, MEASUREMENT_LATENCY);
        assert_int_equal(list.tables[0].count, 2);
        expect_row(&list.tables[0], 0, 1, 2e6);
        expect_row(&list.tables[0], 1, 1024, 8e6);
        measurements_free(&list);
    }
}

#define LATENCY "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n"

static void faults_name_the_line(void **state) {
    (void)state;
    expect_fault("", "file:1", "no output of");
    expect_fault("network:\n  groups: 4\n", "file:1", "no output of");
    expect_fault("1 2.0 0.3 4\nhello\n", "file:1", "does not follow");
    expect_fault(LATENCY, "file:2", "no rows");
    expect_fault(LATENCY "1 1.5\n2 1.", "file:4", "ends within this line");
    expect_fault(LATENCY "1 1.5\n2\n", "file:4", "2 fields are expected");
    expect_fault(LATENCY "1 1.5\n2 1.6 7\n", "file:4", "2 fields are expected");
    expect_fault(LATENCY "1 1.5\nnode7: link down\n", "file:4", "no row of osu_latency");
    expect_fault(LATENCY "1 1.5\n2 1,6\n", "file:4:4", "decimal comma");
    expect_fault(LATENCY "1 1.5\n2 nan\n", "file:4:3", "a number is expected");
    expect_fault(LATENCY "1 1.5\n2 inf\n", "file:4:3", "a number is expected");
    expect_fault(LATENCY "1 1.5\n2 -1.6\n", "file:4:3", "negative");
    expect_fault(LATENCY "1 1.5\n2 0.00\n", "file:4", "time is 0");
    expect_fault("# OSU MPI Bandwidth Test v5.6\n# Size      Bandwidth (MB/s)\n0 2.00\n", "file:3",
                 "time is 0"); /* a message without bytes has no bandwidth */
    expect_fault(LATENCY "1 1.5\n2K 1.6\n", "file:4:1", "message size");
    expect_fault(LATENCY "1 1.5\n99999999999999 1.6\n", "file:4:1", "2^40");
    expect_fault(LATENCY "8 1.5\n4 1.6\n", "file:4:1", "must ascend");
    expect_fault(LATENCY "8 1.5\n8 1.6\n", "file:4:1", "must ascend");
    expect_fault(LATENCY "8 1.5\n# OSU MPI Bandwidth Test v5\n# Size      Bandwidth (MB/s)\n",
                 "file:5", "no rows");
    expect_fault("# OSU MPI Latency Test v5.6\n1 1.5\n", "file:2", "before the header");
    expect_fault("# OSU MPI Latency Test v5.6\n# Size          Latency (ms)\n1 1.5\n", "file:2:17",
                 "in us");
    expect_fault("# OSU MPI Bandwidth Test v5.6\n# Size      Bandwidth (Gb/s)\n1 1.5\n",
                 "file:2:13", "in MB/s");
    expect_fault("# OSU MPI-CUDA Latency Test v5.9\n# Send Buffer on DEVICE (D) and Receive "
                 "Buffer on DEVICE (D)\n# Size          Latency (us)\n1 1.5\n",
                 "file:2", "host memory");
    expect_fault("# OSU MPI Latency Test v7.5\n# Size       Avg Latency(us)        Validation\n1 "
                 "1.5 Fail\n",
                 "file:3:7", "damaged");
    expect_fault(
        "# OSU MPI Multiple Bandwidth / Message Rate Test v5.6\n# [ pairs: 2 ] [ window size: "
        "varied ]\n# Uni-directional Bandwidth (MB/sec)\n#  8  16\n1  2.0  3.0\n",
        "file:2", "one window");
    expect_fault(
        "# Benchmarking PingPong\n#bytes #repetitions t[usec] Mbytes/sec defects\n1 10 2.5 "
        "0.4 3.00\n",
        "file:3:14", "damaged");
    expect_fault("# Benchmarking PingPong\n#bytes #repetitions Mbytes/sec\n1 10 2.5\n", "file:2",
                 "t[usec]");
    expect_fault("# Benchmarking PingPong\n#bytes #repetitions t[usec]\n1 10\n", "file:3",
                 "3 fields are expected");
    expect_fault("# Intel(R) MPI Benchmarks 2019\n1 10 2.5\n", "file:2", "belongs to no table");
    expect_fault("# Intel(R) MPI Benchmarks 2019\n#bytes #repetitions t[usec]\n", "file:2",
                 "before `# Benchmarking");
    expect_fault("1 4.0 0.000002\n1024 1024.0 0.000012\n", "file:2:6", "does not follow");
    expect_fault("1 4.0 0.000002\n1024 1024.0\n", "file:2", "3 numbers");
    expect_fault("1 4,0 0.000002\n", "file:1:4", "decimal comma");
}

/* All faults of a file are told at once, and end somewhere. */
static void all_faults_are_told_up_to_a_limit(void **state) {
    (void)state;
    char text[20000] = LATENCY;
    for (int i = 0; i < 500; i++)
        strcat(text, "x y\n");
    expect_fault(text, "file:50:", "too many faults");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(osu_latency_of_all_versions),
        cmocka_unit_test(osu_bandwidths_become_times),
        cmocka_unit_test(osu_data_types_are_tables_of_their_own),
        cmocka_unit_test(imb_benchmarks_are_told_apart),
        cmocka_unit_test(netpipe_in_each_unit),
        cmocka_unit_test(faults_name_the_line),
        cmocka_unit_test(all_faults_are_told_up_to_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
