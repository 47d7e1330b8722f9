/*
 * Runs the commands of the table and computes anax's figures. A figure is kept in
 * BUILD/validation/NAME-HASH, with a hash of the program, the machine's files and the commands.
 */
#include "bench/support/child.h"
#include "bench/support/run_cache.h"
#include "bench/validation/validation.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Parts of a trace that hold the iterations and nothing else. */
#define ITERATIONS " --from iteration --to iteration"

size_t validation_points(const struct validation_row *row) {
    size_t count = 0;
    while (count < POINTS_MAX && row->points[count].at != NULL)
        count++;
    return count;
}

/* ---------------------------------------------------------------------------- commands */

/* Returns arguments with the point's values in place of @, #, $ or %, to be freed. */
static char *fill_in(const char *arguments, const struct published_point *point) {
    const char marks[] = "@#$%";
    const char *const values[] = {point->at, point->rest, point->rounds, point->samples};
    char *text = cache_text("%s", arguments);
    for (size_t place; text[place = strcspn(text, marks)] != '\0';) {
        const char *value = values[strchr(marks, text[place]) - marks];
        char *filled = cache_text("%.*s%s%s", (int)place, text, value, text + place + 1);
        free(text);
        text = filled;
    }
    return text;
}

/* The name of a generated program's file: its pattern, and its number if there are two. */
static char *program_file(const struct validation_row *row, size_t number) {
    const char *arguments = row->programs[number];
    char *name = row->programs[1] == NULL
                     ? cache_text("%.*s.anax", (int)strcspn(arguments, " "), arguments)
                     : cache_text("%s.anax", number == 0 ? "victim" : "aggressor");
    return name;
}

/* Two programs are jobs, in a file that lists them. */
#define JOBS_FILE "jobs.yaml"

/* The contents of that file, to be freed; line ends as \n or as the text given. */
static char *jobs_text(const struct validation_row *row, const char *line_end) {
    return cache_text("jobs:%s- {trace: victim.anax, start: %s}%s- {trace: aggressor.anax}%s",
                      line_end, row->start, line_end, line_end);
}

/* Folders of the timelines of the first job alone and of both. */
#define ALONE "alone"
#define BOTH  "both"

/* Returns the command that replays the program, or the first one alone, in a folder ("" or with a
 * slash); to be freed. */
static char *replay_command(const struct validation_row *row, const char *arguments,
                            const char *folder) {
    char *file = program_file(row, 0);
    char *timeline =
        row->rule == SLOWDOWN ? cache_text(" --timeline %s" ALONE, folder) : cache_text("%s", "");
    char *command =
        cache_text("anax replay %s%s %s%s%s", folder, file, arguments, ITERATIONS, timeline);
    free(timeline);
    free(file);
    return command;
}

/* Returns the command that replays both programs, to be freed. */
static char *jobs_command(const struct validation_row *row, const char *folder) {
    return cache_text("anax replay --jobs %s" JOBS_FILE
                      " %s --set jobs.alone=off%s --timeline %s" BOTH,
                      folder, row->replay, ITERATIONS, folder);
}

static char *generate_command(const struct validation_row *row, size_t point, size_t number,
                              const char *folder) {
    char *arguments = fill_in(row->programs[number], &row->points[point]);
    char *file = program_file(row, number);
    char *command = cache_text("anax generate %s -o %s%s", arguments, folder, file);
    free(arguments);
    free(file);
    return command;
}

/* Adds a line to a text and frees both. */
static char *add_line(char *text, char *line) {
    char *longer = cache_text("%s%s\n", text, line);
    free(text);
    free(line);
    return longer;
}

char *validation_commands(const struct validation_row *row, size_t point) {
    char *text = cache_text("%s", "");
    for (size_t i = 0; i < PROGRAMS_MAX && row->programs[i] != NULL; i++)
        text = add_line(text, generate_command(row, point, i, ""));
    if (row->programs[1] != NULL) {
        char *jobs = jobs_text(row, "\\n");
        text = add_line(text, cache_text("printf '%s' >" JOBS_FILE, jobs));
        text = add_line(text, jobs_command(row, ""));
        free(jobs);
    }
    text = add_line(text, replay_command(row, row->replay, ""));
    if (row->nearer != NULL) text = add_line(text, replay_command(row, row->nearer, ""));
    return text;
}

/* ---------------------------------------------------------------------------- figures */

/* Returns the number that follows an option in the arguments; a size in bytes. */
static double option_of(const char *arguments, const char *option) {
    static const struct {
        const char *unit;
        double bytes;
    } units[] = {{"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}};
    const char *found = strstr(arguments, option);
    if (found == NULL) return NAN;
    char *end;
    double value = strtod(found + strlen(option), &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(end, units[i].unit, strlen(units[i].unit)) == 0) value *= units[i].bytes;
    return value;
}

static double member(struct json_object *object, const char *key) {
    struct json_object *value = NULL;
    if (!json_object_object_get_ex(object, key, &value)) return NAN;
    return json_object_get_double(value);
}

/* The figure in seconds, bytes per second or messages per second, from the predicted time. */
static double figure_of(const struct validation_row *row, const char *program, double time_s) {
    const double ranks = option_of(program, "--ranks "), bytes = option_of(program, "--size ");
    const double iterations = option_of(program, "--iterations ");
    const double window = option_of(program, "--window ");
    const double senders = strncmp(program, "both-ways", 9) == 0 ? ranks : floor(ranks / 2);
    switch (row->rule) {
    case HALF_ROUND_TRIP:
    case SLOWEST_RANK:
    case STEP_OF_DISTANCE:
        return time_s / iterations / 2;
    case ROUND_TRIP:
        return time_s / iterations;
    case PING_PONG_RATE:
        return bytes * 2 * iterations * floor(ranks / 2) / time_s;
    case WINDOW_RATE:
        return bytes * window * iterations * senders / time_s;
    case MESSAGE_TIME:
        return time_s / iterations / window;
    case MESSAGE_RATE:
        return window * iterations * senders / time_s;
    case ALLTOALL_RATE:
        return ranks * (ranks - 1) * bytes * iterations / time_s;
    case MEAN_ITERATION:
        return time_s;
    case SLOWDOWN:
        break;
    }
    return NAN;
}

/* The mean time of an iteration, over ranks: of the first job's user region. */
static double mean_time_s(struct json_object *result) {
    struct json_object *regions = NULL;
    if (!json_object_object_get_ex(result, "regions", &regions)) return NAN;
    for (size_t i = 0; i < json_object_array_length(regions); i++) {
        struct json_object *region = json_object_array_get_idx(regions, i);
        if (!(member(region, "job") > 0))
            return 1e-12 * member(region, "time_ps") / member(region, "count");
    }
    return NAN;
}

/* The time of all iterations of the first job on the rank that takes longest for them. */
static double slowest_time_s(struct json_object *result) {
    struct json_object *regions = NULL;
    if (!json_object_object_get_ex(result, "regions", &regions)) return NAN;
    return 1e-12 * member(json_object_array_get_idx(regions, 0), "most_ps");
}

/* Whether the second job goes on after the first for half as long as the first took. If it ended
 * before, its end would set the time of what waits for it. */
static bool is_long_enough(struct json_object *result) {
    struct json_object *jobs = NULL;
    if (!json_object_object_get_ex(result, "jobs", &jobs) || json_object_array_length(jobs) < 2)
        return true;
    struct json_object *first = json_object_array_get_idx(jobs, 0);
    struct json_object *second = json_object_array_get_idx(jobs, 1);
    return 2 * (member(second, "end_ps") - member(first, "end_ps")) >= member(first, "time_ps");
}

/* Runs a replay and frees its command. Returns the time that the rule starts from, NAN when it
 * fails; under SLOWDOWN the figure is in the timeline, and this is 0. */
static double replayed(const struct validation_row *row, char *command,
                       const struct bench_options *options) {
    char *whole = cache_text("%s/%s --json --quiet", options->build, command);
    struct child_measure child;
    double time_s = NAN;
    if (child_run(whole, &child) && child.json != NULL) {
        if (!is_long_enough(child.json))
            fprintf(stderr, "bench: %s: the second job ends too soon; raise its iterations\n",
                    row->name);
        else if (row->rule == SLOWDOWN)
            time_s = 0;
        else if (row->rule == MEAN_ITERATION)
            time_s = mean_time_s(child.json);
        else if (row->rule == SLOWEST_RANK)
            time_s = slowest_time_s(child.json);
        else
            time_s = 1e-12 * member(child.json, "time_ps");
    }
    child_clear(&child);
    free(command);
    free(whole);
    return time_s;
}

static bool write_jobs(const struct validation_row *row, const char *folder) {
    char *path = cache_text("%s" JOBS_FILE, folder), *text = jobs_text(row, "\n");
    FILE *file = fopen(path, "w");
    bool good = file != NULL && fputs(text, file) >= 0;
    if (file != NULL) good = fclose(file) == 0 && good;
    if (!good) fprintf(stderr, "bench: cannot write %s\n", path);
    free(path);
    free(text);
    return good;
}

/* Removes a timeline; there may be none. */
static void remove_timeline(const char *folder, const char *name) {
    struct child_measure child;
    char *command = cache_text("/bin/rm -rf %s%s", folder, name);
    child_run(command, &child);
    child_clear(&child);
    free(command);
}

/* Runs a replay of the first job with others or alone, frees its command, and returns the time of
 * its samples in the timeline that the command writes; NAN when something fails. */
static double sampled(const struct validation_row *row, char *command, size_t ranks,
                      const char *name, const struct bench_options *options, const char *folder) {
    remove_timeline(folder, name);
    char *path = cache_text("%s%s/traces.otf2", folder, name);
    double time_s = replayed(row, command, options);
    if (!isnan(time_s)) time_s = validation_sample_s(path, ranks);
    remove_timeline(folder, name);
    free(path);
    return time_s;
}

/* How many times longer a sample of the first job takes beside the second one. */
static double slowdown(const struct validation_row *row, size_t point,
                       const struct bench_options *options, const char *folder) {
    char *program = fill_in(row->programs[0], &row->points[point]);
    const size_t ranks = (size_t)option_of(program, "--ranks ");
    free(program);
    double alone_s =
        sampled(row, replay_command(row, row->replay, folder), ranks, ALONE, options, folder);
    double both_s = sampled(row, jobs_command(row, folder), ranks, BOTH, options, folder);
    return both_s / alone_s;
}

static double measured(const struct validation_row *row, size_t point,
                       const struct bench_options *options, const char *folder) {
    for (size_t i = 0; i < PROGRAMS_MAX && row->programs[i] != NULL; i++) {
        char *command = generate_command(row, point, i, folder);
        char *whole = cache_text("%s/%s --force --quiet", options->build, command);
        struct child_measure child;
        bool good = child_run(whole, &child);
        child_clear(&child);
        free(command);
        free(whole);
        if (!good) return NAN;
    }
    if (row->programs[1] != NULL && !write_jobs(row, folder)) return NAN;
    if (row->rule == SLOWDOWN) return slowdown(row, point, options, folder) * row->units;
    double time_s = replayed(row, replay_command(row, row->replay, folder), options);
    char *program = fill_in(row->programs[0], &row->points[point]);
    double figure = figure_of(row, program, time_s);
    if (row->nearer != NULL)
        figure -= figure_of(row, program,
                            replayed(row, replay_command(row, row->nearer, folder), options));
    free(program);
    return figure * row->units;
}

/* ---------------------------------------------------------------------------- what is kept */

/* Adds the file of a named machine, those of its bases, and the files that they name. */
static uint64_t hash_machine(uint64_t hash, const char *file) {
    static const char *const keys[] = {"base: ", "arrangement_file: "};
    char *path = cache_text("machines/%s", file), line[1024];
    hash = cache_hash_file(hash, path);
    FILE *opened = fopen(path, "r");
    free(path);
    while (opened != NULL && fgets(line, sizeof line, opened) != NULL) {
        for (size_t i = 0; i < 2; i++) {
            const char *key = strstr(line, keys[i]);
            if (key == NULL || line[0] == '#') continue;
            key += strlen(keys[i]);
            char *other =
                cache_text("%.*s%s", (int)strcspn(key, ",} \n"), key, i == 0 ? ".yaml" : "");
            hash = hash_machine(hash, other);
            free(other);
        }
    }
    if (opened != NULL) fclose(opened);
    return hash;
}

/* The hash of the machine that the arguments of a replay name. */
static uint64_t hash_machine_of(uint64_t hash, const char *arguments) {
    const char *name = strstr(arguments, "--machine ");
    if (name == NULL) return hash;
    name += strlen("--machine ");
    char *file = cache_text("%.*s.yaml", (int)strcspn(name, " "), name);
    hash = hash_machine(hash, file);
    free(file);
    return hash;
}

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool kept(const char *path, double *figure) {
    FILE *file = fopen(path, "r");
    bool found = file != NULL && fscanf(file, "%lf", figure) == 1;
    if (file != NULL) fclose(file);
    return found;
}

static void keep(const char *path, double figure) {
    FILE *file = fopen(path, "w");
    bool good = file != NULL && fprintf(file, "%.17g\n", figure) > 0;
    if (file != NULL && fclose(file) != 0) good = false;
    if (!good) fprintf(stderr, "bench: cannot keep a figure in %s\n", path);
}

/* Returns false when a run failed. */
static bool find_figure(const struct validation_row *row, size_t point,
                        const struct bench_options *options, uint64_t hash, double *figure) {
    char *commands = validation_commands(row, point);
    hash = cache_hash(hash_machine_of(hash, row->replay), commands, strlen(commands));
    free(commands);
    char *path = cache_text("%s/validation/%s-%s-%016" PRIx64, options->build, row->name,
                            row->points[point].at, hash);
    bool good = true;
    *figure = NAN;
    if (!kept(path, figure) &&
        (options->only == NULL || strstr(row->name, options->only) != NULL)) {
        char *folder = cache_text("%s/validation/", options->build);
        double start_s = now_s();
        *figure = measured(row, point, options, folder);
        good = !isnan(*figure);
        fprintf(stderr, "%-32s %8s %7.1f s  %.4g %s%s\n", row->name, row->points[point].at,
                now_s() - start_s, *figure, row->unit, good ? "" : "  FAILED");
        if (good) keep(path, *figure);
        free(folder);
    }
    free(path);
    return good;
}

struct validation_results validation_run(const struct bench_options *options) {
    size_t rows = 0;
    while (validation_rows[rows].name != NULL)
        rows++;
    struct validation_results results = {.figures = calloc(rows, sizeof *results.figures)};
    if (results.figures == NULL) cache_out_of_memory();
    const uint64_t hash = cache_begin(options->build, "validation");
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < validation_points(&validation_rows[r]); i++)
            results.failed +=
                !find_figure(&validation_rows[r], i, options, hash, &results.figures[r][i]);
    return results;
}
