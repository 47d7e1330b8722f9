/* Archives that are damaged, incomplete or no traces of MPI: one clear error each, and silence on
 * the terminal. */
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct traces_config config = {.polling_gap_ps = INT64_C(100000000)};

/* Opens what must fail, and returns how many bytes went to the terminal meanwhile. */
static long refuse(const char *path, const char *const words[3]) {
    FILE *caught = tmpfile();
    assert_non_null(caught);
    fflush(NULL);
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    dup2(fileno(caught), STDOUT_FILENO);
    dup2(fileno(caught), STDERR_FILENO);
    struct status status = STATUS_INIT;
    struct program *program = (void *)1;
    status_code code = traces_open(&program, path, &config, 2, NULL, NULL, &status);
    fflush(NULL);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    fseek(caught, 0, SEEK_END);
    long printed = ftell(caught);
    fclose(caught);
    if (code != STATUS_INPUT)
        fail_msg("%s: code %d (%s)", path, code, status.text != NULL ? status.text : "");
    assert_null(program);
    assert_null(strchr(status.text, '\n'));
    for (size_t i = 0; i < 3 && words[i] != NULL; i++)
        if (strstr(status.text, words[i]) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", status.text, words[i]);
    status_clear(&status);
    return printed;
}

static void damaged_archives_are_refused_in_silence(void **state) {
    (void)state;
    static const struct {
        const char *archive;
        const char *words[3];
    } cases[] = {
        {"bad/trunc_anchor", {"traces.otf2", "cut short"}},
        {"bad/missing_globaldef", {"traces.def", "missing"}},
        {"bad/trunc_globaldef", {"traces.def", "cut short"}},
        {"bad/missing_evt", {"rank 3", "traces/3.evt", "missing"}},
        {"bad/trunc_evt", {"rank 3", "traces/3.evt", "cut short"}},
        {"bad/missing_def", {"rank 3", "traces/3.def", "missing"}},
        {"bad/no_localdefs", {"rank 0", "traces/0.def", "missing"}},
        {"bad/flip_evt", {"rank 3", "traces/3.evt", "damaged"}},
        {"recorded/sp_threads-nothr_8", {"rank 2", "MPI_Waitall", "without thread support"}},
        {"recorded/ez_halo2d_8/mpipat_trace", {"96 MPI_ISEND_COMPLETE", "96 MPI_IRECV", "Score-P"}},
        {"recorded/ez_persist_8/mpipat_trace", {"24 MPI_ISEND_COMPLETE", "24 MPI_IRECV"}},
    };
    struct stat about;
    if (stat(ANAX_SHARED "/traces/bad", &about) != 0) skip();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, ANAX_SHARED "/traces/%s", cases[i].archive);
        assert_int_equal(refuse(path, cases[i].words), 0);
    }
}

static void files_that_are_no_archives_are_refused(void **state) {
    (void)state;
    static const char *const missing[3] = {"/nowhere/traces.otf2", "No such file"};
    static const char *const foreign[3] = {"not an OTF2 anchor file"};
    static const char *const empty[3] = {"no OTF2 archive"};
    assert_int_equal(refuse("/nowhere/traces.otf2", missing), 0);
    assert_int_equal(refuse(ANAX_SOURCE_DIR "/CMakeLists.txt", foreign), 0);
    assert_int_equal(refuse(ANAX_SOURCE_DIR "/tests/data", empty), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_archives_are_refused_in_silence),
        cmocka_unit_test(files_that_are_no_archives_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
