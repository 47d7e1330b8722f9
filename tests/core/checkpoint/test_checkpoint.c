/*
 * Checkpoints of a made-up simulation: pieces come back in any process, results of simulations that
 * were over come back, other facts are refused by name, damage of any byte is found, and what a run
 * that was killed left behind does no harm.
 */
#include "tests/support/core/checkpoint_world.h"
#include "tests/support/core/process_mesh.h"

#include "core/checkpoint/checkpoint_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OTHER_MALLOC
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define OTHER_MALLOC
#endif

enum { PIECES = 7 };

struct simulation {
    struct processes *processes;
    uint64_t pieces[PIECES];
    uint64_t sum; /* of all processes */
};

static bool is_here(void *context, uint32_t piece) {
    const struct simulation *simulation = context;
    return piece % processes_count(simulation->processes) ==
           processes_number(simulation->processes);
}

static void save_piece(void *context, struct saved_state *state, uint32_t piece) {
    SAVED(state, ((struct simulation *)context)->pieces[piece]);
}

static void save_process(void *context, struct saved_state *state) {
    struct simulation *simulation = context;
    uint64_t own = 1;
    SAVED(state, own);
    if (state->is_restoring) simulation->sum += own;
}

static struct checkpoint_pieces pieces_of(struct simulation *simulation) {
    return (struct checkpoint_pieces){simulation, PIECES, is_here, save_piece, save_process};
}

static status_code begin(struct checkpoint **checkpoint, const char *folder, const char *resume,
                         struct processes *processes, const char *policy, struct status *status) {
    const struct checkpoint_options options = {
        .folder = folder, .resume = resume, .processes = processes};
    struct checkpoint_facts facts = {0};
    checkpoint_add_fact(&facts, "the trace", "%s", "a\nb");
    checkpoint_add_fact(&facts, "routing", "%s", policy);
    if (strcmp(policy, "many") == 0)
        for (int i = 0; i < 5; i++)
            checkpoint_add_fact(&facts, policy + i % 4, "%d", i);
    status_code code = checkpoint_new(checkpoint, &options, &facts, status);
    checkpoint_facts_clear(&facts);
    return code;
}

static char folder[64];

static status_code write_one(void *context, struct processes *processes, struct status *status) {
    struct simulation simulation = {.processes = processes};
    const struct checkpoint_pieces pieces = pieces_of(&simulation);
    struct checkpoint *checkpoint = NULL;
    const uint64_t result = 99;
    (void)context;
    for (uint32_t i = 0; i < PIECES; i++)
        simulation.pieces[i] = is_here(&simulation, i) ? 100 + i : 0;
    FORWARD_IF_ERROR(begin(&checkpoint, folder, NULL, processes, "par", status));
    status_code code = checkpoint_record_result(checkpoint, 5, &result, sizeof result, status);
    checkpoint_begin(checkpoint, 6);
    for (int i = 0; i < 3 && code == STATUS_OK; i++)
        code = checkpoint_write(checkpoint, &pieces, status);
    checkpoint_free(checkpoint);
    return code;
}

/* Goes on from what other processes have written, and checks what comes back. */
static status_code read_one(void *context, struct processes *processes, struct status *status) {
    const unsigned writers = *(const unsigned *)context;
    struct simulation simulation = {.processes = processes};
    const struct checkpoint_pieces pieces = pieces_of(&simulation);
    struct checkpoint *checkpoint = NULL;
    uint64_t result = 0;
    bool fits = true;
    FORWARD_IF_ERROR(begin(&checkpoint, NULL, folder, processes, "par", status));
    fits = fits && checkpoint_find_result(checkpoint, 5, &result, sizeof result) && result == 99;
    fits = fits && !checkpoint_find_result(checkpoint, 6, &result, sizeof result);
    checkpoint_begin(checkpoint, 7);
    fits = fits && !checkpoint_resumes(checkpoint);
    checkpoint_begin(checkpoint, 6);
    fits = fits && checkpoint_resumes(checkpoint);
    status_code code = checkpoint_read(checkpoint, &pieces, status);
    for (uint32_t i = 0; i < PIECES; i++)
        fits = fits && simulation.pieces[i] == (is_here(&simulation, i) ? 100 + i : 0);
    fits = fits && simulation.sum == writers;
    checkpoint_free(checkpoint);
    if (code != STATUS_OK) return code;
    return fits ? STATUS_OK : status_set(status, STATUS_RUN, "something else came back");
}

static char scratch[SCRATCH_FOLDER_BYTES];

static int make_folder(void **state) {
    (void)state;
    if (!scratch_folder_in_memory(scratch)) return -1;
    snprintf(folder, sizeof folder, "%s/a/b", scratch);
    return 0;
}

/* Makes the folder of checkpoints and the one around it. */
static int make_folders(void) {
    char around[SCRATCH_FOLDER_BYTES + 8];
    snprintf(around, sizeof around, "%s/a", scratch);
    mkdir(around, 0700);
    return mkdir(folder, 0700);
}

static int remove_folder(void **state) {
    (void)state;
    return scratch_folder_remove(scratch);
}

static unsigned files(void) {
    DIR *directory = opendir(folder);
    unsigned count = 0;
    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count - 2;
}

static void write_alone(void) {
    struct status status = STATUS_INIT;
    if (write_one(NULL, NULL, &status) != STATUS_OK) fail_msg("%s", status.text);
}

static void any_number_of_processes_goes_on(void **state) {
    (void)state;
    for (unsigned writers = 1; writers <= 3; writers++) {
        assert_int_equal(process_mesh_run(writers, write_one, NULL), STATUS_OK);
        assert_int_equal(files(), 1 + writers); /* those of older checkpoints are gone */
        for (unsigned readers = 1; readers <= 4; readers++)
            assert_int_equal(process_mesh_run(readers, read_one, &writers), STATUS_OK);
        scratch_folder_remove(folder);
    }
}

static void refused(const char *with, const char *resume, const char *policy, status_code expected,
                    const char *text) {
    struct checkpoint *checkpoint = NULL;
    struct status status = STATUS_INIT;
    assert_int_equal(begin(&checkpoint, with, resume, NULL, policy, &status), expected);
    assert_null(checkpoint);
    if (strstr(status.text, text) == NULL) fail_msg("%s", status.text);
    status_clear(&status);
}

static void other_facts_are_refused(void **state) {
    (void)state;
    refused(NULL, folder, "par", STATUS_INPUT, "there is no checkpoint in this folder");
    write_alone();
    refused(NULL, folder, "minimal", STATUS_USAGE, "routing is `par` there, and `minimal` here");
    refused(NULL, folder, "many", STATUS_USAGE, "routing is `par` there, and `many` here");
    refused(NULL, folder, "many", STATUS_USAGE, "any is `not given` there, and `1` here");
    refused(NULL, folder, "many", STATUS_USAGE, "more differ");
    refused(folder, NULL, "par", STATUS_USAGE, "has a checkpoint already");
}

static void every_damaged_byte_is_found(void **state) {
    (void)state;
    static const char *const names[] = {"checkpoint", "state-3-0"};
    const unsigned writers = 1;
    write_alone();
    for (size_t i = 0; i < 2; i++) {
        char path[128], content[4096];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        FILE *file = fopen(path, "r+");
        assert_non_null(file);
        const size_t bytes = fread(content, 1, sizeof content, file);
        assert_true(bytes > 100 && bytes < sizeof content);
        for (size_t place = 0; place < bytes; place++) {
            struct status status = STATUS_INIT;
            fseek(file, (long)place, SEEK_SET);
            fputc(content[place] ^ 1, file);
            fflush(file);
            if (read_one((void *)(uintptr_t)&writers, NULL, &status) != STATUS_INPUT)
                fail_msg("byte %zu of %s: %s", place, names[i], status.text);
            status_clear(&status);
            fseek(file, (long)place, SEEK_SET);
            fputc(content[place], file);
        }
        fclose(file);
        for (size_t cut = 0; cut < bytes; cut += 1 + bytes / 20) {
            struct status status = STATUS_INIT;
            assert_int_equal(truncate(path, (off_t)cut), 0);
            assert_int_equal(read_one((void *)(uintptr_t)&writers, NULL, &status), STATUS_INPUT);
            status_clear(&status);
            file = fopen(path, "w");
            assert_int_equal(fwrite(content, 1, bytes, file), bytes);
            fclose(file);
        }
    }
    struct status status = STATUS_INIT;
    assert_int_equal(read_one((void *)(uintptr_t)&writers, NULL, &status), STATUS_OK);
}

static void put(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("half a", file);
    fclose(file);
}

/* A run is killed while it writes: its files are there, but the description is the old one. */
static void what_a_killed_run_leaves_does_no_harm(void **state) {
    (void)state;
    const unsigned writers = 1;
    struct status status = STATUS_INIT;
    struct checkpoint *checkpoint = NULL;
    struct simulation simulation = {0};
    const struct checkpoint_pieces pieces = pieces_of(&simulation);
    static const char *const left[] = {"state-4-0", "state-4-1", "state-4-2.part-77-0",
                                       "checkpoint.part"};
    write_alone();
    for (size_t i = 0; i < 4; i++)
        put(left[i]);
    assert_int_equal(read_one((void *)(uintptr_t)&writers, NULL, &status), STATUS_OK);
    assert_int_equal(begin(&checkpoint, folder, folder, NULL, "par", &status), STATUS_OK);
    assert_int_equal(files(), 2); /* they are removed where a run begins */
    checkpoint_begin(checkpoint, 6);
    for (int i = 0; i < 2; i++)
        assert_int_equal(checkpoint_write(checkpoint, &pieces, &status), STATUS_OK);
    checkpoint_free(checkpoint);
    assert_int_equal(files(), 2);
}

static void a_process_that_ends_removes_its_unfinished_file(void **state) {
    (void)state;
    char own[64];
    static const char *const others[] = {"state-4-1.part-1-0", "state-4-1", "state-4-1.part-x",
                                         "mine.part-1-0"};
    write_alone();
    const unsigned before = files();
    for (size_t i = 0; i < 4; i++)
        put(others[i]);
    snprintf(own, sizeof own, "state-4-0.part-%ld-0", (long)getpid());
    put(own);
    assert_int_equal(files(), before + 5);
    checkpoint_abandon(folder);
    assert_int_equal(files(), before + 4);
    checkpoint_abandon("/nowhere/checkpoints");
}

/* Process 1 sees another folder under the name of the folder. */
static void leave_the_folder(const struct processes *processes) {
    if (processes_number(processes) == 1) snprintf(folder, sizeof folder, "%s/elsewhere", scratch);
    if (processes_number(processes) == 1) mkdir(folder, 0700);
}

static status_code begin_apart(void *context, struct processes *processes, struct status *status) {
    struct checkpoint *checkpoint = NULL;
    (void)context;
    leave_the_folder(processes);
    const status_code code = begin(&checkpoint, folder, NULL, processes, "par", status);
    const bool is_told = status->text != NULL && strstr(status->text, "process 1 (on ") != NULL;
    /* process 0 has removed what it wrote */
    const bool is_clean = processes_number(processes) != 0 || files() == 0;
    return code == STATUS_USAGE && is_told && is_clean
               ? STATUS_OK
               : status_set(status, STATUS_RUN, "a folder that is not shared is accepted");
}

static status_code write_apart(void *context, struct processes *processes, struct status *status) {
    struct simulation simulation = {.processes = processes};
    const struct checkpoint_pieces pieces = pieces_of(&simulation);
    struct checkpoint *checkpoint = NULL;
    (void)context;
    FORWARD_IF_ERROR(begin(&checkpoint, folder, NULL, processes, "par", status));
    leave_the_folder(processes);
    checkpoint_begin(checkpoint, 6);
    const status_code code = checkpoint_write(checkpoint, &pieces, status);
    const bool is_told =
        status->text != NULL && strstr(status->text, "what process 1 has written") != NULL;
    checkpoint_free(checkpoint);
    return code == STATUS_SYSTEM && is_told && !checkpoint_exists(folder)
               ? STATUS_OK
               : status_set(status, STATUS_RUN, "a checkpoint that has lost a file is accepted");
}

static void all_processes_see_one_folder(void **state) {
    (void)state;
    assert_int_equal(process_mesh_run(3, begin_apart, NULL), STATUS_OK);
    scratch_folder_remove(folder);
    assert_int_equal(process_mesh_run(3, write_apart, NULL), STATUS_OK);
}

/* What each process sees of a checkpoint that one of them, or the text, cannot write. */
struct failing {
    unsigned told; /* times, in this process */
    bool names_file;
    bool names_state_of_folder;
};

static const char *in_the_way, *folder_state;

static void record_failure(void *context, const char *why) {
    struct failing *failing = context;
    failing->told++;
    failing->names_file = strstr(why, in_the_way) != NULL;
    failing->names_state_of_folder = strstr(why, folder_state) != NULL;
}

/* Writes a checkpoint that fails and, if in_the_way goes, another that does not. */
static status_code fail_to_write(void *context, struct processes *processes,
                                 struct status *status) {
    struct simulation simulation = {.processes = processes};
    const struct checkpoint_pieces pieces = pieces_of(&simulation);
    struct failing failing = {0};
    const bool has_one = *(const bool *)context;
    const struct checkpoint_options options = {.folder = folder,
                                               .resume = has_one ? folder : NULL,
                                               .wish_context = &failing,
                                               .failed = record_failure,
                                               .processes = processes};
    struct checkpoint_facts facts = {0};
    struct checkpoint *checkpoint = NULL;
    for (uint32_t i = 0; i < PIECES; i++)
        simulation.pieces[i] = is_here(&simulation, i) ? 100 + i : 0;
    checkpoint_add_fact(&facts, "the trace", "%s", "a\nb");
    checkpoint_add_fact(&facts, "routing", "%s", "par");
    status_code code = checkpoint_new(&checkpoint, &options, &facts, status);
    checkpoint_facts_clear(&facts);
    if (code != STATUS_OK) return code;
    checkpoint_begin(checkpoint, 6);
    const bool fails = checkpoint_write(checkpoint, &pieces, status) == STATUS_SYSTEM;
    const bool goes_on = checkpoint_survives_error(checkpoint, status);
    checkpoint_free(checkpoint);
    const bool is_told =
        processes_number(processes) > 0
            ? failing.told == 0
            : failing.told == 1 && failing.names_file && failing.names_state_of_folder;
    return fails && goes_on && is_told ? STATUS_OK
                                       : status_set(status, STATUS_RUN, "it does not go on");
}

/* A folder stands where a file should be: the state of process 1, or the new text. */
static void a_checkpoint_that_cannot_be_written_is_an_error(void **state) {
    (void)state;
    static const char *const names[] = {"state-1-1", "checkpoint.part", "state-4-1"};
    static const bool has_ones[] = {false, false, true};
    const unsigned writers = 1;
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        struct status status = STATUS_INIT;
        if (has_ones[i])
            write_alone();
        else
            assert_int_equal(make_folders(), 0);
        const unsigned before = files();
        in_the_way = names[i];
        folder_state =
            has_ones[i] ? "the last complete checkpoint is in" : "no complete checkpoint";
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(mkdir(path, 0700), 0);
        assert_int_equal(process_mesh_run(2, fail_to_write, (void *)(uintptr_t)&has_ones[i]),
                         STATUS_OK);
        assert_int_equal(files(), before + 1); /* no file of process 0 is left */
        assert_int_equal(rmdir(path), 0);
        if (has_ones[i])
            assert_int_equal(read_one((void *)(uintptr_t)&writers, NULL, &status), STATUS_OK);
        scratch_folder_remove(folder);
    }
}

static void another_format_is_refused(void **state) {
    (void)state;
    char path[128];
    write_alone();
    snprintf(path, sizeof path, "%s/checkpoint", folder);
    FILE *file = fopen(path, "w");
    fputs("anax checkpoint 2\nwhatever\n", file);
    fclose(file);
    refused(NULL, folder, "par", STATUS_INPUT, "has another format");
}

/* Returns the code of reading the text of the checkpoint in a process that can take so many bytes
 * more than it has. */
static int code_within(size_t bytes) {
    const pid_t child = fork();
    if (child == 0) {
        unsigned long pages = 0;
        struct checkpoint_text text;
        FILE *file = fopen("/proc/self/statm", "r");
        const bool is_known = file != NULL && fscanf(file, "%lu", &pages) == 1;
        if (file != NULL) fclose(file);
        const rlim_t most = pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;
        const struct rlimit limit = {most, most};
        if (!is_known || setrlimit(RLIMIT_AS, &limit) != 0) _exit(255);
        _exit((int)checkpoint_text_read(&text, folder, NULL));
    }
    int end = 0;
    assert_int_equal(waitpid(child, &end, 0), child);
    assert_true(WIFEXITED(end));
    return WEXITSTATUS(end);
}

/* A lack of memory is no damage: the same checkpoint can be read when there is enough. */
static void a_lack_of_memory_is_no_damage(void **state) {
    (void)state;
#ifdef OTHER_MALLOC
    skip(); /* a sanitizer ends the program when memory runs out */
#endif
    enum { LARGE = 16 << 20, SPARE = LARGE / 2 };
    struct checkpoint_file one = {0};
    struct checkpoint_text text = {.generation = 1, .file_count = 1, .files = &one};
    text.facts = malloc(LARGE);
    assert_non_null(text.facts);
    memset(text.facts, 'x', LARGE);
    memcpy(text.facts, "name: ", strlen("name: "));
    memcpy(text.facts + LARGE - 2, "\n", 2);
    assert_int_equal(make_folders(), 0);
    assert_int_equal(checkpoint_text_write(&text, folder, NULL), STATUS_OK);
    free(text.facts);
    assert_int_equal(code_within(SPARE), STATUS_MEMORY);         /* for the file */
    assert_int_equal(code_within(LARGE + SPARE), STATUS_MEMORY); /* for its lines */
    assert_int_equal(code_within(2 * LARGE + SPARE), STATUS_OK);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(any_number_of_processes_goes_on),
        TEST(other_facts_are_refused),
        TEST(every_damaged_byte_is_found),
        TEST(what_a_killed_run_leaves_does_no_harm),
        TEST(a_process_that_ends_removes_its_unfinished_file),
        TEST(all_processes_see_one_folder),
        TEST(another_format_is_refused),
        TEST(a_lack_of_memory_is_no_damage),
        TEST(a_checkpoint_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
