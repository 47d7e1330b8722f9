/* How this process was started, by the environment that launchers give to their processes, and the
 * plug-in for the launcher's MPI library. */
#include "core/processes/processes_launch.h"
#include "core/processes/processes.h"

#include <dlfcn.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What launchers give to their processes: the variables of the number of a process and of the
 * number of all. */
static const char mpich_launcher[] = "mpirun of MPICH, or srun with PMI";

static const struct launcher {
    const char *number;
    const char *count;
    const char *library; /* whose processes find each other; NULL: those of none */
    const char *name;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "openmpi", "mpirun of Open MPI"},
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "openmpi", "srun with PMIx"},
    {"PMI_RANK", "PMI_SIZE", "mpich", mpich_launcher},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", NULL, "srun without PMI"},
};

static const struct library {
    const char *name; /* as in the names of plug-ins */
    const char *title;
} libraries[] = {{"openmpi", "Open MPI"}, {"mpich", "MPICH"}};

/* With less address space, MPI libraries may hang or crash where they start: most of it is reserved
 * for threads and for parts that they load, and hardly used. */
enum { ADDRESS_SPACE_MIN_MIB = 512 };

enum { LIBRARIES = sizeof libraries / sizeof *libraries };

/* The variable of the socket by which a process speaks to mpirun of MPICH (PMI, version 1). */
#define PMI_SOCKET "PMI_FD"

/* Reads a number of the environment. Returns false if there is none. */
static bool read_number(const char *name, unsigned *number) {
    const char *text = getenv(name);
    if (text == NULL || *text < '0' || *text > '9') return false;
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*end != '\0' || value > INT_MAX) return false;
    *number = (unsigned)value;
    return true;
}

void processes_find_launch(struct processes_launch *launch) {
    const char *wanted = getenv("ANAX_MPI");
    *launch = (struct processes_launch){.count = 1};
    if (wanted != NULL && strcmp(wanted, "none") == 0) return;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const struct launcher *row = &launchers[i];
        unsigned number, count;
        if (!read_number(row->number, &number) || !read_number(row->count, &count)) continue;
        if (count < 2 || number >= count) continue;
        const char *library = wanted != NULL && *wanted != '\0' ? wanted : row->library;
        *launch = (struct processes_launch){number, count, library, row->name};
        return;
    }
}

/* The folders where plug-ins may be, in the order of the search. */
enum plugin_folder { FOLDER_GIVEN, FOLDER_BUILD, FOLDER_INSTALLED, FOLDER_CONFIGURED, FOLDERS };

/* Writes the path of a file in one of the folders where plug-ins may be. Returns false if there is
 * no such folder. */
static bool path_in_folder(char *path, size_t path_bytes, enum plugin_folder folder,
                           const char *file) {
    char program[PATH_MAX];
    const char *given = getenv("ANAX_PLUGINS");
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash != NULL) *slash = '\0';
    int written = -1;
    if (folder == FOLDER_GIVEN && given != NULL && *given != '\0')
        written = snprintf(path, path_bytes, "%s/%s", given, file);
    else if (folder == FOLDER_BUILD && slash != NULL)
        written = snprintf(path, path_bytes, "%s/plugins/%s", program, file);
    else if (folder == FOLDER_INSTALLED && slash != NULL)
        written =
            snprintf(path, path_bytes, "%s/../" ANAX_LIBRARY_FOLDER "/anax/%s", program, file);
    else if (folder == FOLDER_CONFIGURED)
        written = snprintf(path, path_bytes, ANAX_PLUGIN_FOLDER "/%s", file);
    return written > 0 && (size_t)written < path_bytes;
}

bool processes_find_plugin(char *path, size_t path_bytes, const char *file) {
    for (enum plugin_folder folder = FOLDER_GIVEN; folder < FOLDERS; folder++)
        if (path_in_folder(path, path_bytes, folder, file) && access(path, R_OK) == 0) return true;
    return false;
}

/* Finds the plug-in of a library. */
static bool find_plugin(char *path, size_t path_bytes, const char *library) {
    char file[64];
    snprintf(file, sizeof file, "anax_mpi_%s.so", library);
    return processes_find_plugin(path, path_bytes, file);
}

bool processes_describe_plugins(char *text, size_t text_bytes) {
    char path[PATH_MAX];
    size_t length = 0;
    *text = '\0';
    for (size_t i = 0; i < LIBRARIES; i++) {
        if (!find_plugin(path, sizeof path, libraries[i].name)) continue;
        int added = snprintf(text + length, text_bytes - length, "%s%s", length > 0 ? ", " : "",
                             libraries[i].title);
        if (added < 0 || length + (size_t)added >= text_bytes) break;
        length += (size_t)added;
    }
    return length > 0;
}

status_code processes_load(const struct processes_plugin **plugin, const char *library,
                           const char *launcher, struct status *status) {
    char path[PATH_MAX], known[128];
    const char *title = NULL;
    for (size_t i = 0; library != NULL && i < LIBRARIES; i++)
        if (strcmp(library, libraries[i].name) == 0) title = libraries[i].title;
    RETURN_ERROR_IF(
        library == NULL, status, STATUS_USAGE,
        "started by %s: the processes would not find each other; use srun --mpi=pmix or "
        "--mpi=pmi2, or mpirun (or set ANAX_MPI=none: each process runs for itself)",
        launcher);
    RETURN_ERROR_IF(title == NULL, status, STATUS_USAGE,
                    "ANAX_MPI=%s: there is no such MPI library; choose none, openmpi or mpich",
                    library);
    bool any = processes_describe_plugins(known, sizeof known);
    RETURN_ERROR_IF(!find_plugin(path, sizeof path, library), status, STATUS_USAGE,
                    "started by %s, and this anax has no support for %s but for %s; use another "
                    "mpirun, or build anax where the compiler wrapper of that library is installed "
                    "(or set ANAX_MPI=none: each process runs for itself)",
                    launcher, title, any ? known : "no MPI library");
    /* RTLD_GLOBAL: parts that Open MPI loads by itself look for its symbols there. */
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    RETURN_ERROR_IF(handle == NULL, status, STATUS_USAGE, "cannot load the support for %s: %s",
                    title, dlerror());
    processes_plugin_function function;
    void *symbol = dlsym(handle, PROCESSES_PLUGIN_SYMBOL);
    memcpy(&function, &symbol, sizeof function);
    *plugin = symbol != NULL ? function() : NULL;
    RETURN_ERROR_IF(*plugin == NULL || (*plugin)->version != PROCESSES_PLUGIN_VERSION, status,
                    STATUS_USAGE, "%s: this support for %s is not of this version of anax", path,
                    title);
    return STATUS_OK;
}

static status_code check_address_space(struct status *status) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return STATUS_OK;
    const unsigned long long mib = (unsigned long long)limit.rlim_cur >> 20;
    RETURN_ERROR_IF(mib < ADDRESS_SPACE_MIN_MIB, status, STATUS_USAGE,
                    "address space is limited to %llu MiB (ulimit -v), and with less than %d MiB "
                    "MPI libraries may hang or crash; raise that limit, or limit memory instead",
                    mib, ADDRESS_SPACE_MIN_MIB);
    return STATUS_OK;
}

/* Waits for an answer, or until the launcher ends this process; at most a second. */
static void await_answer(int launcher) {
    struct pollfd wait = {.fd = launcher, .events = POLLIN};
    char answer[256];
    if (poll(&wait, 1, 1000) > 0) (void)recv(launcher, answer, sizeof answer, MSG_DONTWAIT);
}

/* mpirun of Open MPI ends all processes when one ends with another exit code than 0, and so does
 * srun with --kill-on-bad-exit. mpirun of MPICH does so only if the process was killed or has asked
 * for it. */
void processes_give_up(int exit_code) {
    static const char begin[] = "cmd=init pmi_version=1 pmi_subversion=1\n";
    const struct timespec settling = {.tv_nsec = 100000000};
    char abort_command[64];
    unsigned descriptor;
    struct stat about;
    struct processes_launch launch;
    processes_find_launch(&launch);
    if (launch.launcher != mpich_launcher || !read_number(PMI_SOCKET, &descriptor)) return;
    const int launcher = (int)descriptor;
    if (fstat(launcher, &about) != 0 || !S_ISSOCK(about.st_mode)) return;
    const int length =
        snprintf(abort_command, sizeof abort_command, "cmd=abort exitcode=%d\n", exit_code);
    if (send(launcher, begin, sizeof begin - 1, MSG_NOSIGNAL) < 0) return;
    await_answer(launcher);
    nanosleep(&settling, NULL); /* it passes on what was printed before it ends */
    if (send(launcher, abort_command, (size_t)length, MSG_NOSIGNAL) > 0) await_answer(launcher);
}

status_code processes_begin(struct processes **made, struct status *status) {
    struct processes_launch launch;
    const struct processes_plugin *plugin;
    *made = NULL;
    processes_find_launch(&launch);
    if (launch.count == 1) return STATUS_OK;
    FORWARD_IF_ERROR(check_address_space(status));
    FORWARD_IF_ERROR(processes_load(&plugin, launch.library, launch.launcher, status));
    FORWARD_IF_ERROR(processes_begin_with_plugin(made, plugin, status));
    if (processes_count(*made) == launch.count) return STATUS_OK;
    unsigned count = processes_count(*made);
    processes_leave(*made, 0);
    *made = NULL;
    return status_set(status, STATUS_USAGE,
                      "%s started %u processes, but %s finds %u: is it the mpirun of another "
                      "library or version?",
                      launch.launcher, launch.count, launch.library, count);
}
