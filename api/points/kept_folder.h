/*
 * Points that are kept in a folder, one small JSON file each.
 *
 * Invariant: a file's name is a hash of everything that its point depends on: the sources of this
 * library, every setting, the contents of the files that settings name, and what the key adds. The
 * file has a checksum of its contents and of this hash. A point that is found is therefore equal to
 * the point that a run would give. Files get their names when they are complete.
 */
#ifndef ANAX_API_KEPT_FOLDER_H
#define ANAX_API_KEPT_FOLDER_H

#include "api/api.h"

struct json_object;

struct kept_key {
    uint64_t word[2];
};

enum { KEPT_KEY_DIGITS = 32 };

/* Begins a key with the contents of the files that settings name, and with nothing else. */
void kept_key_begin_files(struct kept_key *key, const anax_config *config);

/* Begins a key with the sources of this library, and the settings of a scope with their files. */
status_code kept_key_begin(struct kept_key *key, const anax_config *config, anax_scope scope,
                           struct status *status);
/* Adds what else a point depends on. */
void kept_key_add(struct kept_key *key, uint64_t word);

/* Returns the path FOLDER/ + begin + KEY + end, which the caller frees; NULL: out of memory. */
char *kept_path(const char *folder, const char *begin, const struct kept_key *key, const char *end);

/* Returns whether a name is KEY + end, with anything after it if `more`. */
bool kept_is_name(const char *name, const char *end, bool more);

/* Creates the folder and its missing parents, and removes unfinished files and claims of processes
 * that have ended. STATUS_USAGE: it cannot be created. */
status_code kept_create_folder(const char *folder, struct status *status);

typedef enum kept_state {
    KEPT_ABSENT,
    KEPT_FOUND,
    KEPT_DAMAGED /* the file's contents differ from those that were written */
} kept_state;

/* Reads a point's file. KEPT_FOUND: *object is its contents, which the caller puts. */
kept_state kept_read(struct json_object **object, const char *folder, const struct kept_key *key);

/* Begins the contents of a point's file. label: describes the point to people who look into the
 * folder. seconds: how long it took to compute the point. */
struct json_object *kept_begin(const char *schema, const char *label, double seconds);

/* Writes a point's file, and frees its contents. */
status_code kept_write(struct json_object *object, const char *folder, const struct kept_key *key,
                       struct status *status);

/* Returns a text of a point's file; NULL: there is none. */
const char *kept_read_text(struct json_object *object, const char *name);
/* Reads a whole number of a point's file that is not negative. */
bool kept_read_count(struct json_object *object, const char *name, int64_t *value);
/* Reads a hash of a point's file. */
bool kept_read_hash(struct json_object *object, const char *name, uint64_t *value);
/* Returns the seconds that it took to compute a point; -1: unknown. */
double kept_read_seconds(struct json_object *object);

/* Removes the unfinished files and the claims of this process; other threads may still be writing
 * them. */
void kept_abandon(const char *folder);

#endif
