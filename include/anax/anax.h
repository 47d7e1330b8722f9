/*
 * anax: how long would an MPI application run on a dragonfly machine that may not exist yet?
 *
 * The public interface of libanax. From a trace to a time:
 *
 *     anax_error error = ANAX_ERROR_INIT;
 *     anax_config *config = NULL;
 *     anax_trace *trace = NULL;
 *     anax_replay_result *result = NULL;
 *     int64_t time_ps;
 *     if (anax_config_new(&config, &error) == ANAX_OK &&
 *         anax_config_machine(config, "kim-1k", &error) == ANAX_OK &&
 *         anax_config_set(config, "network.routing", "ugal-l", &error) == ANAX_OK &&
 *         anax_trace_open(&trace, "traces.otf2", config, NULL, &error) == ANAX_OK &&
 *         anax_replay(&result, config, trace, NULL, &error) == ANAX_OK &&
 *         anax_replay_result_time_ps(&time_ps, result, &error) == ANAX_OK)
 *         printf("%lld ps\n", (long long)time_ps);
 *     else
 *         fprintf(stderr, "%s\n", error.text);
 *     anax_replay_result_free(result);
 *     anax_trace_free(trace);
 *     anax_config_free(config);
 *     anax_error_clear(&error);
 *
 * Programs include this header. At its end it includes one header for each subject, from simple to
 * advanced. Each of these headers compiles alone. The rules below apply to all of them; where a
 * function makes an exception, its comment says so.
 *  - Names: a function is called after the type that it is about and what it does with it
 *    (anax_config_set). Functions that do the work of a command have the name of the command
 *    (anax_replay, anax_place, anax_list) or begin with it (anax_traffic_sweep). The
 *    functions of results end alike: _text returns a text for people and _json one for programs,
 *    _table copies a table, _svg draws a picture, _warnings lists what makes a result doubtful,
 *    _..._count counts something, and _write_... writes files. All texts are UTF-8.
 *  - Data: all that the JSON or the CSV files of a result hold is in its tables (anax/table.h).
 *    `anax list tables` names the tables of each kind of result.
 *  - The library never prints, never exits, installs no signal handler and keeps no global state
 *    except what other libraries need (METIS, OTF2, MPI). The placement `partition` draws from the
 *    C library's rand().
 *  - Threads: several threads may use different objects at once. Only one thread at a time may use
 *    an object, with one exception: several threads may read the same trace, table or
 *    configuration, through functions that take it as `const`. The exception does not hold for
 *    results (only one thread at a time may use a result, even as `const`) and for traces that
 *    several processes have opened together (anax_trace_open).
 *  - Ownership: a function that takes the address of a pointer to an object (anax_trace **) creates
 *    the object, and the caller frees it with the _free function of its type (anax_processes_end
 *    for anax_processes), which takes NULL. A `char *` result is a NUL-terminated text that the
 *    caller frees (anax_text_free); NULL means out of memory. A `const char *` result belongs to
 *    the library. The library keeps no pointer to arguments after a call, unless the comment says
 *    how long they must live.
 *  - Units: times are picoseconds (_ps), sizes are bytes. Single times are int64_t, and a run that
 *    would pass 2^61 ps (26 days) ends with ANAX_ERROR_RUN. Sums over ranks may exceed 64 bits and
 *    are an anax_sum; texts print them exactly. Loads, shares and widths are doubles in tables. As
 *    arguments they are texts, like the values of settings: a double cannot hold 0.1 exactly, but a
 *    text holds exactly what the caller means, up to six decimals.
 *  - Order of arguments: first what the call creates, fills or changes, then what it reads, then
 *    options, and the error last.
 *  - Errors: a function that can fail returns an anax_code and takes an `anax_error *`, which may
 *    be NULL. Success leaves the error unchanged; after a failure the error says where the fault
 *    is, what it is and how to mend it. Each of these functions can return ANAX_ERROR_MEMORY, and
 *    those that read or write files ANAX_ERROR_SYSTEM; its comment says when it returns another
 *    code. Functions that take options return ANAX_ERROR_USAGE for options that they refuse
 *    (anax/options.h), and functions that take a plan for a plan whose size is wrong. On failure
 *    the pointer to a new object or text is set to NULL, with one exception: a simulation that ends
 *    with ANAX_ERROR_RUN or ANAX_ERROR_STOPPED may have a result, which says how far it came. So
 *    always free what the pointer is set to. No other pointer may be NULL unless the comment of its
 *    function or member allows NULL.
 *  - Functions of the caller (progress, visit, write) get the context that the caller gave with
 *    them, and call the library only for objects that the call which runs them does not use.
 *  - Files: paths are passed to the operating system unchanged. Inputs must be plain files: pipes,
 *    sockets and devices are refused. An output is called NAME.part-PROCESS-NUMBER until it is
 *    complete, and then gets its final name. An output that exists already is refused with
 *    ANAX_ERROR_EXISTS; for files anax_options.replace allows it. Outputs that are not plain files
 *    (a device, a pipe, /dev/stdout) are written to, not replaced. If the name is a symbolic link,
 *    its target is replaced.
 *  - Versions: a struct that the caller allocates begins with its size; initialise it with the
 *    macro of its name (ANAX_OPTIONS_INIT). Later versions add members at its end, and programs
 *    compiled with an older header keep working: a missing member counts as zero. Members that the
 *    library in use does not know must be zero, otherwise ANAX_ERROR_USAGE; in structs that the
 *    library fills, it sets them to zero. anax_sum does not grow. Structs that the library
 *    allocates (anax_progress, anax_choice, anax_column) may grow too; copy their members, not
 *    their sizeof.
 *  - Results depend on the configuration, the trace and the seed alone: not on the number of
 *    threads, the compiler or the computer. Equal results have equal digests.
 */
#ifndef ANAX_ANAX_H
#define ANAX_ANAX_H

/* The version of this header; anax_version() and anax_version_number() are that of the library in
 * use. */
#define ANAX_VERSION_MAJOR 0
#define ANAX_VERSION_MINOR 2
#define ANAX_VERSION_PATCH 0
#define ANAX_VERSION_NUMBER                                                                        \
    (ANAX_VERSION_MAJOR * 1000000 + ANAX_VERSION_MINOR * 1000 + ANAX_VERSION_PATCH)

/* The headers from simple to advanced, in each block too. */
/* clang-format off */

/* What all calls share: errors, options, configurations, lists, tables, files. */
#include <anax/common.h>
#include <anax/options.h>
#include <anax/config.h>
#include <anax/list.h>
#include <anax/table.h>
#include <anax/files.h>

/* A replay, from a trace to a result. */
#include <anax/trace.h>
#include <anax/replay.h>

/* Many candidates at once; synthetic traffic. */
#include <anax/compare.h>
#include <anax/search.h>
#include <anax/traffic.h>
#include <anax/sweep_part.h>

/* Without simulation: machines and placements. */
#include <anax/topology.h>
#include <anax/placement.h>
#include <anax/bisection.h>

/* From results to pages, and from measurements and series to machines and programs. */
#include <anax/report.h>
#include <anax/diff.h>
#include <anax/calibrate.h>
#include <anax/extrapolate.h>

/* Runs on several processes. */
#include <anax/processes.h>
/* clang-format on */

#endif
