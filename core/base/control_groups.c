/* Reads the lines of /proc/self/cgroup, finds where each hierarchy is mounted, and visits the
 * folder of the group and those of the groups around it. */
#include "core/base/control_groups.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

bool control_groups_read(const char *folder, const char *name, char *line, int size) {
    char path[2 * PATH_BYTES + 64];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "re") : NULL;
    if (file == NULL) return false;
    const bool is_there = fgets(line, size, file) != NULL;
    fclose(file);
    if (is_there) line[strcspn(line, "\n")] = '\0';
    return is_there;
}

struct visiting {
    void (*visit)(void *context, const char *folder, bool is_version_2);
    void *context;
};

/* Visits a group and the groups around it. */
static void visit_upwards(const struct visiting *visiting, const char *root, const char *group,
                          bool is_version_2) {
    char path[2 * PATH_BYTES];
    const size_t min = strlen(root);
    const int length = snprintf(path, sizeof path, "%s%s", root, group);
    if (length < 0 || (size_t)length >= sizeof path) return;
    for (;;) {
        visiting->visit(visiting->context, path, is_version_2);
        char *last = strrchr(path + min, '/');
        if (last == NULL) return;
        *last = '\0';
    }
}

/* Returns whether a list "one,other" has a name. */
static bool has_name(const char *list, const char *name) {
    const size_t bytes = strlen(name);
    for (const char *place = list; place != NULL; place = strchr(place, ',')) {
        if (*place == ',') place++;
        if (strncmp(place, name, bytes) == 0 && (place[bytes] == ',' || place[bytes] == '\0'))
            return true;
    }
    return false;
}

void control_groups_visit(const char *groups, const char *root, const char *controller,
                          void (*visit)(void *context, const char *folder, bool is_version_2),
                          void *context) {
    const struct visiting visiting = {visit, context};
    char line[PATH_BYTES], mounted[PATH_BYTES];
    FILE *file = fopen(groups, "re");
    if (file == NULL) return;
    while (fgets(line, sizeof line, file) != NULL) { /* number:controllers:path */
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (group == NULL) continue;
        *controllers++ = *group++ = '\0';
        if (strcmp(group, "/") == 0) *group = '\0';
        if (*controllers == '\0') { /* version 2 */
            visit_upwards(&visiting, root, group, true);
        } else if (has_name(controllers, controller)) { /* version 1 mounts each under its name */
            const int length = snprintf(mounted, sizeof mounted, "%s/%s", root, controller);
            if (length > 0 && (size_t)length < sizeof mounted)
                visit_upwards(&visiting, mounted, group, false);
        }
    }
    fclose(file);
}
