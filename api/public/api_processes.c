/* Several processes through the public interface. */
#include "api/api.h"
#include "api/command_support.h"
#include "core/memory/memory.h"
#include "core/processes/processes.h"
#include "core/processes/processes_launch.h"

#include <stdlib.h>
#include <string.h>

unsigned anax_processes_launched(unsigned *count) {
    struct processes_launch launch;
    processes_find_launch(&launch);
    *count = launch.count;
    return launch.process;
}

bool api_find_recorder(char *path, size_t path_bytes) {
    return processes_find_plugin(path, path_bytes, "anax_record.so");
}

char *anax_processes_supported(void) {
    char text[128];
    processes_describe_plugins(text, sizeof text);
    return strdup(text);
}

bool api_cannot_tell(const anax_processes *processes) {
    return processes != NULL && processes_cannot_tell(processes->joined);
}

bool api_launch_joins(void) {
    struct processes_launch launch;
    processes_find_launch(&launch);
    return launch.library != NULL;
}

void api_give_up(int exit_code) {
    processes_give_up(exit_code);
}

anax_code anax_processes_begin(anax_processes **processes, anax_error *error) {
    struct status status = STATUS_INIT;
    struct anax_processes *made = memory_new(1, sizeof *made);
    *processes = NULL;
    if (made == NULL) {
        status_set(&status, STATUS_MEMORY, "out of memory for processes");
        return api_return(&status, error);
    }
    if (processes_begin(&made->joined, &status) == STATUS_OK && made->joined != NULL)
        *processes = made;
    else
        free(made);
    return api_return(&status, error);
}

anax_code anax_processes_finish(anax_processes *processes, anax_code code, const char *text,
                                anax_error *error) {
    struct status status = STATUS_INIT;
    if (processes == NULL) return code;
    if (code != ANAX_OK)
        status_set(&status, (status_code)code, "%s", text == NULL ? "failed" : text);
    status_code agreed = processes_finish(processes->joined, (status_code)code, &status);
    if (code == ANAX_OK && agreed != STATUS_OK) return api_return(&status, error);
    status_clear(&status);
    return code;
}

void anax_processes_end(anax_processes *processes, int exit_code) {
    if (processes == NULL) return;
    processes_leave(processes->joined, exit_code);
    free(processes);
}

unsigned anax_processes_number(const anax_processes *processes) {
    return processes_number(processes != NULL ? processes->joined : NULL);
}

unsigned anax_processes_count(const anax_processes *processes) {
    return processes_count(processes != NULL ? processes->joined : NULL);
}
