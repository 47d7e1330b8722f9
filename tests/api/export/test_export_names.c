/* Exports of programs whose names hold what ends a text in the format. */
#include "anax/anax.h"
#include "tests/support/core/scratch_folder.h"
#include "tests/support/traces/builder_world.h"
#include "traces/traces.h"

#include <stdio.h>
#include <stdlib.h>

static bool collect(void *context, const char *text, size_t length) {
    return fwrite(text, 1, length, context) == length;
}

/* One message, whose calls are called `name`, as a file. */
static void write_program(const char *path, const char *name) {
    struct build_world world = build_world_new(2), *w = &world;
    w->region = builder_define_region(w->builder, name, true);
    build_call(w, 0);
    build_isend(w, 0, 1, 3, 100, BUILDER_NO_REQUEST);
    build_call_end(w, 0);
    build_call(w, 1);
    build_irecv(w, 1, 0, 3, 100, BUILDER_NO_REQUEST);
    build_call_end(w, 1);
    struct program *program = build_sealed(w, 1);
    assert_int_equal(traces_write_program(program, path, false, 1, NULL), STATUS_OK);
    program_free(program);
}

static void labels_of_graphs_are_escaped(void **state) {
    (void)state;
    char folder[SCRATCH_FOLDER_BYTES], path[128];
    char *text = NULL;
    size_t size = 0;
    anax_trace *trace = NULL;
    anax_config *config = NULL;
    assert_true(scratch_folder_make(folder));
    snprintf(path, sizeof path, "%s/named.anax", folder);
    write_program(path, "Send\"];\\\nx");
    assert_int_equal(anax_config_new(&config, NULL), ANAX_OK);
    assert_int_equal(anax_trace_open(&trace, path, config, NULL, NULL), ANAX_OK);
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(anax_trace_export(trace, config, "dot", collect, stream, NULL), ANAX_OK);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "[label=\"Send\\\"];\\\\?x\\nsend 100 B to 1\"];\n"));
    assert_non_null(strstr(text, "[label=\"Send\\\"];\\\\?x\\nreceive 100 B from 0\"];\n"));
    free(text);
    anax_trace_free(trace);
    anax_config_free(config);
    assert_int_equal(scratch_folder_remove(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(labels_of_graphs_are_escaped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
