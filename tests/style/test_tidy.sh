#!/bin/sh
# The sources keep the house rules; and each rule finds the offence it is there for.
set -eu
tidy=$ANAX_SOURCE/tests/style/tidy.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
offences=$(sh "$tidy" "$ANAX_SOURCE")
if [ -n "$offences" ]; then
    echo "$offences"
    status=1
fi

# canary NAME FILE CONTENT: a tree with this file alone is not tidy, and NAME says why.
canary() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/$(dirname "$2")"
    printf '%s\n' "$3" >"$work/tree/$2"
    if ! sh "$tidy" "$work/tree" | grep -q "^$2.*$1"; then
        echo "the rule was not found broken: $1"
        status=1
    fi
}
canary "which network may not know" network/a.c '/* x */
#include "traces/program/program.h"'
for text in '#define SIZE 1' 'struct place {' 'enum { FIRST, LAST };' 'typedef enum kind { NETWORK_A } kind;' \
    'typedef int (*visit)(void);'; do
    canary "has no prefix" network/network.h "/* x */
$text"
done
canary "has no prefix" network/engine/parts.h '/* x */
struct packet {'
canary "which core may not know" core/a.c '/* x */
#include "replay/replay.h"'
canary "which is private to network" api/a.c '/* x */
#include "network/engine/state.h"'
canary "which is private to api" cli/a.c '/* x */
#include "api/api.h"'
canary "which cli may not know" cli/a.c '/* x */
#include "core/settings.h"'
canary "which support may not know" api/command_support.h '/* x */
#include "core/settings.h"'
canary "which replay may not know" replay/a.c '/* x */
#include <anax/anax.h>'
canary "only traces/otf2/otf2_reader" replay/a.c '/* x */
#include <otf2/otf2.h>'
canary "only core/yaml_stream.c" api/a.c '/* x */
#include <libfyaml.h>'
canary "no file may" core/transport_mpi.c '/* x */
#include <mpi.h>'
canary "only api/" core/a.c '/* x */
#include <json-c/json.h>'
canary "at most 600" core/a.c "/* x */$(seq 600 | sed 's/^/\n/')
$(seq 600)"
canary "opens without a comment" core/a.c 'int x;'
canary "tab or blank" core/a.c '/* x */ '
canary "never prints" replay/a.c '/* x */
void f(void) { printf("x"); }'
canary "never prints" replay/a.c '/* x */
void f(FILE *file) { if (file == stderr) return; }'
canary "floating point" network/a.c '/* x */
double x(void);'
canary "a header of network/engine" tests/network/a.c '/* x */
#include "network/engine/state.h"'
canary "state inside the network" tests/support/a.h '/* x */
static void f(struct network *network) { network->domains[0].now_ps = 0; }'

# layer_canary WHY FILE CONTENT: the same in a tree with two layers, of which `high` may use `low`.
layer_canary() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/network/low" "$work/tree/network/high" "$work/tree/network/aside"
    cat >"$work/tree/ARCHITECTURE.md" <<'END'
Layers of `network/`, lowest first:

| layer | files | may use |
|---|---|---|
| low | `low/`, `high/lowest.*` | |
| high | `high/` | all above |
| aside | `aside/` | low |
END
    printf '/* x */\nint low_one(void);\n' >"$work/tree/network/low/one.h"
    printf '/* x */\n#include "network/low/one.h"\nint low_one(void) {\n    return 1;\n}\n' \
        >"$work/tree/network/low/one.c"
    printf '/* x */\nint high_two(void) {\n    return low_one();\n}\n' \
        >"$work/tree/network/high/two.c"
    printf '/* x */\nint low_three(void);\n' >"$work/tree/network/high/lowest.h"
    printf '/* x */\nstruct x {\n    int high_two; /* high_two() */\n};\n' \
        >"$work/tree/network/aside/x.h"
    if [ -n "$(sh "$tidy" "$work/tree")" ]; then
        sh "$tidy" "$work/tree"
        echo "a tree in order was not found to be"
        status=1
    fi
    mkdir -p "$work/tree/$(dirname "$2")"
    printf '%s\n' "$3" >"$work/tree/$2"
    if ! sh "$tidy" "$work/tree" | grep -q "^$2.*$1"; then
        echo "the rule was not found broken: $1"
        status=1
    fi
}
layer_canary "includes network/high/two.h, which is network/high" network/low/a.c '/* x */
#include "network/high/two.h"'
layer_canary "includes network/high/two.h, which is network/high" network/high/lowest.c '/* x */
#include "network/high/two.h"'
layer_canary "uses high_two of network/high/two.c" network/low/a.c '/* x */
int low_a(void) {
    return high_two();
}'
layer_canary "uses high_two of network/high/two.c" network/low/a.c '/* x */
static int (*const table[])(void) = {high_two};'
layer_canary "uses high_two of network/high/two.c" network/low/b.h '/* x */
static inline int low_b(void) {
    return high_two();
}'
layer_canary "uses high_two of network/high/two.c" network/aside/a.c '/* x */
int aside_a(void) {
    return high_two();
}'
layer_canary "is in no layer" network/a.c '/* x */'

# What only looks like an offence is none; two files of one name are one.
mkdir -p "$work/good/core" "$work/good/api"
printf '/* printf(x) double */\nconst char *f(void) { return "exit(1) float"; }\n' >"$work/good/core/a.c"
if [ -n "$(sh "$tidy" "$work/good")" ]; then
    echo "comments or texts were taken for code"
    status=1
fi
cp "$work/good/core/a.c" "$work/good/api/a.c"
if ! sh "$tidy" "$work/good" | grep -q '^a.c: more than one file'; then
    echo "the rule was not found broken: more than one file"
    status=1
fi
exit $status
