/*
 * MPI_Init and MPI_Finalize: the folder of the recording, the ranks that record, and the header of
 * their files. The ranks agree whether all of them can record; if not, none does, and the
 * application runs as without the recorder.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "recorder.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((constructor)) static void on_load(void) {
    record_call_start();
}

/* ---- what the header says ---- */

static void name_processors(struct recording_header *header) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return;
    for (unsigned i = 0; i < 8 * RECORDING_MASK_BYTES; i++)
        if (CPU_ISSET(i, &set)) header->processors[i / 8] |= (uint8_t)(1u << i % 8);
}

/* Control variables that hold the largest eager message, by the parts of their names. Of several
 * transports the one of shared memory counts, since a recording runs on few nodes. */
static const char *const eager_names[] = {
    "btl_vader_eager_limit", /* Open MPI, shared memory */
    "btl_sm_eager_limit",    /* Open MPI 5 */
    "MPIR_CVAR_CH4_SHM_POSIX_EAGER_MAX_MSG_SIZE",
    "MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE", /* MPICH with the device ch3 */
    "MPIR_CVAR_CH4_EAGER_MAX_MSG_SIZE"};

static uint64_t read_variable(int index, MPI_Datatype type) {
    union {
        int whole;
        unsigned natural;
        unsigned long large;
        unsigned long long larger;
    } value = {0};
    MPI_T_cvar_handle handle;
    int count = 0;
    if (MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS) return 0;
    if (count == 1) MPI_T_cvar_read(handle, &value);
    MPI_T_cvar_handle_free(&handle);
    if (count != 1) return 0;
    if (type == MPI_INT) return value.whole > 0 ? (uint64_t)value.whole : 0;
    if (type == MPI_UNSIGNED) return value.natural;
    if (type == MPI_UNSIGNED_LONG) return value.large;
    return type == MPI_UNSIGNED_LONG_LONG ? value.larger : 0;
}

static uint64_t find_eager(void) {
    int provided = 0;
    uint64_t found = 0;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 0;
    for (size_t i = 0; found == 0 && i < sizeof eager_names / sizeof *eager_names; i++) {
        int index = 0, verbosity = 0, bind = 0, scope = 0, name_bytes = 0, text_bytes = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum choices;
        if (MPI_T_cvar_get_index(eager_names[i], &index) != MPI_SUCCESS) continue;
        if (MPI_T_cvar_get_info(index, NULL, &name_bytes, &verbosity, &type, &choices, NULL,
                                &text_bytes, &bind, &scope) == MPI_SUCCESS)
            found = read_variable(index, type);
    }
    MPI_T_finalize();
    return found;
}

static void describe_recording(struct recording_header *header, int level) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    memcpy(header->magic, RECORDING_MAGIC, sizeof header->magic);
    header->version = RECORDING_VERSION;
    header->thread_level = level == MPI_THREAD_MULTIPLE     ? 3
                           : level == MPI_THREAD_SERIALIZED ? 2
                           : level == MPI_THREAD_FUNNELED   ? 1
                                                            : 0;
    header->begin_ns = record_clock_begin_ns();
    header->start_ns = header->begin_ns + record_now_ns();
    header->eager_bytes = find_eager();
    name_processors(header);
    gethostname(header->host, sizeof header->host - 1);
    PMPI_Get_library_version(text, &length);
    text[strcspn(text, "\n,")] = '\0';
    for (char *c = text; *c != '\0'; c++)
        if (*c == '\t') *c = ' ';
    snprintf(header->library, sizeof header->library, "%.*s", (int)sizeof header->library - 1,
             text);
}

/* Warns if the program's Open MPI has another major version than the one with which the recorder
 * was built. Their binary interfaces are the same, so nothing else shows it. */
static void compare_versions(const struct recording_header *header) {
#ifdef OPEN_MPI
    char built_with[32];
    snprintf(built_with, sizeof built_with, "Open MPI v%d.", OMPI_MAJOR_VERSION);
    if (header->rank == 0 && strncmp(header->library, built_with, strlen(built_with)) != 0)
        fprintf(stderr,
                "anax record: warning: anax was built with Open MPI %d, but the program uses %s: "
                "functions that version %d lacks are not recorded; build anax with the program's "
                "library\n",
                OMPI_MAJOR_VERSION, header->library, OMPI_MAJOR_VERSION);
#else
    (void)header;
#endif
}

/* ---- begin ---- */

/* Returns a number that no other recording has. */
static uint64_t new_run(void) {
    const uint64_t parts = (uint64_t)record_clock_begin_ns() ^ (uint64_t)getpid() << 40;
    return parts * UINT64_C(0x9E3779B97F4A7C15) | 1;
}

static void begin_recording(int level) {
    const char *folder = getenv("ANAX_RECORD_FOLDER");
    struct recording_header header = {0};
    char error[4400] = "";
    int rank = 0, size = 0, failed, any = 0;
    MPI_Comm parent = MPI_COMM_NULL;
    if (folder == NULL || *folder == '\0') return;
    PMPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) return; /* made by MPI_Comm_spawn */
    record_clock_calibrate();
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    header.rank = (uint32_t)rank;
    header.rank_count = (uint32_t)size;
    header.run = new_run();
    PMPI_Bcast(&header.run, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    describe_recording(&header, level);
    compare_versions(&header);
    mkdir(folder, 0777); /* a failure shows when the file is opened */
    failed =
        !record_communicators_start() || !record_stream_open(folder, &header, error, sizeof error);
    PMPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed)
        fprintf(stderr, "anax record: rank %d: %s\n", rank, *error ? error : "out of memory");
    if (any && rank == 0)
        fprintf(stderr, "anax record: this program is not recorded, and goes on\n");
    if (!any) return;
    record_stream_cancel();
    (void)rmdir(folder); /* the last rank that has removed its file succeeds */
}

static void end_init(struct record_call *call, recording_call number, int level) {
    begin_recording(level);
    if (level == MPI_THREAD_MULTIPLE) record_use_threads();
    if (!record_stream_is_open()) {
        record_call_leave(call);
        return;
    }
    record_call_include(call);
    record_call_begin(call, number);
    record_handle(MPI_COMM_WORLD, true);
    record_call_end(call);
}

PUBLIC int MPI_Init(int *count, char ***arguments) {
    struct record_call call_ = record_call_enter_first();
    const int code = REAL(Init)(count, arguments);
    if (code == MPI_SUCCESS) end_init(&call_, RECORDING_CALL_Init, MPI_THREAD_SINGLE);
    return code;
}
ALSO_PMPI(Init)

PUBLIC int MPI_Init_thread(int *count, char ***arguments, int required, int *provided) {
    struct record_call call_ = record_call_enter_first();
    const int code = REAL(Init_thread)(count, arguments, required, provided);
    if (code == MPI_SUCCESS) end_init(&call_, RECORDING_CALL_Init_thread, *provided);
    return code;
}
ALSO_PMPI(Init_thread)

/* ---- end ---- */

/* All files are complete before the first process ends: whoever started it may then read them. */
PUBLIC int MPI_Finalize(void) {
    CALL;
    if (call_.takes_part) {
        PMPI_Barrier(MPI_COMM_WORLD);
        if (call_.is_recorded) {
            START(Finalize);
            record_handle(MPI_COMM_WORLD, false);
            record_call_end(&call_);
            (void)record_call_enter();
        }
        record_stream_close(RECORDING_COMPLETE, 0);
        PMPI_Barrier(MPI_COMM_WORLD);
    }
    const int code = REAL(Finalize)();
    record_call_leave(&call_);
    return code;
}
ALSO_PMPI(Finalize)

PUBLIC int MPI_Abort(MPI_Comm communicator, int error) {
    CALL;
    if (call_.is_recorded) {
        record_call_begin(&call_, RECORDING_CALL_Abort);
        record_call_end(&call_);
        record_stream_state(RECORDING_ABORTED, (uint32_t)error);
        (void)record_call_enter();
    }
    const int code = REAL(Abort)(communicator, error);
    record_call_leave(&call_);
    return code;
}
ALSO_PMPI(Abort)

/* ---- user regions: include/anax/record.h and MPI_Pcontrol ---- */

PUBLIC void anax_recorder_enter(const char *region);
void anax_recorder_enter(const char *region) {
    if (region != NULL) record_region_enter(region);
}

PUBLIC void anax_recorder_leave(void);
void anax_recorder_leave(void) {
    record_region_leave();
}

PUBLIC int anax_recorder_is_on(void);
int anax_recorder_is_on(void) {
    return record_stream_is_open();
}

/* A level n from 2 on enters the region "phase n", and -n leaves it. The levels 0, 1 and -1 are
 * those of the standard and of other tools, and have no effect here. */
PUBLIC int MPI_Pcontrol(const int level, ...) {
    char name[32];
    snprintf(name, sizeof name, "phase %d", level < 0 ? -level : level);
    if (level > 1)
        record_region_enter(name);
    else if (level < -1)
        record_region_leave();
    return MPI_SUCCESS;
}
ALSO_PMPI(Pcontrol)
