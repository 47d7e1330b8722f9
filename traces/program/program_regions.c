/* Finds regions by name. Must not know the use of the regions. */
#include "traces/program/program_regions.h"

#include "core/nearest.h"
#include "core/utf8.h"

#include <stdio.h>
#include <string.h>

bool program_region_is(const struct program *program, uint32_t region, const char *name,
                       size_t length) {
    const char *text = program_text(program, program->regions[region].name);
    return strlen(text) == length && memcmp(text, name, length) == 0;
}

bool program_region_known(const struct program *program, const char *name, size_t length) {
    for (uint32_t i = 0; i < program->region_count; i++)
        if (program_region_is(program, i, name, length)) return true;
    return false;
}

/* Appends the names of the first user regions to an error, each as a line. */
static void append_user_regions(const struct program *program, struct status *status) {
    enum { SHOWN = 8, NAME_BYTES = 200 };
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->region_count; i++) {
        if (program->regions[i].is_mpi || count++ >= SHOWN) continue;
        const char *name = program_text(program, program->regions[i].name);
        status_append(status, "  %.*s", UTF8_SHOWN(name, strnlen(name, NAME_BYTES)));
    }
    if (count > SHOWN) status_append(status, "  and %u more", count - SHOWN);
}

status_code program_region_unknown(const struct program *program, const char *option,
                                   const char *text, const char *name, size_t length,
                                   struct status *status) {
    char wanted[256];
    const size_t most = length < sizeof wanted ? length : sizeof wanted - 1;
    snprintf(wanted, sizeof wanted, "%.*s", UTF8_SHOWN(name, most));
    struct nearest search = nearest_to(wanted);
    bool has_user_regions = false;
    for (uint32_t i = 0; i < program->region_count; i++) {
        nearest_offer(&search, program_text(program, program->regions[i].name));
        has_user_regions |= !program->regions[i].is_mpi;
    }
    status_set(status, STATUS_USAGE, "%s %s: the trace has no region `%s`%s%s%s%s", option, text,
               wanted, search.name != NULL ? " (did you mean `" : "",
               search.name != NULL ? search.name : "", search.name != NULL ? "`?)" : "",
               has_user_regions ? search.name == NULL ? "; its user regions are" : ""
                                : "; it holds no user regions at all (program files keep "
                                  "them when converted with --set trace.user_regions=on)");
    if (search.name == NULL) append_user_regions(program, status);
    return STATUS_USAGE;
}
